import { hostname } from "node:os";
import type { NatsConnection } from "@nats-io/transport-node";
import { FleetUnavailable } from "../fleet-unavailable.ts";
import { readJson } from "../wire/json-message.ts";
import { ownerSubject } from "../wire/subjects.ts";

/** Milliseconds within which another process of the run would say that it is there. */
const OWNER_MS = 1000;

/** This process as people know it: its machine and its number. */
export function ownPlace(): string {
  return `${hostname()}:${process.pid}`;
}

/** Throws FleetUnavailable where another process works on a run. */
export async function assertAlone(connection: NatsConnection, run: string): Promise<void> {
  const other = await otherOwner(connection, run);
  if (other !== undefined)
    throw new FleetUnavailable(`another process works on this run already: ${other}; stop it first`);
}

/** The process, other than `own`, that works on a run; undefined where there is none. */
export async function otherOwner(
  connection: NatsConnection,
  run: string,
  own?: string,
): Promise<string | undefined> {
  try {
    const { data } = await connection.request(ownerSubject(run), "", { timeout: OWNER_MS });
    const place = String(readJson(data)?.["process"]);
    return place === own ? undefined : place;
  } catch {
    // Nobody is there.
    return undefined;
  }
}

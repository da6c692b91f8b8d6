import { readFileSync } from "node:fs";
import type { NatsConnection, NodeConnectionOptions } from "@nats-io/transport-node";
import { FleetUnavailable } from "./fleet-unavailable.ts";

/** Where a fleet is, and how to get in. */
export interface FleetAddress {
  /** Its URL for people, without a password. */
  readonly shown: string;
  readonly host: string;
  readonly port: number;
  readonly tls: boolean;
  readonly user?: string;
  readonly password?: string;
  /** A file with the certificate of the authority that has signed that of the server. */
  readonly authority?: string;
}

const PORT = 4222;

/**
 * Reads `nats://HOST:PORT` or `tls://HOST:PORT`. User and password are in the URL (`tls://USER:PASSWORD@HOST`) or in
 * LUDOFLOW_FLEET_USER and LUDOFLOW_FLEET_PASSWORD, in which other users of the machine do not see them in its list of
 * processes. LUDOFLOW_FLEET_CA names the file of an authority of one's own. Throws FleetUnavailable.
 */
export function fleetAddress(
  given: string,
  environment: Readonly<Record<string, string | undefined>> = process.env,
): FleetAddress {
  const text = given.includes("://") ? given : `nats://${given}`;
  const refuse = (why: string): never => {
    throw new FleetUnavailable(
      `"${text.replace(/^([^:]*:\/\/[^:@]*):.*@/, "$1:...@")}" is no address of a fleet: ${why}; write nats://HOST:PORT or tls://HOST:PORT`,
    );
  };
  let url: URL;
  try {
    url = new URL(text);
  } catch {
    return refuse("it is no URL");
  }
  if (url.protocol !== "nats:" && url.protocol !== "tls:") return refuse(`"${url.protocol}" is unknown`);
  if (url.hostname === "" || !URL.canParse(`http://${url.host}`)) return refuse("it names no host");
  if (!["", "/"].includes(url.pathname) || url.search !== "" || url.hash !== "")
    return refuse("nothing follows the port");
  const tls = url.protocol === "tls:";
  const host = url.hostname.replace(/^\[(.*)\]$/, "$1");
  if (tls && /^[\d.]+$|:/.test(host))
    return refuse("a certificate is compared with the name of the host, so name it in place of its address");
  const port = url.port === "" ? PORT : Number(url.port);
  const decoded = (text: string): string => {
    try {
      return decodeURIComponent(text);
    } catch {
      return refuse("write a % in its user or its password as %25");
    }
  };
  const user = decoded(url.username) || environment["LUDOFLOW_FLEET_USER"];
  const password = decoded(url.password) || environment["LUDOFLOW_FLEET_PASSWORD"];
  const authority = environment["LUDOFLOW_FLEET_CA"];
  return {
    shown: `${url.protocol}//${url.host}`,
    host,
    port,
    tls,
    ...(user === undefined || user === "" ? {} : { user }),
    ...(password === undefined || password === "" ? {} : { password }),
    ...(authority === undefined || authority === "" ? {} : { authority }),
  };
}

/** The user's own machine: nobody else can listen. */
export function isLoopback({ host }: FleetAddress): boolean {
  return host === "localhost" || host === "::1" || host.startsWith("127.");
}

/** The ends of a connection have inboxes under names of their own, so that rights can distinguish them. */
export type FleetRole = "run" | "joiner";

/**
 * Connects to the server of a fleet. Later the connection is made again for ever when it breaks; what is sent meanwhile is
 * lost. Throws FleetUnavailable.
 */
export async function connectFleet(address: FleetAddress, role: FleetRole): Promise<NatsConnection> {
  const { connectNats } = await import("./fleet-transport.ts");
  // A fresh object each time: the client writes into it.
  const options: NodeConnectionOptions = {
    servers: `${address.host.includes(":") ? `[${address.host}]` : address.host}:${address.port}`,
    name: `ludoflow ${role}`,
    inboxPrefix: `_INBOX.${role}`,
    timeout: 10_000,
    maxReconnectAttempts: -1,
    reconnectTimeWait: 1000,
    pingInterval: 5000,
    maxPingOut: 2,
    ...(address.user === undefined ? {} : { user: address.user }),
    ...(address.password === undefined ? {} : { pass: address.password }),
    // A scheme alone does not ask for TLS: an object does. Without it, a server that asks for TLS gets it.
    ...(address.tls || address.authority !== undefined ? { tls: authorityOf(address) } : {}),
  };
  try {
    return await connectNats(options);
  } catch (error) {
    throw new FleetUnavailable(`${address.shown}: ${explained(error, address)}`);
  }
}

function authorityOf({ authority }: FleetAddress): { ca?: string } {
  if (authority === undefined) return {};
  try {
    return { ca: readFileSync(authority, "utf8") };
  } catch (error) {
    throw new FleetUnavailable(`LUDOFLOW_FLEET_CA: ${authority} cannot be read: ${(error as Error).message}`);
  }
}

/** By a part of an error's text or code: what it means, and what to do. */
const meanings: readonly (readonly [RegExp, string])[] = [
  [
    /authorization violation|authentication/i,
    "the server refuses this user or password: see LUDOFLOW_FLEET_USER and LUDOFLOW_FLEET_PASSWORD",
  ],
  [
    /UNABLE_TO_VERIFY_LEAF_SIGNATURE|SELF_SIGNED_CERT|UNABLE_TO_GET_ISSUER/i,
    "its certificate is signed by an authority that this machine does not know: name the authority's file in LUDOFLOW_FLEET_CA",
  ],
  [/CERT_HAS_EXPIRED/i, "its certificate has expired: renew it on the server"],
  [
    /ERR_TLS_CERT_ALTNAME_INVALID|altnames/i,
    "its certificate is for another host: use the name that the certificate has, or make one for this name",
  ],
  [
    /server does not support 'tls'/i,
    "the server has no TLS: give it a certificate, or write nats:// if nobody else can listen",
  ],
  [
    /no NATS server/,
    "what listens there is no NATS server: check the host and the port, and start nats-server there",
  ],
  [/ENOTFOUND|EAI_AGAIN/, "there is no such host: check its name"],
  [/ECONNREFUSED|connection refused/i, "nobody listens there: start nats-server, and check the port"],
  [/timeout|ETIMEDOUT|EHOSTUNREACH/i, "no answer: check the host, the port and what filters between"],
];

function explained(error: unknown, { shown }: FleetAddress): string {
  const texts: string[] = [];
  for (let each = error; each instanceof Error; each = each.cause)
    texts.push(each.message, (each as NodeJS.ErrnoException).code ?? "");
  const all = texts.join(" ") || String(error);
  const found = meanings.find(([pattern]) => pattern.test(all));
  return found?.[1] ?? `${texts[0] ?? all} (${shown})`;
}

import { join } from "node:path";
import type { NatsConnection } from "@nats-io/transport-node";
import { expect, onTestFinished } from "vitest";
import type { Note, RunEvent } from "../../src/events/event.ts";
import { connectFleet, fleetAddress } from "../../src/fleet/connect.ts";
import { Joiner } from "../../src/fleet/joiner/joiner.ts";
import { openFleetHost } from "../../src/fleet/run/fleet-host.ts";
import type { JoinerMeans } from "../../src/fleet/shared-run.ts";
import { noteIrreproducible } from "../../src/graph/folder/run-folder.ts";
import type { HostOfRun } from "../../src/graph/run-experiment.ts";
import { scratchFolder } from "../formats/scratch-folder.ts";
import { resultsOf, startRun, writeExperiment } from "../graph/tiny-run.ts";
import { tampered } from "./tampered-connection.ts";

type Tamper = Parameters<typeof tampered>[1];

/** A joiner in this process, with what it has said; its results go through `tamper`, its connection through `changed`. */
export async function joins(
  url: string,
  means: Partial<JoinerMeans> = {},
  tamper?: Tamper,
  changed: (connection: NatsConnection) => NatsConnection = (connection) => connection,
) {
  const said: string[] = [];
  const connection = await connectFleet(fleetAddress(url), "joiner");
  const joiner = await Joiner.open(
    changed(tamper === undefined ? connection : tampered(connection, tamper)),
    { workers: 1, compute: {}, plugins: [], ...means },
    (message) => said.push(message),
    join(scratchFolder(), "cache"),
  );
  onTestFinished(() => joiner.close());
  return { joiner, said };
}

/** The host of runs with a fleet. */
export async function fleetOf(
  url: string,
  { mixed = false, playsHere = false, taints = [] as string[] } = {},
) {
  const connection = await connectFleet(fleetAddress(url), "run");
  onTestFinished(() => connection.close());
  const hostOf: HostOfRun = ({ folder, note }) =>
    openFleetHost({
      connection,
      folder,
      note,
      mixed,
      playsHere,
      taint: (reason) => {
        taints.push(reason);
        noteIrreproducible(folder, reason);
      },
    });
  return hostOf;
}

const known = new Map<string, Promise<Record<string, string>>>();

/** The results of an experiment without a fleet. */
export function alone(text: string, set: readonly string[] = []): Promise<Record<string, string>> {
  const key = JSON.stringify([text, set]);
  const run = async () => {
    const folder = scratchFolder();
    expect(await startRun(writeExperiment(folder, text), join(folder, "run"), set)).toEqual({
      outcome: "finished",
    });
    return resultsOf(join(folder, "run"));
  };
  if (!known.has(key)) known.set(key, run());
  return known.get(key)!;
}

/** Runs an experiment with a fleet. */
export async function withFleet(
  hostOf: HostOfRun,
  text: string,
  {
    set = [],
    onEvent = () => undefined,
  }: { set?: readonly string[]; onEvent?: (event: RunEvent) => void } = {},
) {
  const folder = scratchFolder();
  const run = join(folder, "run");
  const notes: Note[] = [];
  const outcome = await startRun(writeExperiment(folder, text), run, set, {
    hostOf,
    onEvent: (event) => {
      if (event.type === "note") notes.push(event);
      onEvent(event);
    },
  });
  expect(outcome).toEqual({ outcome: "finished" });
  return { run, results: resultsOf(run), notes: notes.map(({ message }) => message) };
}

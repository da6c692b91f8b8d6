import { join } from "node:path";
import { expect, it, onTestFinished } from "vitest";
import type { RunEvent } from "../../src/events/event.ts";
import { connectFleet, fleetAddress } from "../../src/fleet/connect.ts";
import { openFleetHost } from "../../src/fleet/fleet-host.ts";
import { fleetState } from "../../src/fleet/fleet-state.ts";
import { Joiner } from "../../src/fleet/joiner.ts";
import type { JoinerMeans } from "../../src/fleet/shared-run.ts";
import type { HostOfRun } from "../../src/graph/run-experiment.ts";
import { scratchFolder } from "../formats/scratch-folder.ts";
import {
  paperExperiment,
  poolExperiment,
  resultsOf,
  startRun,
  writeExperiment,
  zeroExperiment,
} from "../graph/tiny-run.ts";
import { noServer, startServer } from "../fleet/nats-server.ts";

/** A joiner in this process, with what it has said. */
async function joins(url: string, means: Partial<JoinerMeans> = {}) {
  const said: string[] = [];
  const joiner = await Joiner.open(
    await connectFleet(fleetAddress(url), "joiner"),
    { workers: 1, compute: {}, plugins: [], ...means },
    (message) => said.push(message),
    join(scratchFolder(), "cache"),
  );
  onTestFinished(() => joiner.close());
  return { joiner, said };
}

/** The host of runs with a fleet. */
async function fleetOf(url: string, { mixed = false, playsHere = false, taints = [] as string[] } = {}) {
  const connection = await connectFleet(fleetAddress(url), "run");
  const hostOf: HostOfRun = ({ folder, note }) =>
    openFleetHost({ connection, folder, note, mixed, playsHere, taint: (reason) => taints.push(reason) });
  return hostOf;
}

/** Runs an experiment without a fleet, and returns its results. */
async function alone(file: string): Promise<Record<string, string>> {
  const run = join(scratchFolder(), "run");
  expect((await startRun(file, run)).outcome).toBe("finished");
  return resultsOf(run);
}

const notes = (events: readonly RunEvent[]) =>
  events.flatMap((event) => (event.type === "note" ? [event.message] : []));

it.for([
  ["self-play", zeroExperiment],
  ["matches, openings and statistics", paperExperiment],
  ["earlier selves", poolExperiment],
] as const)("a run whose games joiners play has the bytes of one machine: %s", async ([, text], { skip }) => {
  skip(noServer !== undefined, noServer);
  const file = writeExperiment(scratchFolder(), text);
  const { url } = await startServer();
  const { said } = await joins(url);
  const run = join(scratchFolder(), "run");
  const events: RunEvent[] = [];
  const outcome = await startRun(file, run, [], {
    hostOf: await fleetOf(url),
    onEvent: (event) => void events.push(event),
  });
  expect(outcome).toEqual({ outcome: "finished" });
  expect(resultsOf(run)).toEqual(await alone(file));
  expect(notes(events)).toContainEqual(
    expect.stringMatching(/^\S+ has joined and plays up to \d+ games at once$/),
  );
  expect(said).toContainEqual(expect.stringMatching(/^plays for tiny-\S+ on /));
  // The run has ended, the joiner waits for the next one.
  const connection = await connectFleet(fleetAddress(url), "joiner");
  const { idle, runs } = await fleetState(connection);
  await connection.close();
  expect([idle.length, runs]).toEqual([1, []]);
});

it("refuses a joiner that computes other bits, and plays on; --mixed accepts it and says so", async ({
  skip,
}) => {
  skip(noServer !== undefined, noServer);
  const file = writeExperiment(scratchFolder(), zeroExperiment);
  const { url } = await startServer();
  const { said } = await joins(url, { compute: { engine: "tfjs", backend: "cpu" } });
  const run = join(scratchFolder(), "run");
  const outcome = await startRun(file, run, [], { hostOf: await fleetOf(url, { playsHere: true }) });
  expect(outcome).toEqual({ outcome: "finished" });
  expect(resultsOf(run)).toEqual(await alone(file));
  expect(said).toContainEqual(
    expect.stringMatching(/^(does not play for|leaves) tiny-zero.*computes other bits.*--mixed$/),
  );

  const taints: string[] = [];
  const mixed = await startRun(file, join(scratchFolder(), "mixed"), [], {
    hostOf: await fleetOf(url, { mixed: true, taints }),
  });
  expect(mixed).toEqual({ outcome: "finished" });
  expect(taints).toContainEqual(expect.stringContaining("compute other bits (--mixed)"));
});

it("goes on when the server is killed, and forgets what it had in memory", async ({ skip }) => {
  skip(noServer !== undefined, noServer);
  const file = writeExperiment(scratchFolder(), poolExperiment);
  const server = await startServer();
  await joins(server.url);
  const run = join(scratchFolder(), "run");
  let killed: Promise<void> | undefined;
  const outcome = await startRun(file, run, [], {
    hostOf: await fleetOf(server.url),
    onEvent: ({ type }) => {
      // The first checkpoint is in the midst of the games.
      if (type === "checkpoint") killed ??= server.restart();
    },
  });
  await killed;
  expect(killed).toBeDefined();
  expect(outcome).toEqual({ outcome: "finished" });
  expect(resultsOf(run)).toEqual(await alone(file));
});

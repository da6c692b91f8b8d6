import { join } from "node:path";
import { expect, it, onTestFinished } from "vitest";
import { connectFleet, fleetAddress } from "../../src/fleet/connect.ts";
import { openFleetHost } from "../../src/fleet/fleet-host.ts";
import { Joiner } from "../../src/fleet/joiner.ts";
import { scratchFolder } from "../formats/scratch-folder.ts";
import { resultsOf, startRun, writeExperiment, zeroExperiment } from "../graph/tiny-run.ts";
import { noServer, startServer } from "../fleet/nats-server.ts";

it("a run whose games a joiner plays has the bytes of one machine", async ({ skip }) => {
  skip(noServer !== undefined, noServer);
  const file = writeExperiment(scratchFolder(), zeroExperiment);
  const set = ["graph.games.games=24"];
  const alone = join(scratchFolder(), "run");
  expect(await startRun(file, alone, set)).toEqual({ outcome: "finished" });
  const { url } = await startServer();
  const said: string[] = [];
  const joiner = await Joiner.open(
    await connectFleet(fleetAddress(url), "joiner"),
    { workers: 1, compute: {}, plugins: [] },
    (message) => said.push(message),
    join(scratchFolder(), "cache"),
  );
  onTestFinished(() => joiner.close());
  const run = join(scratchFolder(), "run");
  const connection = await connectFleet(fleetAddress(url), "run");
  const taint = (reason: string) => expect.fail(reason);
  const outcome = await startRun(file, run, set, {
    hostOf: ({ folder, note }) =>
      openFleetHost({ connection, folder, note, mixed: false, playsHere: false, taint }),
  });
  expect(outcome).toEqual({ outcome: "finished" });
  expect(resultsOf(run)).toEqual(resultsOf(alone));
  expect(said).toContainEqual(expect.stringMatching(/^plays for tiny-zero on \S+: up to 4 games at once$/));
});

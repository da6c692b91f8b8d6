import { appendFileSync, cpSync, mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, it, onTestFinished } from "vitest";
import { ludoflow } from "../../cli/run-cli.ts";
import { noServer, startServer } from "../../fleet/nats-server.ts";
import { scratchFolder } from "../../formats/scratch-folder.ts";
import { resultsOf } from "../../graph/tiny-run.ts";

const hex = join(import.meta.dirname, "../../../examples/own-game/hex.ts");
const experiment = `
name: hex
seed: 3
workers: 1
plugins: [./hex.ts]
game: { rules: hex, size: 4 }
agents: { searcher: { use: mcts-max-n, simulations: 8, epsilon: 1 } }
graph:
  games: { use: self-play, agent: searcher, games: 12, generation: 12, inFlight: 2, examples: { use: alphazero } }
`;

it("a joiner plays games of a plug-in that it has and names itself; others say what is missing, to both sides", async ({
  skip,
}) => {
  skip(noServer !== undefined, noServer);
  const folder = scratchFolder();
  for (const name of ["here", "right", "other"]) {
    mkdirSync(join(folder, name));
    cpSync(hex, join(folder, name, "hex.ts"));
  }
  appendFileSync(join(folder, "other/hex.ts"), "// changed\n");
  writeFileSync(join(folder, "here/hex.yaml"), experiment);
  const { url } = await startServer();
  const run = (...args: string[]) =>
    ludoflow(["run", "here/hex.yaml", "--allow-code", ...args], folder).ended;
  expect(await run("--out", "alone")).toMatchObject({ code: 0 });

  const joins = (...args: string[]) => {
    const command = ludoflow(["join", url, "--workers", "1", ...args], folder);
    onTestFinished(() => void command.process.kill("SIGKILL"));
    return command;
  };
  const joiners = [joins(), joins("--plugin", "other/hex.ts"), joins("--plugin", "right/hex.ts")];
  await Promise.all(joiners.map((joiner) => joiner.said("waits for runs")));
  const [ended] = await Promise.all([
    run("--fleet", url, "--joiners-only", "--out", "run"),
    joiners[0]!.said(
      "code does not travel, so copy the file here yourself, and allow it with --plugin hex.ts",
    ),
    joiners[1]!.said("differs from the plug-in hex.ts of the run"),
    joiners[2]!.said("plays for hex on"),
  ]);
  expect(ended).toMatchObject({ code: 0 });
  expect(ended.err).toMatch(/warning: \S+ does not play for this run: the run has the plug-in hex\.ts/);
  expect(resultsOf(join(folder, "run"))).toEqual(resultsOf(join(folder, "alone")));

  joiners[2]!.process.kill("SIGTERM");
  expect(await joiners[2]!.ended).toMatchObject({
    code: 0,
    err: expect.stringContaining("leaves; its games go to others"),
  });
});

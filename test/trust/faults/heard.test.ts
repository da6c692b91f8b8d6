import { expect, it } from "vitest";
import { scratchFolder } from "../../formats/scratch-folder.ts";
import { tablesExperiment, writeExperiment, zeroExperiment } from "../../graph/tiny-run.ts";
import { ludoflow } from "../../cli/run-cli.ts";

/** A match whose first move takes far longer than the test. */
const slow = `
name: slow
seed: 1
workers: 1
game: { rules: blokus }
agents: { slow: { use: mcts-max-n, simulations: 10000000 } }
graph:
  match: { use: arena, agents: [slow], seats: round-robin, games: 2 }
`;

it("in a pipe, a stage whose first move lasts for hours is heard before it is over", async () => {
  const folder = scratchFolder();
  const command = ludoflow(["run", writeExperiment(folder, slow), "--out", `${folder}/run`]);
  await command.said("slow: 2 games to measure");
  await command.said("started, seed 1");
  await command.said("match       0/2 games  0%");
  command.process.kill("SIGKILL");
  expect((await command.ended).signal).toBe("SIGKILL");
}, 60_000);

it.each([
  ["a net that learns by self-play", zeroExperiment],
  ["tables that learn on line", tablesExperiment],
])(
  "check --cost knows every stage of %s",
  async (_, experiment) => {
    const folder = scratchFolder();
    const { code, err, out } = await ludoflow([
      "check",
      "--cost",
      "--json",
      writeExperiment(folder, experiment),
    ]).ended;
    expect(err).not.toMatch(/mistake|fail/);
    expect(code).toBe(0);
    const cost = JSON.parse(out) as {
      readonly seconds: number;
      readonly unknown: readonly string[];
      readonly stages: readonly { readonly seconds: number }[];
    };
    expect(cost.unknown).toEqual([]);
    expect(cost.stages.length).toBeGreaterThan(1);
    expect(cost.seconds).toBeGreaterThan(0);
    // One stage after another.
    expect(cost.seconds).toBeCloseTo(
      cost.stages.reduce((sum, { seconds }) => sum + seconds, 0),
      6,
    );
  },
  120_000,
);

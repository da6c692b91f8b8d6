import { expect, it } from "vitest";
import type { OpenExperiment } from "../../../src/operators/experiment/open-experiment.ts";
import { type PlannedGame, weightsNamed, withVersions } from "../../../src/operators/play/game-task.ts";

const agents = {
  alphago: { use: "apv-mcts", net: "policy", valueNet: "value", playoutNet: "rollouts" },
  valued: { use: "apv-mcts", valueNet: "value" },
  plain: { use: "uct" },
};
const opened = { experiment: { agents } } as unknown as OpenExperiment;
const planned: PlannedGame = {
  stage: "games",
  name: ["games", 3],
  index: 3,
  generation: 7,
  seats: ["alphago", "alphago@2", "valued", "plain"],
};
const newest: Readonly<Record<string, number>> = { policy: 7, value: 5, rollouts: 1 };
const task = withVersions(opened, planned, (net) => newest[net]!);

it("names the version of every net of every seat; an earlier self has its own version of `net` alone", () => {
  expect(task.versions).toEqual([
    { net: 7, valueNet: 5, playoutNet: 1 },
    { net: 2, valueNet: 5, playoutNet: 1 },
    { valueNet: 5 },
    {},
  ]);
});

it("lists the weights of a game once each, or those of some roles", () => {
  expect(weightsNamed(opened, task)).toEqual([
    { net: "policy", version: 7 },
    { net: "value", version: 5 },
    { net: "rollouts", version: 1 },
    { net: "policy", version: 2 },
  ]);
  const earlier = weightsNamed(
    opened,
    task,
    ({ version }, { role }) => version !== undefined && role === "net",
  );
  expect(earlier).toEqual([{ net: "policy", version: 2 }]);
});

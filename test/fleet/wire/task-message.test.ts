import { expect, it } from "vitest";
import { openShared, sharedRun } from "../../../src/fleet/shared-run.ts";
import { decodeTask, encodeTask, isShareable } from "../../../src/fleet/wire/task-message.ts";
import { PacketInvalid } from "../../../src/fleet/wire/packet.ts";
import { checkExperiment } from "../../../src/graph/experiment-file.ts";
import { type Experiment, openExperiment } from "../../../src/operators/experiment/open-experiment.ts";
import type { GameTask } from "../../../src/operators/play/game-task.ts";

/** A match with another program, and with an agent on tables. */
function openMatch() {
  const { experiment, problems } = checkExperiment("match", {
    name: "match",
    seed: 1,
    game: { rules: "go", size: 5 },
    nets: { one: { use: "residual", filters: 4, blocks: 1 } },
    agents: {
      search: { use: "mcts-max-n", simulations: 4 },
      net: { use: "puct-max-n", net: "one", simulations: 4 },
      program: { use: "gtp", command: ["secret-program", "--gtp"] },
    },
    graph: { match: { use: "arena", agents: ["search", "program"], games: 2 } },
  } as unknown as Experiment);
  expect(problems).toEqual([]);
  return openExperiment(experiment);
}

const taskOf = (...seats: string[]): GameTask => ({
  stage: "match",
  name: ["match", 0],
  index: 0,
  generation: 0,
  seats,
  versions: seats.map((seat): GameTask["versions"][number] => (seat.startsWith("net") ? { net: 3 } : {})),
});

it("a game in which another program plays stays on the run's machine, in whichever seat", () => {
  const opened = openMatch();
  expect(isShareable(opened, taskOf("search", "search"))).toBe(true);
  expect(isShareable(opened, taskOf("search", "net"))).toBe(true);
  expect(isShareable(opened, taskOf("search", "program"))).toBe(false);
  expect(isShareable(opened, taskOf("program", "net"))).toBe(false);
});

it("joiners receive no program, and refuse a run that names one", () => {
  const opened = openMatch();
  const shared = sharedRun(opened, []);
  expect(Object.keys(shared.experiment.agents)).toEqual(["search", "net"]);
  expect(JSON.stringify(shared)).not.toContain("secret-program");
  const { agents } = opened.experiment;
  expect(() =>
    openShared({ ...shared, experiment: { ...shared.experiment, agents } }, { compute: {}, plugins: [] }),
  ).toThrow(/the run names a program for "program", and a joiner starts none/);
});

it("the key of a task is a function of all that its game depends on", () => {
  const weights = [{ net: "one", version: 3, sha256: "0".repeat(64) }];
  const shared = { described: "d", task: taskOf("net", "net"), weights };
  const { bytes, key } = encodeTask(shared);
  expect(decodeTask(bytes)).toEqual(shared);
  expect(encodeTask(structuredClone(shared)).key).toBe(key);
  for (const other of [
    { ...shared, described: "e" },
    { ...shared, task: { ...shared.task, name: ["match", 1] } },
    { ...shared, task: { ...shared.task, seats: ["net", "search"] } },
    { ...shared, weights: [{ ...weights[0]!, sha256: "1".repeat(64) }] },
  ])
    expect(encodeTask(other).key).not.toBe(key);
  expect(() => decodeTask(bytes.subarray(0, 20))).toThrow(PacketInvalid);
});

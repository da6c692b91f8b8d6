import { describe, expect, it } from "vitest";
import { checkGraph } from "../../../../src/graph/check-graph.ts";
import { readExperiment } from "../../../../src/graph/experiment-file.ts";
import { stageView } from "../../../../src/graph/stage-view.ts";
import { ArenaSchedule } from "../../../../src/operators/measuring/match/arena-schedule.ts";
import { scratchFolder } from "../../../formats/scratch-folder.ts";
import { writeExperiment } from "../../../graph/tiny-run.ts";

/** A run that fills its buffer for two generations and then learns, with an arena of these settings. */
const experiment = (arena: string, after = "after: saved", rules = "tic-tac-toe") => `
name: tiny-selves
seed: 5
workers: 1
game: { rules: ${rules} }
nets:
  zero: { use: mlp, hidden: [4], valueActivation: linear }
  fixed: { use: mlp, hidden: [4], valueActivation: linear }
agents:
  learner: { use: greedy, net: zero }
  fixed: { use: greedy, net: fixed }
  random: { use: random }
graph:
  games: { use: self-play, agent: learner, games: 60, generation: 10, examples: { use: td } }
  replay: { use: replay-buffer, from: games, capacity: 500, fill: 21 }
  weights: { use: trainer, from: replay, net: zero, batch: 8, steps: 4, rate: 0.01 }
  saved: { use: checkpoint, from: weights }
  match: { use: arena, ${after}, inFlight: 3, ${arena} }
`;

const checked = (text: string) => checkGraph(readExperiment(writeExperiment(scratchFolder(), text)));

describe("the schedule of an arena with earlier selves", () => {
  const scheduleOf = (arena: string) => {
    const { opened } = checked(experiment(arena));
    return new ArenaSchedule(opened, "match", stageView(opened, "match").offered);
  };

  it("names the versions that its rounds have measured, through a checkpoint and a buffer that was filled", () => {
    const schedule = scheduleOf(
      "agents: [learner, random], earlier: { agent: learner, most: 2 }, games: 12, every: 2",
    );
    expect([0, 1, 2, 3].map((round) => schedule.participants(round))).toEqual([
      ["learner", "random"],
      ["learner", "learner@0", "random"],
      ["learner", "learner@4", "learner@0", "random"],
      ["learner", "learner@6", "learner@4", "random"],
    ]);
  });

  it.each(["rotated", "random"])("seats every two equally often in each order: %s", (seating) => {
    const schedule = scheduleOf(
      `agents: [learner, random], earlier: { agent: learner, most: 2 }, games: 12, seating: ${seating}`,
    );
    // Two participants in the first round, three in the second, four from then on.
    for (const [round, meetings] of [6, 2, 1, 1].entries()) {
      const games = Array.from({ length: 12 }, (_, i) =>
        schedule.task(12 * round + i, round).seats.join(" "),
      );
      const participants = schedule.participants(round);
      for (const one of participants)
        for (const other of participants)
          if (one !== other)
            expect(games.filter((seats) => seats === `${one} ${other}`).length).toBe(meetings);
      expect(schedule.blockLength(round)).toBe(12 / meetings);
    }
  });

  it.each(["rotated", "random"])(
    "counts games of one opening as one block, those of other rounds apart: %s",
    (seating) => {
      const schedule = scheduleOf(
        `agents: [learner, random], earlier: { agent: learner, most: 2 }, games: 3, openings: { plies: 1 }, seating: ${seating}`,
      );
      const games = Array.from({ length: 12 }, (_, index) => index);
      const named = (index: number) => JSON.stringify(schedule.task(index, 0).opening);
      for (const one of games)
        for (const other of games)
          expect(schedule.dependent(one) === schedule.dependent(other)).toBe(named(one) === named(other));
    },
  );

  it("gives the first agent every game where it plays the rest", () => {
    const schedule = scheduleOf(
      "agents: [learner], seats: one-vs-rest, earlier: { agent: learner, most: 3 }, games: 6",
    );
    const games = Array.from({ length: 6 }, (_, i) => schedule.task(3 * 6 + i, 0).seats);
    expect(games.every((seats) => seats.filter((name) => name === "learner").length === 1)).toBe(true);
    expect(new Set(games.flat())).toEqual(new Set(["learner", "learner@0", "learner@3", "learner@4"]));
  });
});

describe("mistakes in earlier selves", () => {
  const message = (text: string) => {
    try {
      checked(text);
      return "";
    } catch (error) {
      return (error as Error).message;
    }
  };
  const selves = (agent: string) => `earlier: { agent: ${agent} }, games: 2`;

  it.each([
    [`agents: [learner, random], ${selves("lerner")}`, /did you mean "learner"/],
    [`agents: [random], ${selves("learner")}`, /"learner" is not an agent of this stage/],
    [`agents: [learner, random], ${selves("random")}`, /"random" has no net, .* versions of "zero"/],
    [`agents: [learner, fixed], ${selves("fixed")}`, /"fixed" has the net "fixed", .* versions of "zero"/],
    [`agents: [learner, random], every: 0, ${selves("learner")}`, /one round alone has no earlier ones/],
    [
      `agents: [learner, random], sequential: { elo0: 0, elo1: 5 }, ${selves("learner")}`,
      /between two agents: leave `earlier` out/,
    ],
  ])("are told: %s", (arena, expected) => {
    expect(message(experiment(arena))).toMatch(expected);
  });

  it("are told where no learner is followed, and in games that are played alone", () => {
    const arena = `agents: [learner, random], ${selves("learner")}`;
    expect(message(experiment(arena, "every: 1"))).toMatch(/need a learner to follow: give `after`/);
    expect(message(experiment(arena, "after: saved", "2048"))).toMatch(/2048 is played alone/);
    expect(message(experiment(arena))).toBe("");
  });
});

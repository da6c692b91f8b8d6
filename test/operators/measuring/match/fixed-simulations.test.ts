import { existsSync, readFileSync, writeFileSync } from "node:fs";
import * as Effect from "effect/Effect";
import { describe, expect, it } from "vitest";
import type { RunEvent } from "../../../../src/events/event.ts";
import { checkGraph } from "../../../../src/graph/check-graph.ts";
import { readExperiment } from "../../../../src/graph/experiment-file.ts";
import { stageView } from "../../../../src/graph/stage-view.ts";
import { ArenaSchedule } from "../../../../src/operators/measuring/match/arena-schedule.ts";
import type { ArenaSettings } from "../../../../src/operators/measuring/match/arena-settings.ts";
import {
  FixedSimulations,
  fixedSimulations,
} from "../../../../src/operators/measuring/match/fixed-simulations.ts";
import type { StageEnv } from "../../../../src/operators/operator.ts";
import type { GameReport, PlannedGame } from "../../../../src/operators/play/game-task.ts";
import { participantNamed } from "../../../../src/operators/experiment/participant.ts";
import { equalTimePath } from "../../../../src/operators/run/run-files.ts";
import { scratchFolder } from "../../../formats/scratch-folder.ts";
import { writeExperiment } from "../../../graph/tiny-run.ts";

const experiment = (arena: string) => `
name: tiny-equal
seed: 5
workers: 2
game: { rules: tic-tac-toe }
nets:
  net: { use: mlp, hidden: [4], valueActivation: linear }
agents:
  random: { use: random }
  greedy: { use: greedy, net: net }
  uct: { use: uct, simulations: 12 }
  mcts: { use: mcts-max-n, simulations: 30 }
  clocked: { use: uct, milliseconds: 5 }
  program: { use: gtp, command: [no-such-program] }
graph:
  match: { use: arena, inFlight: 3, ${arena} }
`;

const checked = (text: string) => checkGraph(readExperiment(writeExperiment(scratchFolder(), text)));

/** Seconds of a decision by agent, from its simulations. */
type Costs = Readonly<Record<string, (simulations: number) => number>>;

/** The stage of an experiment whose games take these times and have ten decisions a seat. */
function stageOf(text: string, costs: Costs, { folder = scratchFolder(), games = 0, failure = "" } = {}) {
  const { opened } = checked(text);
  const settings = opened.experiment.graph["match"] as unknown as ArenaSettings;
  const played: PlannedGame[] = [];
  const events: RunEvent[] = [];
  const env = {
    stage: "match",
    opened,
    files: { folder },
    emit: (event: RunEvent) => void events.push(event),
    play: (game: PlannedGame) =>
      Effect.sync(() => {
        played.push(game);
        const decisions = failure === "" ? 10 : 0;
        const effort = game.seats.map((name) => {
          const { agent } = participantNamed(name);
          const seconds = decisions * costs[agent]!(game.simulations?.[agent] ?? NaN);
          const part = agent === "greedy" ? { evaluatorSeconds: seconds / 2 } : {};
          return { decisions, evaluations: 0, seconds, ...part };
        });
        return {
          effort,
          ...(failure === "" ? {} : { failure: { seat: 0, message: failure } }),
        } as unknown as GameReport;
      }),
  } as unknown as StageEnv;
  const schedule = new ArenaSchedule(opened, "match", stageView(opened, "match").offered);
  const fixed = new FixedSimulations(settings, env, schedule, games);
  const round = { number: 0, learned: 0, unit: "games", version: 0, versionOf: () => 0 } as const;
  return { fixed: () => Effect.runPromise(fixed.ofTasks(round)), folder, played, events };
}

const costs: Costs = {
  random: () => 1e-6,
  greedy: () => 0.01,
  uct: (n) => 0.001 * n,
  mcts: (n) => 0.002 + 0.0005 * n,
  clocked: () => 0.005,
};

describe("simulations of equal time", () => {
  const text = experiment("agents: [greedy, uct, mcts, random], games: 24, equalTime: true, deals: shared");

  it("are measured in games like those of the match, recorded, and not measured again", async () => {
    const { events, fixed, folder, played } = stageOf(text, costs);
    expect(await fixed()).toEqual({ simulations: { uct: 10, mcts: 16 } });
    // Each measurement has two whole blocks of twelve games, again and again until each agent has taken a second. The first is short.
    const times = Map.groupBy(played, ({ name }) => name.slice(2, 4).join());
    expect([...times.values()].map(({ length }) => length)).toEqual([...times.keys()].map(() => 24));
    expect([...times.keys()]).toEqual(["0,0", "1,0", "2,0"]);
    expect(new Set(played.map(({ name }) => name.join())).size).toBe(played.length);
    expect(played[0]).toMatchObject({
      measured: true,
      seats: ["greedy", "uct"],
      simulations: { uct: 12, mcts: 30 },
    });
    const [event] = events.filter(({ type }) => type === "equal-time");
    expect(event).toMatchObject({ stage: "match", reference: "greedy" });
    const [greedy, uct] = (event as Extract<RunEvent, { type: "equal-time" }>).agents;
    expect(greedy!.measured[0]).toEqual({
      decisions: 120,
      milliseconds: expect.closeTo(10, 9),
      evaluatorMilliseconds: expect.closeTo(5, 9),
    });
    expect(uct!.measured[0]).toMatchObject({ simulations: 12, milliseconds: expect.closeTo(12, 9) });
    expect(events.flatMap((each) => (each.type === "note" ? [each.message] : []))).toEqual([
      expect.stringMatching(
        /^match: equal time: as much .* as greedy, 10 ms \(5 of evaluators\): 10 simulations for uct \(12 in the file\)/,
      ),
      expect.stringMatching(
        /^match: equal time: random takes 0.001 ms a decision: it has no simulations to change$/,
      ),
    ]);
    expect(fixedSimulations(folder, "match")).toEqual({ simulations: { uct: 10, mcts: 16 } });

    const again = stageOf(text, {}, { folder, games: 7 });
    expect(await again.fixed()).toEqual({ simulations: { uct: 10, mcts: 16 } });
    expect(again.played).toEqual([]);
    expect(again.events).toEqual([event]);
  });

  it("are those of another reference, also of a program, which is not scaled", async () => {
    const to = (agent: string, agents: string) =>
      stageOf(experiment(`agents: [${agents}], games: 4, equalTime: { to: ${agent}, games: 2 }`), {
        ...costs,
        program: () => 0.02,
      });
    expect(await to("clocked", "uct, clocked").fixed()).toEqual({ simulations: { uct: 5 } });
    const { fixed, played } = to("program", "uct, mcts, program");
    // 35 was measured to be close enough to 36.
    expect(await fixed()).toEqual({ simulations: { uct: 20, mcts: 35 } });
    expect(played.length % 6).toBe(0);
  });

  it("are those of the agents' own games where one plays alone", async () => {
    const solo = `
name: tiny-equal
seed: 5
game: { rules: 2048, rows: 2, columns: 2 }
nets:
  table: { use: n-tuple, tuples: board }
agents:
  one: { use: expectimax, net: table }
  softmax: { use: mc-softmax, net: table, simulations: 5 }
graph:
  match: { use: arena, inFlight: 3, agents: [one, softmax], games: 3, equalTime: { games: 4 } }
`;
    const { fixed, played } = stageOf(solo, { one: () => 0.1, softmax: (n) => 0.01 * n });
    expect(await fixed()).toEqual({ simulations: { softmax: 10 } });
    expect(played.slice(0, 4).map(({ index, seats }) => [index, ...seats])).toEqual([
      [0, "one"],
      [1, "one"],
      [3, "softmax"],
      [4, "softmax"],
    ]);
  });

  it("are none without the setting", async () => {
    const { events, fixed, folder } = stageOf(
      experiment("agents: [uct, mcts], games: 2, equalTime: false"),
      {},
    );
    expect(await fixed()).toEqual({});
    expect(events).toEqual([]);
    expect(existsSync(equalTimePath(folder, "match"))).toBe(false);
    expect(() => fixedSimulations(folder, "match")).toThrow(/equal-time.json is missing/);
  });

  it("end the run where a time is not known, an agent does not play, or the record is missing or damaged", async () => {
    await expect(stageOf(text, { ...costs, uct: () => NaN }).fixed()).rejects.toThrow(
      /time of "uct" cannot be measured: this system does not report/,
    );
    await expect(stageOf(text, costs, { failure: "it died" }).fixed()).rejects.toThrow(
      /time of "greedy" cannot be measured: it could not continue: it died/,
    );
    expect(() => stageOf(text, costs, { games: 1 })).toThrow(/equal-time.json is missing/);
    const { fixed, folder } = stageOf(text, costs);
    await fixed();
    const path = equalTimePath(folder, "match");
    writeFileSync(path, readFileSync(path, "utf8").replace('"simulations": 10', '"simulations": 11'));
    expect(() => stageOf(text, costs, { folder })).toThrow(/checksum differs/);
  });
});

describe("mistakes in equalTime", () => {
  const message = (text: string) => {
    try {
      checked(text);
      return "";
    } catch (error) {
      return (error as Error).message;
    }
  };

  it.each([
    ["agents: [uct, mcts], games: 2, equalTime: { to: utc }", /equalTime.to: .*utc.* did you mean "uct"/],
    ["agents: [uct, mcts], games: 2, equalTime: { to: random }", /"random" is not an agent of this stage/],
    [
      "agents: [uct], games: 2, equalTime: true",
      /no agent can get the time of "uct": there is no other agent/,
    ],
    [
      "agents: [uct, random, clocked, program], games: 2, equalTime: true",
      /"random" has no number of simulations; "clocked" plays by the clock \(milliseconds\); "program" has no/,
    ],
    ["agents: [utc, mcts], games: 2, equalTime: true", /did you mean "uct"/],
    ["agents: [uct, mcts], games: 2, equalTime: yes-please", /equalTime/],
  ])("are told: %s", (arena, expected) => {
    expect(message(experiment(arena))).toMatch(expected);
  });

  it("are told of nets on a GPU, whose time is not known", () => {
    const gpu = (agents: string) =>
      message(
        experiment(`agents: [${agents}], games: 2, equalTime: true`).replace(
          "nets:",
          "compute: { device: webgpu }\nnets:",
        ),
      );
    expect(gpu("greedy, uct")).toMatch(
      /the time of "greedy" cannot be measured: it has a net that is computed on a GPU/,
    );
    expect(gpu("uct, greedy")).toMatch(
      /no agent can get the time of "uct": "greedy" has a net that is computed on a GPU/,
    );
    expect(gpu("uct, greedy, mcts")).toBe("");
  });
});

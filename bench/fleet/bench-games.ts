import { decodeGameRecord, encodeGameRecord, type StoredGame } from "../../src/formats/game-records.ts";
import { checkExperiment } from "../../src/graph/experiment-file.ts";
import { randomReport } from "../../src/operators/cost/random-games.ts";
import {
  type Experiment,
  openExperiment,
  type OpenExperiment,
} from "../../src/operators/experiment/open-experiment.ts";
import type { GameReport, GameTask } from "../../src/operators/play/game-task.ts";

/** The stage of all games. */
const STAGE = "games";
/** Games that a thread has under way. */
const IN_FLIGHT = 4;

/** Self-play of Connect Four by a search without a net: its games take as long as its simulations do. */
export function openBench(simulations: number, workers: number): OpenExperiment {
  const experiment = {
    name: "bench-fleet",
    seed: 1,
    workers,
    game: { rules: "connect-four" },
    agents: { searcher: { use: "mcts-max-n", simulations, epsilon: 1 } },
    graph: {
      [STAGE]: {
        use: "self-play",
        agent: "searcher",
        games: 100,
        generation: 100,
        inFlight: IN_FLIGHT,
        examples: { use: "alphazero" },
      },
    },
  };
  return openExperiment(checkExperiment("bench", experiment as unknown as Experiment).experiment);
}

/** The task of a game. */
export function taskOf({ experiment, game }: OpenExperiment, index: number): GameTask {
  const seats = Array.from({ length: game.players }, () => "searcher");
  const { examples } = experiment.graph[STAGE] as { readonly examples?: GameTask["examples"] };
  return {
    stage: STAGE,
    name: [STAGE, index],
    index,
    generation: 0,
    seats,
    versions: seats.map(() => ({})),
    ...(examples === undefined ? {} : { examples }),
  };
}

let template: StoredGame | undefined;

/** A report of a game that nobody has played, with examples of so many bytes; a function of its task. */
export function inventedReport(opened: OpenExperiment, task: GameTask, bytes: number): GameReport {
  template ??= decodeGameRecord(randomReport(opened, { ...task, index: 0 }).record, "bench");
  return {
    record: encodeGameRecord({
      ...template,
      game: task.index,
      generation: task.generation,
      seats: task.seats,
    }),
    samples: new Uint8Array(bytes),
    forecasts: new Float32Array(0),
    returns: [...template.returns],
    facts: { ...template.facts },
    plies: template.actions.length,
    startValue: 0,
    evaluations: 0,
  };
}

import { encodeGameRecord, type StoredGame } from "../../src/formats/game-records.ts";
import { OVER } from "../../src/games/game.ts";
import { checkExperiment } from "../../src/graph/experiment-file.ts";
import {
  type Experiment,
  openExperiment,
  type OpenExperiment,
} from "../../src/operators/experiment/open-experiment.ts";
import type { GameReport, GameTask } from "../../src/operators/play/game-task.ts";
import { type DecidedGame, encodeGameExamples } from "../../src/operators/play/examples/game-examples.ts";
import { Random } from "../../src/random.ts";

/** The stage of all games. */
const STAGE = "games";
/** Games that a thread has under way. */
const IN_FLIGHT = 16;

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

/** What simulated joiners send: games on a board of this size, whose policies have weights of so many bits. */
export const INTAKE = [
  { size: 9, bits: 0, games: 4000 },
  { size: 19, bits: 0, games: 800 },
  { size: 19, bits: 28, games: 200 },
] as const;

/** A kind of results that simulated joiners send. */
export type IntakeCase = Pick<(typeof INTAKE)[number], "bits" | "size">;

/** Self-play of Go by a search without a net, for games that nobody plays. */
export function openIntake({ size }: IntakeCase): OpenExperiment {
  const experiment = {
    ...openBench(1, 1).experiment,
    game: { rules: "go", size },
  };
  return openExperiment(checkExperiment("bench", experiment).experiment);
}

const templates = new Map<string, { readonly record: StoredGame; readonly samples: Uint8Array }>();

/**
 * A report of a game that nobody has played: random moves by the rules, and a policy over all legal moves for each. A run takes it,
 * because only a search could say otherwise. A function of its task.
 */
export function inventedReport(
  opened: OpenExperiment,
  task: GameTask,
  { bits, size }: IntakeCase,
): GameReport {
  const key = `${size} ${bits}`;
  const template = templates.get(key) ?? invented(opened, task, bits);
  templates.set(key, template);
  const { record, samples } = template;
  return {
    record: encodeGameRecord({ ...record, game: task.index, generation: task.generation, seats: task.seats }),
    samples,
    forecasts: new Float32Array(0),
    returns: [...record.returns],
    facts: { ...record.facts },
    plies: record.actions.length,
    startValue: 0,
    evaluations: 0,
  };
}

function invented({ game }: OpenExperiment, { seats }: GameTask, bits: number) {
  const random = Random.named(1, "bench");
  const legal = new Int32Array(game.maxLegal);
  const state = game.initial();
  const actions: number[] = [];
  const decisions: DecidedGame["decisions"][number][] = [];
  const values = seats.map(() => 0);
  while (game.toMove(state) !== OVER) {
    const here = legal.slice(0, game.legal(state, legal));
    const visits = Float64Array.from(here, () => 1 + random.below(2 ** bits));
    const total = visits.reduce((sum, count) => sum + count, 0);
    const policy = visits.map((count) => count / total);
    decisions.push({ ply: actions.length, values, actions: here, visits, policy, learn: true });
    actions.push(here[random.below(here.length)]!);
    game.play(state, actions.at(-1)!);
  }
  const returns = new Float64Array(game.players);
  game.returns(state, returns);
  const record: StoredGame = {
    game: 0,
    generation: 0,
    seats,
    actions: Int32Array.from(actions),
    values: new Float64Array(decisions.length * game.players),
    returns: [...returns],
    facts: game.figures?.facts?.(state) ?? {},
  };
  const samples = encodeGameExamples(game, { actions, decisions }, { resultWeight: 1, quick: "values" });
  return { record, samples };
}

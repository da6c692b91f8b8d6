import type { Evaluator } from "../../../games/evaluation.ts";
import { type Game, OVER } from "../../../games/game.ts";
import { encodeGameRecord } from "../../../formats/game-records.ts";
import { Random } from "../../../random.ts";
import { drive, driveEpisode } from "../../../search/drive.ts";
import { type Episode, episode } from "../../../search/episode.ts";
import { randomMove } from "../../../search/one-ply/random-move.ts";
import { collectionOf } from "../../learning/collection/collection-of.ts";
import { gameOf, type OpenExperiment } from "../../experiment/open-experiment.ts";
import type { GamesOffer } from "../../operator.ts";
import type { GameReport, PlannedGame } from "../../play/game-task.ts";
import { layoutOf } from "../../play/examples/examples.ts";
import { encodeGameExamples } from "../../play/examples/game-examples.ts";
import { noNets } from "../../../search/definition.ts";
import { openSearch } from "../../../search/registry.ts";
import { HeldGames } from "../../learning/replay/held-games.ts";
import { lambdaExamples } from "../../play/examples/lambda-examples.ts";
import { ExampleCodec } from "../../play/examples/position-examples.ts";
import type { GameCollection, OpeningsReady, ReplayReady } from "../../run/items.ts";
import { processorSecondsFrom } from "../../../workers/processor-time.ts";

/** Games whose moves are drawn at random, for measurements before there are others. */
function randomGame(game: Game<unknown>, index: number): Episode<unknown> {
  const random = (purpose: string) => Random.named(0, "cost", index, purpose);
  const search = randomMove.create(game, {}, noNets);
  const seats = Array.from({ length: game.players }, () => ({
    search,
    random: random("moves"),
    evaluator: -1,
  }));
  const played = driveEpisode(episode(game, seats, random("chance"), { keep: { visits: true } }), []);
  // Every legal move has been visited once, for targets of a policy.
  const decisions = played.decisions.map((decision) => ({
    ...decision,
    visits: decision.visits.map(() => 1),
  }));
  return { ...played, decisions };
}

/** The length of random games. */
export interface GameLength {
  /** Mean number of decisions. */
  readonly decisions: number;
  /** Mean number of plies, those of chance included. */
  readonly plies: number;
}

/** Maximum number of random games, and the processor time after which no further one is played. */
const MOST_GAMES = 40;
const PATIENCE_MS = 200;

/** Measures the length of random games; takes less than half a second of processor time. */
export function randomLength(game: Game<unknown>): GameLength {
  const passed = processorSecondsFrom();
  let [games, decisions, plies] = [0, 0, 0];
  while (games === 0 || (games < MOST_GAMES && 1000 * passed() < PATIENCE_MS)) {
    const played = randomGame(game, games++);
    decisions += played.decisions.length;
    plies += played.actions.length;
  }
  return { decisions: decisions / games, plies: plies / games };
}

/** Simulations of the search whose games are as long as those of good players: with 50 in Connect Four they are half as long. */
const SIMULATIONS = 200;
/** Maximum number of these games, and the processor time after which no further decision is made. */
const MOST_PLAYED = 12;
const PLAYED_MS = 700;

/**
 * Measures the mean number of decisions of games between players who look ahead, by a search with playouts: random games of some
 * rules are much shorter, since players overlook what ends them. undefined for games with chance, and if the first game is not over in
 * the time.
 */
export function playedDecisions(game: Game<unknown>): number | undefined {
  if (game.chance !== undefined || game.players < 2) return undefined;
  const search = openSearch("mcts-max-n", game, { simulations: SIMULATIONS });
  const passed = processorSecondsFrom();
  let [games, decisions] = [0, 0];
  for (; games < MOST_PLAYED; games++) {
    const state = game.initial();
    const random = Random.named(0, "cost", games, "played");
    let made = 0;
    for (; game.toMove(state) !== OVER; made++) {
      if (1000 * passed() > PLAYED_MS) return games === 0 ? undefined : decisions / games;
      game.play(state, drive(search.search(state, random, made), noEvaluator).action);
    }
    decisions += made;
  }
  return decisions / games;
}

/** For a search that requests nothing. */
const noEvaluator: Evaluator<unknown> = { evaluate: () => undefined };

/** Number of games in a buffer of random games. */
const HELD = 8;

/** The report of a random game in place of one that a stage plays. */
export function randomReport(
  { game }: OpenExperiment,
  { generation, index, seats }: PlannedGame,
): GameReport {
  const { actions, returns } = randomGame(game, index);
  const figures = { returns, facts: {} };
  return {
    ...figures,
    record: encodeGameRecord({
      ...figures,
      game: index,
      generation,
      seats,
      actions,
      values: new Float64Array(0),
    }),
    samples: new Uint8Array(0),
    plies: actions.length,
    startValue: 0,
    evaluations: 0,
    forecasts: new Float32Array(0),
  };
}

/** A buffer of random games, with examples of the kind that is learned from. */
export function randomReplay(opened: OpenExperiment, { agent, examples }: GamesOffer): ReplayReady {
  const game = gameOf(opened, opened.experiment.agents[agent]!);
  const held = new HeldGames({ capacity: Infinity, games: () => Infinity, memory: Infinity });
  const layout = layoutOf(examples);
  for (let index = 0; index < HELD; index++) {
    const played = randomGame(game, index);
    const samples =
      examples.use === "alphazero"
        ? encodeGameExamples(game, played, examples)
        : new ExampleCodec(game).encodeAll(lambdaExamples(game, played.actions, played.decisions, 0));
    held.add({
      source: agent,
      index,
      generation: 0,
      closes: index === HELD - 1,
      last: false,
      layout,
      samples,
      reread: () => samples,
    });
  }
  return {
    generation: 0,
    last: false,
    rounds: 1,
    layout,
    size: held.size,
    fresh: 0,
    age: 0,
    at: (position) => held.at(position),
    keep: () => undefined,
  };
}

/** Random openings of this length, in place of those that a stage gives. */
export function randomOpenings(game: Game<unknown>, stage: string, plies: number): OpeningsReady {
  const openings = Array.from({ length: HELD }, (_, index) =>
    randomGame(game, index).actions.slice(0, plies),
  );
  return { stage, openings };
}

/** A collection of random games, in place of one that a stage gives. */
export function randomCollection(game: Game<unknown>, stage: string): GameCollection {
  const games = Array.from({ length: HELD }, (_, index) => {
    const moves = randomGame(game, index).actions;
    return { moves, returns: new Float64Array(game.players).fill(NaN), part: 0, group: 0 };
  });
  return collectionOf(stage, game.players, [stage], games);
}

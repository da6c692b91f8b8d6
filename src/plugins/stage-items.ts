import * as Effect from "effect/Effect";
import type { Game } from "../games/game.ts";
import type { StoredGame } from "../formats/game-records.ts";
import {
  collectionParts,
  type GameCollection,
  type Items,
  type PlayedGame,
  type Tensors,
  type WeightsVersion,
} from "../operators/run/items.ts";

/** One ply of a game that is played through. The state is played on in place: copy what is to be kept. */
export interface Ply {
  /** Number of plies before it. */
  readonly number: number;
  /** The seat to move, or CHANCE. */
  readonly toMove: number;
  /** What was played; at a ply of chance its outcome. */
  readonly action: number;
  /** The position before it, as the game keeps it. */
  readonly state: unknown;
}

/** A finished game of a stage that plays. */
export interface FinishedGame {
  /** The stage that played it. */
  readonly source: string;
  /** Its number among the games of this stage, from 0. */
  readonly index: number;
  readonly generation: number;
  /** Whether it is the last game of the run. */
  readonly last: boolean;
  /** Whether nothing learns from it. */
  readonly heldOut: boolean;
  /** The agent of each seat. */
  readonly seats: readonly string[];
  /** What was played, ply by ply, outcomes of chance included. */
  readonly actions: Int32Array;
  /** The return of each seat. */
  readonly returns: readonly number[];
  /** Plays the game through. */
  plies(): Iterable<Ply>;
}

/** One version of a net's weights. It does not change until the next version is asked for. */
export interface LearnedWeights {
  /** The name of the net in the experiment file. */
  readonly net: string;
  /** From 0, for the weights before any learning. */
  readonly version: number;
  /** How much had been learned, in `unit`. */
  readonly learned: number;
  readonly unit: "games" | "steps";
  /** Whether it is the last version of the run. */
  readonly last: boolean;
  /** The arrays of its checkpoint by name; weights begin with `weights/`. */
  tensors(): Promise<Tensors>;
}

/** A recorded game of a file. */
export interface CollectionGame {
  readonly index: number;
  readonly part: (typeof collectionParts)[number];
  /** What games are grouped by in figures; empty if all are of one group. */
  readonly group: string;
  readonly actions: Uint16Array;
  /** The return of each seat; NaN if neither file nor rules give it. */
  readonly returns: Float32Array;
  /** Plays the game through. */
  plies(): Iterable<Ply>;
}

/** What stages of one's own read, by the kind of what the stage before them gives. */
export interface StageItems {
  readonly games: FinishedGame;
  readonly weights: LearnedWeights;
  readonly collection: Iterable<CollectionGame>;
}

/** What a stage of one's own may read. */
export type StageItemKind = keyof StageItems;

/** How a stage of one's own sees items of each kind, and the place of an item in what it reads. */
export const stageItems: {
  readonly [K in StageItemKind]: {
    view(item: Items[K], game: Game<unknown>): StageItems[K];
    place(item: Items[K]): ItemPlace;
  };
} = {
  games: {
    view: finishedGame,
    place: ({ index, closes, last }) => ({
      after: index + 1,
      learned: index + 1,
      unit: "games",
      safe: closes || last,
      whole: true,
    }),
  },
  weights: {
    view: learnedWeights,
    place: ({ version, learned, state, unit }) => ({
      after: version + 1,
      learned,
      unit,
      safe: true,
      whole: state !== "partial",
    }),
  },
  collection: {
    view: (collection, game) => ({ [Symbol.iterator]: () => recordedGames(collection, game) }),
    place: ({ games }) => ({ after: 1, learned: games, unit: "games", safe: true, whole: true }),
  },
};

/** The place of an item in what a stage reads. */
export interface ItemPlace {
  /** The number of items up to this one, the ones of earlier parts of the run included. */
  readonly after: number;
  /** The position of figures that are reported after it. */
  readonly learned: number;
  readonly unit: "games" | "steps";
  /** Whether a run that is resumed can continue behind this item. */
  readonly safe: boolean;
  /** Whether it is not a version of weights that an interruption cut short. */
  readonly whole: boolean;
}

function finishedGame(item: PlayedGame, game: Game<unknown>): FinishedGame {
  let read: StoredGame | undefined;
  const record = () => (read ??= item.record());
  return {
    source: item.source,
    index: item.index,
    generation: item.generation,
    last: item.last,
    heldOut: item.heldOut === true,
    get seats() {
      return record().seats;
    },
    get actions() {
      return record().actions;
    },
    get returns() {
      return record().returns;
    },
    plies: () => playThrough(game, game.initial(), record().actions),
  };
}

function learnedWeights({ net, version, learned, unit, state, snapshot }: WeightsVersion): LearnedWeights {
  return {
    net,
    version,
    learned,
    unit,
    last: state === "final",
    tensors: () => Effect.runPromise(snapshot),
  };
}

function* recordedGames(
  { games, groupOf, groups, moves, offsets, parts, returns, starts }: GameCollection,
  game: Game<unknown>,
): Generator<CollectionGame, undefined, undefined> {
  const { players } = game;
  for (let index = 0; index < games; index++) {
    const actions = moves.subarray(offsets[index], offsets[index + 1]);
    const start = starts.get(index);
    yield {
      index,
      part: collectionParts[parts[index]!]!,
      group: groups[groupOf[index]!] ?? "",
      actions,
      returns: returns.subarray(index * players, (index + 1) * players),
      plies: () => playThrough(game, start === undefined ? game.initial() : positionOf(game, start), actions),
    };
  }
}

function positionOf(game: Game<unknown>, text: string): unknown {
  const reading = game.notation.parsePosition(text);
  if ("error" in reading) throw new Error(`the start of a recorded game: ${reading.error.message}`);
  return reading.state;
}

function* playThrough(
  game: Game<unknown>,
  state: unknown,
  actions: ArrayLike<number>,
): Generator<Ply, undefined, undefined> {
  for (let number = 0; number < actions.length; number++) {
    const action = actions[number]!;
    yield { number, toMove: game.toMove(state), action, state };
    game.play(state, action);
  }
}

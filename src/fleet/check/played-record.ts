import type { StoredGame } from "../../formats/game-records.ts";
import { CHANCE, OVER } from "../../games/game.ts";
import { finalReturns } from "../../games/outcome.ts";
import { stateOfText } from "../../games/position-text.ts";
import type { OpenExperiment } from "../../operators/experiment/open-experiment.ts";
import { startOf } from "../../operators/play/game-table.ts";
import type { GameTask } from "../../operators/play/game-task.ts";
import { playOpening } from "../../operators/play/openings/openings.ts";
import { Random } from "../../random.ts";
import { PacketInvalid } from "../wire/packet.ts";

/** A decision of a player in a record that is played. */
export interface PlayedDecision {
  readonly ply: number;
  readonly seat: number;
  readonly action: number;
  /** By seat: the value that its player found. */
  readonly values: readonly number[];
  /** The state before it; it changes with the next ply. */
  readonly state: unknown;
  /** The legal actions; they change with the next ply. */
  readonly legal: Int32Array;
}

/** Checks the examples of a game while its record is played. Both functions throw PacketInvalid. */
export interface ExamplesCheck {
  /** A player has decided; of the decisions that are learned from. */
  decided(decision: PlayedDecision): void;
  /** The game is over, in this state. */
  ended(state: unknown): void;
}

/** What a record comes to when it is played. */
export interface PlayedRecord {
  /** The last state. */
  readonly state: unknown;
  readonly returns: readonly number[];
  readonly facts: Readonly<Record<string, number>>;
}

/**
 * Plays the record of a game by the rules, from its start on: every move must be legal, every draw of chance and every given
 * move must be the one that the task names, and the record must end when the game ends. Calls `decided` with each decision of
 * a player before it is played. Throws PacketInvalid.
 */
export function playRecord(
  { experiment: { seed }, game }: OpenExperiment,
  task: GameTask,
  record: StoredGame,
  decided: (decision: PlayedDecision) => void,
): PlayedRecord {
  const start = startOf(task);
  const state = start === undefined ? game.initial() : stateOfText(game, start);
  const chance = Random.named(seed, ...(task.chance ?? task.name), "chance");
  const legal = new Int32Array(game.maxLegal);
  const longest = task.plies ?? Infinity;
  let opening = task.opening && playOpening(game, seed, task.opening);
  let given = 0;
  let decisions = 0;
  for (const [ply, action] of record.actions.entries()) {
    const mover = game.toMove(state);
    if (mover === OVER || ply >= longest)
      throw new PacketInvalid(`its record continues after the game is over, at ply ${ply}`);
    if (mover === CHANCE) {
      if (game.chance!.sample(state, chance) !== action)
        throw new PacketInvalid(`its record has another draw of chance than this game, at ply ${ply}`);
    } else {
      const first = opening?.(state, given);
      if (first === undefined) {
        opening = undefined;
        const count = game.legal(state, legal);
        if (!isAmong(action, legal, count))
          throw new PacketInvalid(`its record has a move that is not legal, at ply ${ply}`);
        const values = record.values.subarray(decisions * game.players, ++decisions * game.players);
        decided({ ply, seat: mover, action, values: [...values], state, legal: legal.subarray(0, count) });
      } else {
        given++;
        if (first !== action)
          throw new PacketInvalid(`its record has another opening than this game, at ply ${ply}`);
      }
    }
    game.play(state, action);
  }
  if (record.values.length !== decisions * game.players)
    throw new PacketInvalid("its record has values of more or fewer decisions than it has");
  const mover = game.toMove(state);
  const { resigned } = record;
  const ended = mover === OVER || record.actions.length >= longest;
  if (resigned === undefined ? !ended : ended || resigned !== mover || task.measured !== true)
    throw new PacketInvalid("its record does not end when the game ends");
  const returns = finalReturns(game, state, resigned);
  return { state, returns: [...returns], facts: game.figures?.facts?.(state) ?? {} };
}

/** Whether an action is one of the first `count` legal ones, which are in increasing order. */
function isAmong(action: number, legal: Int32Array, count: number): boolean {
  let [low, high] = [0, count];
  while (low < high) {
    const middle = (low + high) >> 1;
    if (legal[middle]! < action) low = middle + 1;
    else high = middle;
  }
  return low < count && legal[low] === action;
}

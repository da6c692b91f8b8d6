import { expect } from "vitest";
import type { OptionsGo } from "../../../../src/games/go/options.ts";
import { OVER } from "../../../../src/games/game.ts";
import { openGame } from "../../../../src/games/registry.ts";
import { LinearPolicy } from "../../../../src/models/linear/softmax-policy.ts";
import type { GameGo } from "../../../../src/games/go/go.ts";
import type { GoState } from "../../../../src/games/go/state.ts";
import { moveFeatureNumbers } from "../../../../src/games/go/policy/move-feature-numbers.ts";
import { EMPTY, PlainGo, plainRules } from "../reference.ts";
import { Random } from "../../../../src/random.ts";

/** A policy with weights drawn from the normal distribution times `scale`, on a game of Go. */
export function policyOf(options: Partial<OptionsGo>, scale = 1) {
  const game = openGame("go", options);
  const weights = new Float64Array(new SharedArrayBuffer(8 * game.linear!.moveFeatures!.count));
  const draw = (name: string) => {
    const random = Random.named("weights", name);
    for (let i = 0; i < weights.length; i++) weights[i] = scale * random.normal();
  };
  draw("first");
  return { game, draw, policy: new LinearPolicy(game, weights.buffer) };
}

type Opened = ReturnType<typeof policyOf>;

/** A playout that computes the features of all moves anew at every move; at most 3 moves a point. */
export function plainPlayout(opened: Opened, state: unknown, random: Random): number[] {
  const { game } = opened;
  const moves: number[] = [];
  while (game.toMove(state) !== OVER && moves.length < 3 * (game.actions - 1)) {
    moves.push(plainDraw(opened, state as GoState, random));
    game.play(state, moves.at(-1)!);
  }
  return moves;
}

/** The features of ladders by name. */
const LADDERS = {
  "ladder capture": moveFeatureNumbers().ladderCapture,
  "ladder escape": moveFeatureNumbers().ladderEscape,
} as const;

/** A move with its odds; and with the greatest odds that it may have before its ladders are read. */
interface Weighed {
  readonly move: number;
  readonly odds: number;
  most: number;
  /** Whether it may be a ladder that has not been read. */
  open: boolean;
}

/** Draws a move by the most that its odds can be, then reads its ladders. */
function plainDraw({ game, policy }: Opened, state: GoState, random: Random): number {
  const { moveFeatures } = game.linear!;
  const actions = new Int32Array(game.maxLegal);
  const count = moveFeatures!.moves!(state, actions);
  if (count === 1) return actions[0]!;
  const rows = new Int32Array(game.maxLegal * moveFeatures!.perMove);
  moveFeatures!.write(state, actions, count, rows);
  const ladders = openLadders(game as GameGo, state);
  const nothing = policy.weights[0]!;
  const moves: Weighed[] = Array.from({ length: count }, (_, i) => {
    const features = [...rows.subarray(i * moveFeatures!.perMove, (i + 1) * moveFeatures!.perMove)];
    let odds = 1;
    for (const [slot, feature] of features.entries())
      odds *= Math.exp(policy.weights[feature]! - (slot === 0 ? 0 : nothing));
    let most = odds;
    const named = Object.entries(ladders).filter(([, moves]) => moves.includes(actions[i]!));
    for (const [name] of named) {
      const feature = LADDERS[name as keyof typeof LADDERS];
      const ratio = Math.exp(policy.weights[feature]! - nothing);
      most *= Math.max(1, ratio) / (features.includes(feature) ? ratio : 1);
    }
    return { move: actions[i]!, odds, most, open: named.length > 0 };
  });
  for (;;) {
    const drawn = plainDrawByOdds(moves, random);
    if (!drawn.open || random.float() < drawn.odds / drawn.most) return drawn.move;
    drawn.most = drawn.odds;
    drawn.open = false;
  }
}

function plainDrawByOdds(moves: readonly Weighed[], random: Random): Weighed {
  let left = random.float() * moves.reduce((total, { most }) => total + most, 0);
  return moves.find(({ most }) => (left -= most) < 0) ?? moves.at(-1)!;
}

/** The moves that may catch the chain of the last move in a ladder, and those that may rescue a chain beside it from one. */
function openLadders({ rules: { board } }: GameGo, state: GoState): Record<string, number[]> {
  const { size, points, cellOf, pointOf } = board;
  const colours = Array.from({ length: points }, (_, point) => state.colour[cellOf[point]!]!);
  const go = new PlainGo({ ...plainRules, size }, { board: colours, mover: state.toMove });
  const own = state.toMove + 1;
  const cell = state.plies === 0 ? 0 : state.history.moves[state.plies - 1]!;
  const last = cell === 0 ? -1 : pointOf[cell]!;
  if (last < 0) return {};
  const prey = go.beside(last).filter((point) => go.board[point] === own && go.liberties(point).length === 1);
  const rescues = (move: number) => {
    const { board: after } = go.outcome(move, own);
    return prey.some((point) => after[point] === own && go.liberties(point, after).length > 1);
  };
  const captures = go.board[last] === EMPTY ? [] : go.liberties(last);
  return {
    "ladder capture": captures.length === 2 ? captures : [],
    "ladder escape": go.points().filter((point) => go.board[point] === EMPTY && rescues(point)),
  };
}

/** The moves of a fast playout. */
export function playout({ policy }: Opened, state: unknown, random: Random): number[] {
  const moves: number[] = [];
  policy.finish!(state, random, { add: (_, move) => moves.push(move) });
  return moves;
}

/** Compares playouts with plain ones from the same draws, from the start or after some random moves. */
export function compare(opened: Opened, games: number, openings = 0): void {
  const { game } = opened;
  for (let number = 0; number < games; number++) {
    const random = Random.named("policy playouts", number);
    const one = game.initial();
    for (let ply = 0; ply < openings; ply++) game.play(one, game.playouts!.uniform(one, random));
    const other = game.initial();
    game.copy(one, other);
    const draws = Random.resume(random.state());
    expect(playout(opened, one, random)).toEqual(plainPlayout(opened, other, draws));
    expect(random.state()).toEqual(draws.state());
    expect(game.toMove(one)).toBe(OVER);
  }
}

import type { Random } from "../../../../src/random.ts";
import { EMPTY, PlainGo } from "../reference.ts";

/** The place in the list of empty points of the move to play, or -1 for a pass. */
type Rule = (game: PlainGo, random: Random, empty: number[]) => number;

/**
 * Plays a plain game to its end as a uniform playout does, by simple ko and with the same draws; at most `cap` plies.
 * Returns the moves.
 */
export function plainPlayout(game: PlainGo, random: Random, cap: number): number[] {
  return play(game, random, cap, (at, draws, empty) => plainDraw(at, draws, empty, () => false));
}

/** As `plainPlayout`, but with moves that answer the last one. */
export function plainLocalPlayout(game: PlainGo, random: Random, cap: number): number[] {
  return play(game, random, cap, (at, draws, empty) => {
    const sets = [() => urgent(at), () => shaped(at), () => captures(at)];
    for (const set of sets) {
      const points = [...new Set(set())].toSorted((a, b) => a - b);
      if (points.length > 0)
        return empty.indexOf(points[points.length === 1 ? 0 : draws.below(points.length)]!);
    }
    return plainDraw(at, draws, empty, (point) => isSelfAtari(at, point, 1));
  });
}

function play(game: PlainGo, random: Random, cap: number, rule: Rule): number[] {
  const moves: number[] = [];
  const empty = game.points().filter((point) => game.board[point] === EMPTY);
  while (!game.over && moves.length < cap) {
    const at = rule(game, random, empty);
    const before = [...game.board];
    const move = at < 0 ? game.pass : empty[at]!;
    game.play(move);
    moves.push(move);
    if (at >= 0) {
      const last = empty.pop()!;
      if (at < empty.length) empty[at] = last;
    }
    empty.push(...game.points().filter((point) => before[point] !== EMPTY && game.board[point] === EMPTY));
  }
  return moves;
}

/** The place in the list of a move that does, or -1. Points that were drawn and did not do move back. */
function plainDraw(
  game: PlainGo,
  random: Random,
  empty: number[],
  rejects: (point: number) => boolean,
): number {
  for (let left = empty.length; left > 0; left--) {
    const at = random.below(left);
    const point = empty[at]!;
    if (isAllowed(game, point) && !rejects(point)) return at;
    empty[at] = empty[left - 1]!;
    empty[left - 1] = point;
  }
  return -1;
}

/** Whether the mover may play on a point and fills no eye of its own. */
function isAllowed(game: PlainGo, point: number): boolean {
  return game.forbidden(point) === undefined && !game.isEye(point, game.mover);
}

/** Whether a move captures nothing and leaves a chain of more than `most` stones with one liberty. */
function isSelfAtari(game: PlainGo, point: number, most: number): boolean {
  const { board, captured } = game.outcome(point, game.mover + 1);
  return (
    captured.length === 0 &&
    game.chain(point, board).length > most &&
    game.liberties(point, board).length === 1
  );
}

/** The last move, if a stone is there. */
function lastStone(game: PlainGo): number | undefined {
  const last = game.moves.at(-1);
  return last === undefined || last === game.pass || game.board[last] === EMPTY ? undefined : last;
}

function inAtari(game: PlainGo, point: number): boolean {
  return game.board[point] !== EMPTY && game.liberties(point).length === 1;
}

/** Rescues of the chains that the last move put into atari, and the capture of its own chain. */
function urgent(game: PlainGo): number[] {
  const last = lastStone(game);
  if (last === undefined) return [];
  const attacked = game
    .beside(last)
    .filter((point) => game.board[point] === game.mover + 1 && inAtari(game, point));
  const extensions = attacked
    .flatMap((point) => game.liberties(point))
    .filter((point) => isAllowed(game, point) && !isSelfAtari(game, point, 0));
  const beside = attacked.flatMap((point) => game.chain(point)).flatMap((point) => game.beside(point));
  const taken = [last, ...beside].filter(
    (point) => game.board[point] === 2 - game.mover && inAtari(game, point),
  );
  return [
    ...extensions,
    ...taken.flatMap((point) => game.liberties(point)).filter((point) => mayTake(game, point)),
  ];
}

function mayTake(game: PlainGo, point: number): boolean {
  return game.forbidden(point) === undefined;
}

/** Points around the last move with a shape. */
function shaped(game: PlainGo): number[] {
  const last = lastStone(game);
  if (last === undefined) return [];
  return [...game.beside(last), ...game.corners(last)].filter(
    (point) =>
      game.board[point] === EMPTY &&
      isAllowed(game, point) &&
      !isSelfAtari(game, point, 0) &&
      hasShape(game, point),
  );
}

function captures(game: PlainGo): number[] {
  const taken = game.points().filter((point) => game.board[point] === 2 - game.mover && inAtari(game, point));
  return taken.flatMap((point) => game.liberties(point)).filter((point) => mayTake(game, point));
}

/**
 * Shapes around a move `*`: `x` and `o` are stones of the two sides, `m` and `t` of the mover and the other side; `.` is
 * empty, `#` outside. A capital letter is anything but such a stone, `?` anything; outside the board only in pictures with
 * `#`.
 */
const SHAPES = [
  ["xox", ".*.", "???"],
  ["xo.", ".*.", "?.?"],
  ["xo?", "x*.", "O.?"],
  ["mtt", ".*.", "?.?"],
  ["xo?", "o*O", "?O?"],
  ["?x?", "o*o", "OOO"],
  ["x.?", "o*?", "?#?"],
  ["?x?", "O*o", "?#?"],
  ["?mt", "T*T", "?#?"],
  ["?tm", "m*M", "?#?"],
];

/** The eight images of a picture. */
function images(picture: readonly string[]): string[][] {
  const turned = (rows: readonly string[]) =>
    [0, 1, 2].map((column) => [2, 1, 0].map((row) => rows[row]![column]!).join(""));
  const all = [[...picture]];
  for (let i = 0; i < 3; i++) all.push(turned(all[i]!));
  return [...all, ...all.map((rows) => rows.toReversed())];
}

/** The images of all shapes, each once. */
const IMAGES = [...new Set(SHAPES.flatMap(images).map((image) => image.join("/")))].map((image) =>
  image.split("/"),
);

/** Whether a move of the mover on an empty point has a shape. */
export function hasShape(game: PlainGo, point: number): boolean {
  return IMAGES.some((image) => looksLike(game, point, image));
}

function looksLike(game: PlainGo, point: number, picture: readonly string[]): boolean {
  const { size } = game.rules;
  const edge = picture.join("").includes("#");
  const own = game.mover + 1;
  return [own, 3 - own].some((x) =>
    picture.every((row, i) =>
      row.split("").every((sign, j) => {
        const y = Math.floor(point / size) + i - 1;
        const column = (point % size) + j - 1;
        const inside = y >= 0 && y < size && column >= 0 && column < size;
        const there = inside ? game.board[y * size + column]! : -1;
        const stone = { x, o: 3 - x, m: own, t: 3 - own }[sign.toLowerCase()];
        if (sign === "#") return !inside;
        if (!inside) return edge && (sign === "?" || sign < "a");
        if (sign === "*" || sign === "?") return true;
        if (sign === ".") return there === EMPTY;
        return (there === stone) === sign >= "a";
      }),
    ),
  );
}

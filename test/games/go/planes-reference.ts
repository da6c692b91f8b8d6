import { EMPTY, type PlainGo } from "./reference.ts";
import { PlainLadders, plainLadderPlanes } from "./ladder-reference.ts";

/** Planes as a list of channels, each a number for every point. */
export type PlainPlanes = readonly (readonly number[])[];

/** The eight channels of a number that points have, or have not. */
function upToEight(go: PlainGo, numberAt: (point: number) => number | undefined): PlainPlanes {
  const numbers = go.points().map((point) => numberAt(point));
  return Array.from({ length: 8 }, (_, i) =>
    numbers.map((number) => (number !== undefined && (i < 7 ? number === i + 1 : number >= 8) ? 1 : 0)),
  );
}

function channel(go: PlainGo, holds: (point: number) => boolean): number[] {
  return go.points().map((point) => (holds(point) ? 1 : 0));
}

/** AlphaGo's 48 channels, as the table of the paper says them. */
export function plainAlphaGo(go: PlainGo, ladders = new PlainLadders(go.rules.size)): PlainPlanes {
  const own = go.mover + 1;
  const stone = (point: number) => go.board[point] !== EMPTY;
  const legal = new Set(go.legal().filter((move) => move !== go.pass));
  const after = (point: number) => {
    const { board, captured, suicides } = go.outcome(point, own);
    if (suicides.length > 0) return { captured: 0, stones: suicides.length, liberties: 0 };
    return {
      captured: captured.length,
      stones: go.chain(point, board).length,
      liberties: go.liberties(point, board).length,
    };
  };
  const ofMove = (number: (effect: ReturnType<typeof after>) => number | undefined) =>
    upToEight(go, (point) => (legal.has(point) ? number(after(point)) : undefined));
  const { capture, escape } = plainLadderPlanes(go, ladders);
  return [
    channel(go, (point) => go.board[point] === own),
    channel(go, (point) => go.board[point] === 3 - own),
    channel(go, (point) => !stone(point)),
    channel(go, () => true),
    ...upToEight(go, (point) => {
      if (!stone(point)) return undefined;
      const ply = go.moves.lastIndexOf(point);
      return ply < 0 ? 8 : go.moves.length - ply;
    }),
    ...upToEight(go, (point) => (stone(point) ? go.liberties(point).length : undefined)),
    ...ofMove((effect) => effect.captured),
    ...ofMove((effect) => (effect.liberties <= 1 ? effect.stones : undefined)),
    ...ofMove((effect) => effect.liberties),
    channel(go, (point) => capture[point]!),
    channel(go, (point) => escape[point]!),
    channel(go, (point) => legal.has(point) && !go.isEye(point, go.mover)),
    channel(go, () => false),
  ];
}

/** AlphaGo's 48 channels and the colour. */
export function plainAlphaGoValue(go: PlainGo): PlainPlanes {
  return [...plainAlphaGo(go), channel(go, () => go.mover === 0)];
}

/** AlphaGo Zero's 17 channels. */
export function plainAlphaGoZero(go: PlainGo): PlainPlanes {
  const boards = Array.from({ length: 8 }, (_, back) => go.positions.at(-1 - back)?.board);
  return [
    ...boards.flatMap((board) =>
      [go.mover + 1, 2 - go.mover].map((colour) => channel(go, (point) => board?.[point] === String(colour))),
    ),
    channel(go, () => go.mover === 0),
  ];
}

/** The channels of `compact`. */
export function plainCompact(go: PlainGo): PlainPlanes {
  const own = go.mover + 1;
  const legal = new Set(go.legal());
  const received = Math.fround((go.mover === 0 ? -1 : 1) * Math.fround(go.rules.komi / 15));
  const withLiberties = (number: number) =>
    channel(go, (point) => go.board[point] !== EMPTY && go.liberties(point).length === number);
  return [
    channel(go, (point) => go.board[point] === own),
    channel(go, (point) => go.board[point] === 3 - own),
    ...[1, 2, 3].map(withLiberties),
    channel(go, (point) => !go.over && go.board[point] === EMPTY && !legal.has(point)),
    ...[1, 2].map((back) => channel(go, (point) => go.moves.at(-back) === point)),
    channel(go, () => true),
    channel(go, () => go.moves.at(-1) === go.pass),
    go.points().map(() => (go.rules.komi === 0 ? 0 : received)),
  ];
}

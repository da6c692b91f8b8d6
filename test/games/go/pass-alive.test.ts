import { describe, expect, it } from "vitest";
import { BLACK, WHITE } from "../../../src/games/go/board.ts";
import { GameGo } from "../../../src/games/go/go.ts";
import { goRules } from "../../../src/games/go/options.ts";
import { goAreaBounds } from "../../../src/games/go/points.ts";
import { surePoints } from "../../../src/games/go/pass-alive.ts";
import { setUpGo } from "../../../src/games/go/set-up.ts";
import { Random } from "../../../src/random.ts";

const neighbours = (size: number, point: number): number[] => {
  const [row, column] = [Math.floor(point / size), point % size];
  return [
    ...(row > 0 ? [point - size] : []),
    ...(column > 0 ? [point - 1] : []),
    ...(column < size - 1 ? [point + 1] : []),
    ...(row < size - 1 ? [point + size] : []),
  ];
};

/** The chain of a stone, and its liberties. */
function chainAt(board: string, size: number, point: number): { stones: number[]; liberties: Set<number> } {
  const stones = [point];
  const liberties = new Set<number>();
  for (const stone of stones)
    for (const beside of neighbours(size, stone)) {
      if (board[beside] === ".") liberties.add(beside);
      else if (board[beside] === board[point] && !stones.includes(beside)) stones.push(beside);
    }
  return { stones, liberties };
}

/** The board after a stone of the attacker, or undefined if it would have no liberty. */
function attacked(board: string, size: number, point: number, attacker: string): string | undefined {
  const cells = board.split("");
  cells[point] = attacker;
  for (const beside of neighbours(size, point)) {
    if (cells[beside] === "." || cells[beside] === attacker) continue;
    const { stones, liberties } = chainAt(cells.join(""), size, beside);
    if (liberties.size === 0) for (const stone of stones) cells[stone] = ".";
  }
  const next = cells.join("");
  return chainAt(next, size, point).liberties.size === 0 ? undefined : next;
}

/** The points that the attacker can never take, playing alone: all its sequences of moves are tried. */
function keptPoints(board: string, size: number, attacker: string): number {
  const own = attacker === "X" ? "O" : "X";
  const kept = new Set(board.split("").flatMap((stone, point) => (stone === own ? [point] : [])));
  const seen = new Set([board]);
  for (const each of seen) {
    for (const point of kept) if (each[point] !== own) kept.delete(point);
    for (let point = 0; point < each.length; point++) {
      const next = each[point] === "." ? attacked(each, size, point, attacker) : undefined;
      if (next !== undefined) seen.add(next);
    }
  }
  const eyes = board
    .split("")
    .filter((stone, point) => stone === "." && neighbours(size, point).every((beside) => kept.has(beside)));
  return kept.size + eyes.length;
}

describe("points that a colour keeps by passing", () => {
  it("are those that no sequence of the opponent's moves takes", () => {
    let alive = 0;
    for (const [size, games] of [
      [2, 2],
      [3, 14],
      [4, 2],
    ] as const) {
      const game = new GameGo({
        size,
        komi: 0.5,
        superko: "positional",
        suicide: false,
        handicap: 0,
        moveLimit: 0,
      });
      const legal = new Int32Array(game.maxLegal);
      const { board } = game.rules;
      const bounds = goAreaBounds(game.rules);
      for (let seed = 0; seed < games; seed++) {
        const random = Random.named("alive", size, seed);
        const state = game.initial();
        // A side that fills less often leaves the other eyes.
        for (let ply = 0; ply < 4 * size * size && game.toMove(state) >= 0; ply++) {
          const count = game.legal(state, legal);
          const passes = count === 1 || random.below(state.toMove === seed % 2 ? 5 : 2) === 0;
          game.play(state, passes && state.passes === 0 ? board.pass : legal[random.below(count)]!);
          if (ply < 2 * size || ply % (2 * size) > 0) continue;
          const text = Array.from(
            { length: board.points },
            (_, point) => ".XO"[state.colour[board.cellOf[point]!]!],
          ).join("");
          const sure = [BLACK, WHITE].map((colour) => surePoints(state, board, colour));
          expect(sure, text).toEqual([keptPoints(text, size, "O"), keptPoints(text, size, "X")]);
          alive += sure[0]! + sure[1]!;
          const [least, most] = [new Float64Array(2), new Float64Array(2)];
          bounds(state, least, most);
          expect([...least, ...most]).toEqual([
            sure[0],
            sure[1]! + 0.5,
            board.points - sure[1]!,
            board.points - sure[0]! + 0.5,
          ]);
        }
      }
    }
    expect(alive).toBeGreaterThan(20);
  });

  it("count a region where a stone of the opponent touches no liberty of the chain", () => {
    // Every empty point around White's stone is a liberty of Black's chain; the stone itself touches none.
    const rows = ".XXXX.. XX.XX.. X.O.X.. XX.XX.. XXXXX.. ....... .......".replaceAll(" ", "");
    const rules = goRules({
      size: 7,
      komi: 0,
      superko: "positional",
      suicide: false,
      handicap: 0,
      moveLimit: 0,
    });
    const state = setUpGo(
      rules,
      Array.from(rows, (stone) => ".XO".indexOf(stone)),
      BLACK - 1,
    )!;
    expect(surePoints(state, rules.board, BLACK)).toBe(19 + 1);
    expect(surePoints(state, rules.board, WHITE)).toBe(0);
  });
});

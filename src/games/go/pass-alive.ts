import { EDGE, EMPTY, type GoBoard, MOST_CELLS, neighbour } from "./board.ts";
import type { GoState } from "./state.ts";

/** A connected set of points without stones of a colour. */
interface Region {
  readonly cells: readonly number[];
  /** The heads of the chains of the colour beside it. */
  readonly chains: ReadonlySet<number>;
}

const visited = new Uint8Array(MOST_CELLS);

/**
 * The number of points that a colour keeps to the end of the game if it only passes, whatever the opponent plays: the
 * stones of its unconditionally alive chains (D. B. Benson, *Life in the game of Go*, 1976), and single empty points
 * between such chains.
 *
 * A chain is alive if it has two vital regions, all empty points of which are its liberties, and if every chain beside
 * these regions is alive too. Larger regions are not counted, because stones of the opponent may be left there.
 */
export function surePoints(state: GoState, board: GoBoard, colour: number): number {
  const alive = chainsOf(state, board, colour);
  // Two vital regions are two liberties at least.
  for (const chain of alive) if (state.liberties[chain]! < 2) alive.delete(chain);
  if (alive.size === 0) return 0;
  const regions = regionsWithout(state, board, colour);
  const vital = new Set(regions);
  for (let before = -1; before !== alive.size + vital.size;) {
    before = alive.size + vital.size;
    for (const region of vital)
      for (const chain of region.chains) if (!alive.has(chain)) vital.delete(region);
    for (const chain of alive) {
      let count = 0;
      for (const region of vital)
        if (region.chains.has(chain) && isVital(state, board, region, chain)) count++;
      if (count < 2) alive.delete(chain);
    }
  }
  let points = 0;
  for (const chain of alive) points += state.stones[chain]!;
  for (const { cells, chains } of vital)
    if (cells.length === 1 && state.colour[cells[0]!] === EMPTY && chains.size > 0) points++;
  return points;
}

function chainsOf(
  { colour: colours, head }: GoState,
  { points, cellOf }: GoBoard,
  colour: number,
): Set<number> {
  const chains = new Set<number>();
  for (let point = 0; point < points; point++) {
    const cell = cellOf[point]!;
    if (colours[cell] === colour) chains.add(head[cell]!);
  }
  return chains;
}

function regionsWithout({ colour: colours, head }: GoState, board: GoBoard, colour: number): Region[] {
  const { points, cellOf } = board;
  const regions: Region[] = [];
  visited.fill(0);
  for (let point = 0; point < points; point++) {
    const start = cellOf[point]!;
    if (colours[start] === colour || visited[start] === 1) continue;
    visited[start] = 1;
    const cells = [start];
    const chains = new Set<number>();
    for (let i = 0; i < cells.length; i++)
      for (let side = 0; side < 4; side++) {
        const beside = neighbour(cells[i]!, side, board.stride);
        if (colours[beside] === colour) chains.add(head[beside]!);
        else if (colours[beside] !== EDGE && visited[beside] === 0) {
          visited[beside] = 1;
          cells.push(beside);
        }
      }
    regions.push({ cells, chains });
  }
  return regions;
}

/** Whether every empty point of a region is a liberty of a chain. */
function isVital({ colour, head }: GoState, board: GoBoard, { cells }: Region, chain: number): boolean {
  for (const cell of cells) {
    if (colour[cell] !== EMPTY) continue;
    let beside = false;
    for (let side = 0; side < 4; side++)
      if (head[neighbour(cell, side, board.stride)] === chain) beside = true;
    if (!beside) return false;
  }
  return true;
}

import { median } from "./report.ts";

/** How long each player plays in one round, and the number of rounds. */
export interface Turns {
  readonly rounds: number;
  /** Rounds of warming up, before the measured ones. */
  readonly warmUps: number;
  readonly sliceMs: number;
}

/** The milliseconds of processor time that this process has used, all its threads together. */
export function processorMs(): number {
  const { user, system } = process.cpuUsage();
  return (user + system) / 1000;
}

/**
 * The median rate of each player in moves per second. The players take turns, so that other work of the machine slows
 * all of them. A player plays a little and returns its number of moves. Time is wall time, or that of `clock`, which
 * returns milliseconds.
 */
export function ratesInTurn(
  players: readonly (() => number)[],
  { rounds, warmUps, sliceMs }: Turns,
  clock: () => number = () => performance.now(),
): number[] {
  const rates = players.map((): number[] => []);
  for (let round = -warmUps; round < rounds; round++)
    for (const [i, play] of players.entries()) {
      let moves = 0;
      const start = clock();
      let elapsed = 0;
      do {
        moves += play();
        elapsed = clock() - start;
      } while (elapsed < sliceMs);
      if (round >= 0) rates[i]!.push((1000 * moves) / elapsed);
    }
  return rates.map(median);
}

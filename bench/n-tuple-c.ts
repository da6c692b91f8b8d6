import { CProgram, ratesBesideC } from "./c-program.ts";
import type { Turns } from "./in-turn.ts";

/**
 * The rates of a learner and of the same learner in C (`n_tuple_peer.c`), in moves per second of processor time; see
 * `ratesBesideC`. Undefined if no compiler is installed.
 */
export async function besideC(
  learn: () => number,
  clock: () => number,
  turns: Turns,
): Promise<{ readonly own: number; readonly peer: number } | undefined> {
  const program = CProgram.start("n_tuple_peer.c");
  if (program === undefined) return undefined;
  try {
    return await ratesBesideC(program, String, learn, clock, turns);
  } finally {
    program.close();
  }
}

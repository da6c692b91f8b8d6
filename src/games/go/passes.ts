import type { Passes } from "../game.ts";
import type { GoBoard } from "./board.ts";
import { isEye } from "./eyes.ts";
import type { GoState } from "./state.ts";

/** The pass of Go, and the moves that may still settle something: all that fill no own eye. */
export function goPasses({ cellOf, pass, stride }: GoBoard): Passes<GoState> {
  return {
    pass,
    settles: (state, action) => !isEye(state.colour, stride, cellOf[action]!, state.toMove + 1),
  };
}

import type { NetAbilities, Score } from "../game.ts";
import type { GoRules } from "./options.ts";
import { goPacking } from "./packing.ts";
import { type GoPlanes, goPlanes } from "./planes/planes.ts";
import { goAreaDifference, goAreas } from "./score.ts";
import type { GoState } from "./state.ts";

/** What nets need to know of Go: its planes, a logit for each point and one for the pass, area, score, states in few bytes. */
export function goNets(rules: GoRules): Required<
  Pick<NetAbilities<GoState>, "actionPlanes" | "ownership" | "score" | "packing">
> & {
  readonly planes: GoPlanes;
} {
  const { board } = rules;
  return {
    planes: goPlanes(rules),
    // The pass, which lies on no point, is the action after the last point.
    actionPlanes: { planes: 1, offBoard: 1, index: (action) => action },
    ownership: (state, out) => goAreas(state, board, out),
    score: goScore(rules),
    packing: goPacking(rules),
  };
}

/** By how many points each seat is ahead in the present position, komi counted. */
function goScore({ board, komi }: GoRules): Score<GoState> {
  const most = board.points + Math.abs(komi);
  return {
    bounds: [-most, most],
    write: (state, out) => {
      const margin = goAreaDifference(state, board) - komi;
      out[0] = margin;
      out[1] = -margin;
    },
  };
}

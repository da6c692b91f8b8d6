import { sgfMainLine } from "../../../formats/sgf/sgf.ts";
import { SgfInvalid } from "../../../formats/sgf/faults.ts";
import { readSgfCollection } from "../../../formats/sgf/collection.ts";
import { goRules, type OptionsGo } from "../../../games/go/options.ts";
import { setUpGo, stonesOf } from "../../../games/go/set-up.ts";
import { GoSgfInvalid, readGoSgf } from "../../../games/go/sgf/read-game.ts";
import { writeGoSgf } from "../../../games/go/sgf/write-game.ts";
import type { GoState } from "../../../games/go/state.ts";
import type { GtpFiles, GtpRecord } from "../dialect.ts";
import { GtpError } from "../error.ts";

/** Go games as SGF: the main line of the first game of a file. */
export const goFiles: GtpFiles = { rules: ["go"], read, write };

/**
 * Stones that are set up in the middle, moves out of turn and moves after the end begin a new game from the position
 * there. A line that is cut at an illegal move is refused, unless the cut comes after the wanted moves.
 */
function read(content: Uint8Array | string, most: number): GtpRecord {
  try {
    const { games, warnings: faults } = readSgfCollection(content);
    const { broken, options, sections, warnings: doubts } = readGoSgf(sgfMainLine(games[0]!));
    const warnings = [...faults.map(({ message }) => message), ...doubts];
    const config = { rules: "go", ...options };
    let left = most;
    for (const [index, { actions, first, stones }] of sections.entries()) {
      const last = index === sections.length - 1;
      if (last && left > actions.length && broken !== undefined) throw new GtpError(broken);
      if (left <= actions.length || last) {
        const start = setUpGo(goRules(options), stones, first);
        if (start === undefined) throw new GtpError("stones that are set up have no liberty");
        return { config, actions: actions.slice(0, left), start, warnings };
      }
      left -= actions.length;
    }
    throw new GtpError("the file has no game");
  } catch (error) {
    if (error instanceof GoSgfInvalid || error instanceof SgfInvalid) throw new GtpError(error.message);
    throw error;
  }
}

function write({ actions, config, start }: GtpRecord, players: readonly string[] = []): string {
  const { rules: _, ...options } = config;
  return writeGoSgf({
    options: options as OptionsGo,
    actions,
    players,
    ...(start === undefined ? {} : { start: startOf(options as OptionsGo, start as GoState) }),
  });
}

/** A position as the start of a game in a file. */
function startOf(options: OptionsGo, state: GoState): { stones: Uint8Array; first: number } {
  return { stones: stonesOf(state, goRules(options).board), first: Math.max(0, state.toMove) };
}

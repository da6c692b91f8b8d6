import { Command } from "commander";
import { loadPermittedPluginsOfRun } from "../../graph/code/run-code.ts";
import { demandKnown } from "../../graph/known-part.ts";
import { replayGame } from "../../graph/replay-game.ts";
import { type Difference, VALUE_TOLERANCE } from "../../search/expected-game.ts";
import { type AllowCodeFlag, allowCodeOption, permitByUser, warnNotLoaded } from "../permit-code.ts";
import { wholeNumber } from "../whole-number.ts";
import { playersOf, positionAfter, sgfExport } from "../stored-game.ts";

interface ReplayOptions extends AllowCodeFlag {
  readonly game: number;
  readonly stage?: string;
  readonly sgf?: string;
  readonly position?: number;
}

/** `ludoflow replay RUN --game N`: plays a stored game again and compares. */
export function replayCommand(): Command {
  return allowCodeOption(new Command("replay").argument("<run>", "the folder of a run"))
    .description(
      "Play a stored game again from its seed and say whether every move, value and draw is the same. If differences are allowed, follow the recorded moves and list where the players would have departed from them.",
    )
    .requiredOption("--game <n>", "the game's number in its stage, from 0", wholeNumber)
    .option("--stage <name>", "the stage that played it (default: the first with recorded games)")
    .option("--sgf <file>", "also write the stored game into this file, as SGF")
    .option(
      "--position <plies>",
      "also print the position after this number of plies, chance included; 0: the start",
      wholeNumber,
    )
    .addHelpText(
      "after",
      `
Examples:
  $ ludoflow replay runs/quickstart/20260101-120000-seed2048 --game 3 --stage curve
  $ ludoflow replay runs/quickstart/20260101-120000-seed2048 --game 3 --position 10`,
    )
    .action(async (folder: string, { game, position, sgf, stage, ...flags }: ReplayOptions) => {
      const notLoaded = await loadPermittedPluginsOfRun(folder, permitByUser(flags));
      warnNotLoaded(folder, { notLoaded });
      demandKnown(folder, stage, game);
      const exportGame = sgf === undefined ? undefined : sgfExport(folder);
      const {
        record,
        difference,
        departures,
        excuses,
        notStarted,
        stage: chosen,
      } = await replayGame(folder, stage, game);
      if (sgf !== undefined) exportGame?.(record, sgf);
      const seats = playersOf(folder, record).join(", ");
      const text = position === undefined ? "" : `${positionAfter(folder, record, position)}\n`;
      const what = `${chosen} game ${game} (${seats}; ${record.actions.length} plies, returns ${record.returns.join(", ")})`;
      if (notStarted.length > 0)
        process.stderr.write(
          `not started here, these agents are other programs: ${notStarted.join(", ")}. Their moves are those of the record\n`,
        );
      const since = excuses.join(", and ");
      const following = departures === undefined ? "" : `follows the record, since ${since}. `;
      if (difference === undefined) {
        const found =
          departures === undefined ? "every move, value and draw is the same" : departuresText(departures);
        process.stdout.write(`${what}: ${following}${found}\n${text}`);
        return;
      }
      // Draws and lengths have no excuse: a replay that follows the record ends there.
      const excused = departures === undefined && excuses.length > 0;
      process.stdout.write(
        `${what}: ${following}${following === "" ? "differs" : "It ends because a draw or the length differs,"} at ${placeOf(difference)}${excused ? `. It may, since ${since}` : ""}\n${text}`,
      );
      process.exitCode = excused ? 0 : 1;
    });
}

/** Most departures of a kind that are named. */
const MOST_NAMED = 5;

/** What a replay found that followed a record to its end. */
function departuresText(departures: readonly Difference[]): string {
  const near = VALUE_TOLERANCE.toExponential();
  if (departures.length === 0) return `Every move and draw is the same, and every value to within ${near}`;
  const choices = departures.filter(({ kind }) => kind === "decision");
  const values = departures.filter(({ kind }) => kind === "value");
  return [
    ...(choices.length === 0 ? [] : [`Its own choice differs at ${counted(choices)}`]),
    ...(values.length === 0 ? [] : [`A value differs by more than ${near} at ${counted(values)}`]),
    "Every draw is the same",
  ].join(". ");
}

function counted(differences: readonly Difference[]): string {
  const named = differences.slice(0, MOST_NAMED).map(placeOf);
  const more = differences.length - named.length;
  const plies = `${differences.length} ${differences.length === 1 ? "ply" : "plies"}`;
  return `${plies} (${named.join("; ")}${more > 0 ? `; and ${more} more` : ""})`;
}

function placeOf({ ply, kind, expected, actual }: Difference): string {
  return `ply ${ply}: ${kind} ${expected} in the record, ${actual} now`;
}

import { Command } from "commander";
import { replayGame } from "../../graph/replay-game.ts";
import { wholeNumber } from "../whole-number.ts";
import { positionAfter, sgfExport } from "../stored-game.ts";

interface ReplayOptions {
  readonly game: number;
  readonly stage?: string;
  readonly sgf?: string;
  readonly position?: number;
}

/** `ludoflow replay RUN --game N`: plays a stored game again and compares. */
export function replayCommand(): Command {
  return new Command("replay")
    .argument("<run>", "the folder of a run")
    .description(
      "Play a stored game again from its seed and tell whether every move, value and draw is the same.",
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
    .action(async (folder: string, { game, position, sgf, stage }: ReplayOptions) => {
      const exportGame = sgf === undefined ? undefined : sgfExport(folder);
      const { record, difference, excuses, stage: chosen } = await replayGame(folder, stage, game);
      if (sgf !== undefined) exportGame?.(record, sgf);
      const text = position === undefined ? "" : `${positionAfter(folder, record, position)}\n`;
      const what = `${chosen} game ${game} (${record.seats.join(", ")}; ${record.actions.length} plies, returns ${record.returns.join(", ")})`;
      if (difference === undefined) {
        process.stdout.write(`${what}: every move, value and draw is the same\n${text}`);
        return;
      }
      const { ply, kind, expected, actual } = difference;
      const why =
        excuses.length === 0
          ? ""
          : `. It may: this run is no function of its file and seed, since ${excuses.join(", and ")}`;
      process.stdout.write(
        `${what}: differs at ply ${ply}: ${kind} ${expected} in the record, ${actual} now${why}\n${text}`,
      );
      process.exitCode = 1;
    });
}

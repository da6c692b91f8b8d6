import { canadianTime } from "../clock.ts";
import type { GtpHandler, GtpTable } from "../dialect.ts";
import { GtpError } from "../error.ts";
import { fileArgument } from "../file-argument.ts";
import { allLegal, numberOf, withArguments } from "../handler.ts";
import { goAnalysisCommands } from "./analysis-commands.ts";
import { goBoardCommands } from "./board-commands.ts";
import { goSetUpCommands } from "./set-up-commands.ts";
import { goStatusCommands } from "./status-commands.ts";

/** Analyses for GoGui: kind of display, label and command. Source: "GoGui", chapter 8, "Analyze commands". */
const guiCommands = [
  "string/Final Score/final_score",
  "plist/Dead Stones/final_status_list dead",
  "plist/Legal Moves/all_legal %c",
  "dboard/Ownership/ludoflow-ownership",
];

/** The commands of the dialect `go` beyond those of every session. */
export function goCommands(table: GtpTable): Readonly<Record<string, GtpHandler>> {
  return {
    ...goSetUpCommands(table),
    ...goStatusCommands(table),
    ...goBoardCommands(table),
    ...goAnalysisCommands(table),
    all_legal: allLegal(table),
    "gogui-analyze_commands": withArguments([], () => guiCommands.join("\n")),
    "kgs-time_settings": (args) => {
      const [kind, ...numbers] = args;
      const wanted = { none: 0, absolute: 1, byoyomi: 3, canadian: 3 }[kind ?? ""];
      if (wanted === undefined || numbers.length !== wanted)
        throw new GtpError(
          "syntax error: expected none, absolute S, byoyomi S S PERIODS or canadian S S MOVES",
        );
      const [main = 0, seconds = 0, moves = 0] = numbers.map(numberOf);
      if (kind === "byoyomi" && seconds > 0 && moves > 0)
        table.clock.set({ main, overtime: { seconds, moves: 1, japanese: true } });
      else
        table.clock.set(kind === "byoyomi" ? canadianTime(main, 0, 0) : canadianTime(main, seconds, moves));
      return "";
    },
    printsgf: ([first], text) => {
      if (first === undefined) return table.printed();
      table.save(fileArgument(text, "at most a file").path);
      return "";
    },
  };
}

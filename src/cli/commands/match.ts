import { createGame } from "../../games/registry.ts";
import { seatName } from "../../games/seat-name.ts";
import { Command } from "commander";
import { factsOf } from "../../events/run-state.ts";
import type { CheckedGraph } from "../../graph/check-graph.ts";
import { UsageError } from "../../messages/usage-error.ts";
import { experimentOptions } from "../flags/experiment-flags.ts";
import { allowCodeOption } from "../permit-code.ts";
import { matchText } from "../match-text.ts";
import { type RunFlags, startedBy } from "./run.ts";

/** The event with the result of a match. */
const MATCH = "match";

/** `ludoflow match FILE`: runs an experiment whose stages are all arenas, and prints their tables. */
export function matchCommand(): Command {
  const command = new Command("match").argument(
    "<file>",
    "an experiment file of arenas, or the name of one that comes with ludoflow",
  );
  return allowCodeOption(experimentOptions(command))
    .description(
      "Play the matches of an experiment file whose stages are all arenas, and print their tables.",
    )
    .option("--out <folder>", "the run's folder, new or empty (default: runs/<name>/<time>-seed<seed>)")
    .option("--json", "one JSON line per event on standard output; messages for people on standard error")
    .addHelpText(
      "after",
      `
The run is an ordinary one: its folder has games and a report, and ludoflow resume continues it.

Examples:
  $ ludoflow match blokus-searches-laptop
  $ ludoflow match blokus-searches-laptop --set graph.searches.games=30 --workers 2`,
    )
    .action(async (file: string, options: RunFlags) => {
      const json = options.json === true;
      const run = await startedBy(file, options, { accept: (graph) => assertMatches(file, graph) });
      const { follow } = await import("../follow.ts");
      process.exitCode = await follow(run, { json });
      const { ended, facts } = run.state;
      if (ended?.outcome !== "finished") return;
      const out = json ? process.stderr : process.stdout;
      const events = factsOf({ facts });
      const { rules, ...settings } = run.experiment.game;
      const game = createGame(rules, settings);
      const seats = Array.from({ length: game.players }, (_, seat) => seatName(game, seat));
      for (const event of events)
        if (event.type === MATCH) out.write(`\n${matchText(event, seats, { events })}`);
    });
}

function assertMatches(file: string, { stages }: CheckedGraph): void {
  const other = stages.find(({ operator }) => operator.resultEvent !== MATCH);
  if (other !== undefined)
    throw new UsageError(
      `${file}: graph.${other.name}: ${other.operator.use} is not an arena; match plays only files whose stages are all arenas. Start this file by ludoflow run`,
    );
}

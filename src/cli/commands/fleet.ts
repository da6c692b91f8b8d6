import { Command } from "commander";
import { column, tabulated } from "../../formats/table.ts";
import { rateText } from "../progress/stage-line.ts";
import { textTable } from "../text-table.ts";

/** `ludoflow fleet URL`: lists the runs and the joiners of a fleet. */
export function fleetCommand(): Command {
  return new Command("fleet")
    .argument("<url>", "nats://HOST:PORT or tls://HOST:PORT")
    .description("List the runs of a fleet and the machines that play for them.")
    .option("--json", "one JSON line for each run")
    .addHelpText(
      "after",
      `
Examples:
  $ ludoflow fleet nats://localhost:4222
  $ ludoflow fleet tls://broker.example.org --json`,
    )
    .action(async (url: string, { json }: { readonly json?: boolean }) => {
      const [{ connectFleet, fleetAddress }, { fleetState }] = await Promise.all([
        import("../../fleet/connect.ts"),
        import("../../fleet/fleet-state.ts"),
      ]);
      const connection = await connectFleet(fleetAddress(url), "joiner");
      const { idle, runs } = await fleetState(connection);
      await connection.close();
      if (json === true) {
        for (const run of runs) process.stdout.write(`${JSON.stringify(run)}\n`);
        return;
      }
      for (const { joiners, name } of runs) {
        process.stdout.write(`${name}\n`);
        const cells = tabulated(joiners, [
          column.text("joiner", (each) => each.name),
          column.integer("places", ({ places }) => places),
          column.integer("games", ({ games }) => games),
          column.text("games/s", ({ rate }) => rateText(rate), { align: "right" }),
        ]);
        process.stdout.write(
          joiners.length === 0
            ? "  nobody has joined\n"
            : textTable(cells)
                .map((line) => `  ${line}\n`)
                .join(""),
        );
      }
      if (runs.length === 0) process.stdout.write("no run uses this fleet now\n");
      if (idle.length > 0) process.stdout.write(`joined, and without a run: ${idle.join(", ")}\n`);
    });
}

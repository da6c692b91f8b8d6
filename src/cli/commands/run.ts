import { Command } from "commander";
import { readPermitted } from "../../graph/read-permitted.ts";
import type { CheckedGraph } from "../../graph/check-graph.ts";
import { newRun, type Run } from "../../graph/start-run.ts";
import { sayScale } from "../progress/scale.ts";
import { experimentPath } from "../../graph/shipped-experiments.ts";
import { type Allotted, durationOption } from "../flags/duration-flag.ts";
import { type FleetFlags, fleetOptions, openFleet } from "../flags/fleet-flag.ts";
import type { HostOfRun } from "../../graph/run-experiment.ts";
import { changes, type ExperimentFlags, experimentOptions } from "../flags/experiment-flags.ts";
import { assertPageBuilt, type PageFlag, pageOption, withPage } from "../page-beside.ts";
import { type AllowCodeFlag, allowCodeOption, permitByUser } from "../permit-code.ts";

/** `ludoflow run FILE`: runs an experiment from the start. */
export function runCommand(): Command {
  const command = new Command("run").argument(
    "<file>",
    "an experiment file, or the name of one that comes with ludoflow",
  );
  return pageOption(fleetOptions(durationOption(allowCodeOption(experimentOptions(command)))))
    .description("Run an experiment from the start and write its report.")
    .option("--out <folder>", "the run's folder, new or empty (default: runs/<name>/<time>-seed<seed>)")
    .option("--json", "one JSON line per event on standard output; messages for people on standard error")
    .addHelpText(
      "after",
      `
Examples:
  $ ludoflow run quickstart
  $ ludoflow run quickstart --page
  $ ludoflow run 2048-ntuple --workers 1 --out /tmp/ntuple
  $ ludoflow run blokuszero --for 2h
  $ ludoflow run my-experiment.yaml --fleet nats://localhost:4222
  $ ludoflow run my-experiment.yaml --set graph.learn.games=500 --set seed=7 --json`,
    )
    .action(async (file: string, options: RunFlags) => {
      // Before anything is written.
      if (options.page === true) assertPageBuilt();
      const fleet = await openFleet(options);
      let closed = false;
      const closeFleet = async () => {
        if (!closed) await fleet?.close();
        closed = true;
      };
      try {
        const run = await startedBy(file, options, { hostOf: fleet?.hostOf });
        const { follow } = await import("../follow.ts");
        process.exitCode = await withPage(run.folder, options, async () => {
          const code = await follow(run, { json: options.json === true, allotted: options.for });
          // The page may stay for long; other machines are free at once.
          await closeFleet();
          return code;
        });
      } finally {
        await closeFleet();
      }
    });
}

/**
 * The new run of an experiment and flags. The scale of the run is printed before. `accept` may
 * refuse the run before anything is written, by throwing UsageError; `hostOf` chooses its play host.
 */
export async function startedBy(
  given: string,
  options: RunFlags,
  {
    accept = () => undefined,
    hostOf,
  }: {
    readonly accept?: (graph: CheckedGraph) => void;
    readonly hostOf?: HostOfRun | undefined;
  } = {},
): Promise<Run> {
  const file = experimentPath(given);
  const set = changes(options);
  const permit = permitByUser(options);
  const read = await readPermitted(file, set, permit);
  // An experiment that is changed here has another scale.
  const { smaller: _smaller, ...changed } = read;
  return await newRun(
    read,
    { file, set },
    {
      out: options.out,
      accept,
      hostOf,
      permit,
      announce: (graph) =>
        sayScale(
          options.set.length === 0 ? read : changed,
          graph,
          (text) => void process.stderr.write(`${text}\n`),
        ),
    },
  );
}

/** The flags of commands that start a run. */
export interface RunFlags extends ExperimentFlags, AllowCodeFlag, PageFlag, FleetFlags {
  readonly out?: string;
  readonly for?: Allotted;
  readonly json?: boolean;
}

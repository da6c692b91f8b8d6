import { Command } from "commander";
import type { CheckedGraph } from "../../graph/check-graph.ts";
import { checkKnownParts } from "../../graph/check-graph.ts";
import type { ExperimentFile } from "../../graph/experiment-file.ts";
import { checkKnown, checkPermitted } from "../../graph/read-permitted.ts";
import { graphWarnings } from "../../graph/graph-warnings.ts";
import { openGame } from "../../games/registry.ts";
import { outsidePlace, placedMessage } from "../../messages/outside-place.ts";
import { loadNamedPlugin } from "../../graph/code/named-plugins.ts";
import { outsideCodeOf } from "../../graph/code/outside-code.ts";
import { ExperimentInvalid, formatProblem } from "../../graph/problem.ts";
import { loadedPlugins, PluginInvalid } from "../../plugins/load-plugins.ts";
import { assertPrograms } from "../../operators/experiment/named-program.ts";
import { ProgramMissing } from "../../protocols/gtp/program.ts";
import { UsageError } from "../../messages/usage-error.ts";
import { experimentPath } from "../../graph/shipped-experiments.ts";
import { changes, type ExperimentFlags, experimentOptions } from "../flags/experiment-flags.ts";
import {
  type AllowCodeFlag,
  allowCodeOption,
  permitByUser,
  warnNotLoaded,
  warnNotStarted,
} from "../permit-code.ts";
import type { Permit } from "../../graph/code/permission.ts";
import { worksOf } from "../../graph/cost/cost.ts";
import { checkWhole } from "../../graph/check-whole.ts";
import { checkSweep } from "../../graph/sweep/check-sweep.ts";
import { sweepOf, type SweepPlan, sweepText } from "../../graph/sweep/sweep-plan.ts";
import { readSource } from "../../graph/yaml-source.ts";
import { type Allotted, parseDuration } from "../flags/duration-flag.ts";
import { amountText, durationText } from "../progress/cost-text.ts";
import { curveText } from "../progress/curve-text.ts";
import { expectedCurve } from "../../diagnosis/expected-curve.ts";
import { counted } from "../../messages/counted.ts";

/** Seconds for which `--cost` measures by default. */
const MEASURE_SECONDS = 10;

/** The exit code with `--strict` if a part of a file could not be checked, and nothing is wrong in the others. */
const UNCHECKED = 3;

interface CheckFlags extends ExperimentFlags, AllowCodeFlag {
  readonly cost?: boolean;
  readonly for?: Allotted;
  readonly laws?: boolean;
  readonly strict?: boolean;
  readonly json?: boolean;
}

/** `ludoflow check FILES`: checks experiment files without running them; with `--cost`, measures what they would cost. */
export function checkCommand(): Command {
  const command = new Command("check").argument(
    "<files...>",
    "experiment files, or names of those that come with ludoflow; or plug-ins (.ts, .js), which are loaded",
  );
  return allowCodeOption(experimentOptions(command))
    .description(
      "Check experiment files and list the mistakes in them with their places, and warn of games and decisions that may never end and of learning that will not get anywhere; with --cost, measure what their runs would cost.",
    )
    .option(
      "--cost",
      "measure for some seconds how long each stage would take on this machine; nothing is written",
    )
    .option(
      "--for <duration>",
      `with --cost: measure for about this time (45s, 2m); large nets and slow searches need more than ${MEASURE_SECONDS} seconds`,
      parseDuration,
    )
    .option(
      "--laws",
      "play a hundred random games of each game that a plug-in defines, and say what is wrong with it",
    )
    .option(
      "--strict",
      "end with exit code 3 if a part of a file could not be checked, because a plug-in was not loaded",
    )
    .option("--json", "with --cost: one line of JSON for each file on standard output")
    .addHelpText(
      "after",
      `
Examples:
  $ ludoflow check my-experiment.yaml
  $ ludoflow check hex.ts --laws
  $ ludoflow check --cost blokuszero
  $ ludoflow check --cost --workers 1 quickstart
  $ ludoflow check --cost --for 5m alphago`,
    )
    .action(async (files: readonly string[], options: CheckFlags) => {
      if (options.json === true && options.cost !== true)
        throw new UsageError("--json prints costs: use it with --cost");
      if (options.for !== undefined && options.cost !== true)
        throw new UsageError("--for is the time of measuring: use it with --cost");
      let wrong = 0;
      let unchecked = 0;
      for (const given of files)
        try {
          if (/\.[cm]?[jt]s$/.test(given)) {
            if (!(await checkPlugin(given, options.laws === true))) wrong++;
            continue;
          }
          const file = experimentPath(given);
          const permit = permitByUser(options);
          const source = readSource(file, changes(options));
          if (source.value["sweep"] !== undefined) {
            if (changes(options).length > 0)
              throw new UsageError(
                `${file} is a sweep, and is checked as it is: leave out --set and the like`,
              );
            await checkWholeSweep(sweepOf(source), permit, options);
            continue;
          }
          const needed = options.cost === true || options.laws === true;
          const experiment = await (needed ? checkPermitted : checkKnown)(source, permit);
          // A plug-in that does not exist is among the problems.
          if (experiment.problems.length === 0) warnNotLoaded(file, experiment);
          if (experiment.unchecked.length > 0) {
            checkKnownParts(experiment);
            printKnownOk(file, experiment);
            unchecked++;
            continue;
          }
          const graph = await checkWhole(experiment);
          assertPrograms(graph.opened.experiment);
          for (const warning of await graphWarnings(experiment, graph))
            process.stderr.write(`${warning.level}: ${formatProblem(warning)}\n`);
          if (options.cost === true) {
            await permit(outsideCodeOf(graph.opened.experiment));
            await printCost(file, graph, options);
          } else {
            warnNotStarted(file, graph.opened.experiment);
            printOk(file, graph);
          }
          if (options.laws === true && !(await checkLaws(graph))) wrong++;
        } catch (error) {
          if (error instanceof ProgramMissing) process.stderr.write(`${given}: ${error.message}\n`);
          else if (error instanceof PluginInvalid || error instanceof ExperimentInvalid)
            process.stderr.write(`${error.message}\n`);
          else throw error;
          wrong++;
        }
      if (wrong > 0) process.exitCode = 2;
      else if (options.strict === true && unchecked > 0) process.exitCode = UNCHECKED;
    });
}

/** Checks every combination of a sweep, and prints how many runs it has and what they cost. */
async function checkWholeSweep(plan: SweepPlan, permit: Permit, options: CheckFlags): Promise<void> {
  const graphs = await checkSweep(plan, permit);
  const { file, members, name, seeds } = plan;
  if (options.cost === true) {
    for (const { opened } of graphs) await permit(outsideCodeOf(opened.experiment));
    const seconds = measuringSeconds(file, options);
    const { measureSweepCost } = await import("../../graph/sweep/sweep-cost.ts");
    const cost = await measureSweepCost(graphs, seeds.length, seconds);
    const { sweepCostJson, sweepCostText } = await import("../progress/cost-table.ts");
    process.stdout.write(
      options.json === true ? `${sweepCostJson(file, cost)}\n` : sweepCostText(sweepText(plan), cost),
    );
    return;
  }
  const amount = amountText(
    graphs.flatMap((graph) =>
      [...worksOf(graph).values()].map((work) => ({ ...work, total: work.total * seeds.length })),
    ),
  );
  process.stdout.write(
    `${file}: ok (${name}, a sweep of ${sweepText({ members, seeds })}${amount === "" ? "" : `; in all ${amount}`})\n`,
  );
}

/** Loads a plug-in, and prints what it defines and which laws its games break; false if there are some. */
async function checkPlugin(file: string, laws: boolean): Promise<boolean> {
  const plugin = loadNamedPlugin(file);
  for (const { kind, name } of plugin.defines)
    if (kind === "game")
      try {
        openGame(name);
      } catch (error) {
        throw new PluginInvalid(
          file,
          outsidePlace(error) === undefined ? `${file}: ${(error as Error).message}` : placedMessage(error),
        );
      }
  const defines = plugin.defines.map(({ kind, name }) => `the ${kind} ${name}`).join(", ");
  process.stdout.write(`${file}: ok (${defines})\n`);
  if (!laws) return true;
  const { reportLaws } = await import("../laws.ts");
  return reportLaws([plugin]);
}

/** Whether the games of the plug-ins of an experiment keep the laws; its own game with its options. */
async function checkLaws({ opened: { experiment, game } }: CheckedGraph): Promise<boolean> {
  const { reportLaws } = await import("../laws.ts");
  return reportLaws(
    loadedPlugins().filter(({ file }) => experiment.plugins?.includes(file)),
    game,
  );
}

function printOk(file: string, { stages, opened }: CheckedGraph): void {
  const count = counted(stages.length, "stage");
  process.stdout.write(`${file}: ok (${opened.experiment.name}, ${count})\n`);
}

function printKnownOk(file: string, { experiment, unchecked }: ExperimentFile): void {
  const parts = unchecked.map((pointer) => pointer.slice(1).replaceAll("/", ".")).join(", ");
  process.stdout.write(`${file}: ok but for ${parts}, which could not be checked (${experiment.name})\n`);
}

/** Says for how long costs are measured, and returns the seconds. */
function measuringSeconds(file: string, options: CheckFlags): number {
  const seconds = options.for?.seconds ?? MEASURE_SECONDS;
  process.stderr.write(`${file}: measuring for about ${durationText(seconds)}\n`);
  return seconds;
}

async function printCost(file: string, graph: CheckedGraph, options: CheckFlags): Promise<void> {
  const [{ checkInputs }, { measureCost }, { costJson, costTable }] = await Promise.all([
    import("../../graph/check-inputs.ts"),
    import("../../graph/cost/measure-cost.ts"),
    import("../progress/cost-table.ts"),
  ]);
  const measured = await measureCost(graph, await checkInputs(graph), measuringSeconds(file, options));
  const { cost } = measured;
  const curve = expectedCurve(graph.opened.experiment);
  process.stdout.write(
    options.json === true
      ? `${costJson(file, measured)}\n`
      : costTable(measured, curve && curveText(curve, cost)),
  );
  if (cost.unknown.length > 0)
    process.stderr.write("a longer measurement finds what is missing: give its time, as in --for 5m\n");
}

import { mkdirSync, readdirSync, readFileSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";
import { parse, stringify } from "yaml";
import { checkGraph } from "../../../src/graph/check-graph.ts";
import { checkInputs } from "../../../src/graph/check-inputs.ts";
import { readExperiment } from "../../../src/graph/experiment-file.ts";
import { ExperimentInvalid } from "../../../src/graph/problem.ts";
import { newRun } from "../../../src/graph/start-run.ts";
import { ComputeUnavailable } from "../../../src/compute/engine.ts";
import { ProgramMissing } from "../../../src/protocols/gtp/program.ts";
import { CheckpointUnusable } from "../../../src/operators/run/run-error.ts";
import { Random } from "../../../src/random.ts";
import { failedExperiments } from "../../faults/corpora.ts";
import { changedTree, mutatedLine, oneOf, type Tree } from "../../faults/mutations.ts";
import { allRuns, writeStageRun } from "../../faults/stage-runs.ts";
import { atToySize } from "../../faults/toy-size.ts";
import { Trials } from "../../faults/trials.ts";
import { scratchFolder } from "../../formats/scratch-folder.ts";
import { writeArchive } from "../operators/go-archive.ts";

/** Mutated experiments, and the seed of all draws: `LUDOFLOW_EXPERIMENTS=10000 LUDOFLOW_EXPERIMENT_SEED=2`. */
const EXPERIMENTS = Number(process.env["LUDOFLOW_EXPERIMENTS"] ?? 100);
const SEED = Number(process.env["LUDOFLOW_EXPERIMENT_SEED"] ?? 1);
/** A run that takes longer is stopped, in milliseconds, and counts neither as one that has run nor as one that has failed. */
const LONGEST_RUN = 60_000;

const shipped = join(import.meta.dirname, "../../../experiments");
/** What a user is told without a trace before a run begins. */
const refusals = [ExperimentInvalid, ProgramMissing, CheckpointUnusable, ComputeUnavailable];

/** A changed copy of an experiment, as a tree. */
function changedSettings(text: string, others: readonly string[], random: Random): string {
  return stringify(
    changedTree(
      parse(text) as Tree,
      others.map((other) => parse(other) as Tree),
      random,
    ),
  );
}

/** A changed copy of an experiment, as text. */
function changedText(text: string, others: readonly string[], random: Random): string {
  const lines = text.split("\n");
  const at = random.below(lines.length);
  lines[at] = mutatedLine(lines[at]!, oneOf(others, random).split("\n"), random);
  return lines.join("\n");
}

/**
 * The text of a shipped experiment, which reads a small archive in place of large ones, and in which no other programs play: these are
 * started with the user's permission alone.
 */
function shippedText(name: string, archive: string): string {
  const tree = parse(readFileSync(join(shipped, name), "utf8")) as {
    readonly agents?: Record<string, { readonly command?: unknown } | null>;
    readonly graph?: Record<string, { sources?: readonly string[] } | null>;
  };
  for (const [agent, settings] of Object.entries(tree.agents ?? {}))
    if (settings?.command !== undefined) tree.agents![agent] = { use: "random" } as object;
  for (const stage of Object.values(tree.graph ?? {}))
    if (stage?.sources !== undefined) stage.sources = [archive];
  return stringify(tree);
}

/** Whether an experiment is accepted, by what `ludoflow check` does. */
async function accepts(file: string): Promise<boolean> {
  try {
    await checkInputs(checkGraph(readExperiment(file)));
    return true;
  } catch (error) {
    if (!refusals.some((kind) => error instanceof kind)) throw error;
    expect((error as Error).message).not.toMatch(/ {4}at |object Object|Maximum call stack/);
    return false;
  }
}

/** What no check can know before files are read, games are played or a net learns. */
const KNOWN_LATE =
  /no game is taken|diverged|values stay far below|ended before the position after|games with a decision between two moves|there are no \w+ positions|there is nothing to learn from/;

/** Runs an experiment file, and tells how it ended. Throws what it failed with. */
async function endOf(file: string): Promise<"ran" | "stopped" | "told"> {
  const run = await newRun(readExperiment(file), { file, set: [] }, { out: join(scratchFolder(), "run") });
  let late = false;
  const timer = setTimeout(() => {
    late = true;
    run.stop();
  }, LONGEST_RUN);
  const outcome = await run.start().finally(() => clearTimeout(timer));
  if (outcome.outcome !== "failed") return late ? "stopped" : "ran";
  if (!KNOWN_LATE.test(outcome.error.message)) throw outcome.error;
  return "told";
}

it(
  "a changed experiment is refused with a message, or runs at toy size",
  async () => {
    const scratch = scratchFolder();
    const toys: string[] = [];
    for (const run of allRuns())
      toys.push(readFileSync(await writeStageRun(run, join(scratch, run.name)), "utf8"));
    const archive = join(scratch, "archive");
    writeArchive(archive);
    // What shipped experiments extend and read stands beside them.
    const folder = join(scratch, "experiments");
    mkdirSync(folder);
    for (const name of readdirSync(shipped)) symlinkSync(join(shipped, name), join(folder, name));
    const files = readdirSync(shipped).filter((name) => name.endsWith(".yaml"));
    const all = [...toys, ...files.map((name) => shippedText(name, archive))];
    const [changed, toy] = [join(folder, "changed.yaml"), join(folder, "toy.yaml")];
    const trials = new Trials("changed experiments", EXPERIMENTS);
    const failed = failedExperiments();
    for (let n = -failed.length; n < EXPERIMENTS; n++) {
      const random = Random.named(SEED, "experiment", n);
      const base = oneOf(random.below(4) === 0 ? all : toys, random);
      const text =
        n < 0
          ? failed[n + failed.length]!
          : random.below(4) === 0
            ? changedText(base, all, random)
            : changedSettings(base, random.below(4) === 0 ? all : toys, random);
      await trials.attempt(async () => {
        writeFileSync(changed, text);
        let where = `seed ${SEED}, mutation ${n}:\n${text}`;
        try {
          if (!(await accepts(changed))) return "refused";
          const small = await atToySize(toy, readExperiment(changed));
          writeFileSync(toy, small);
          where += `\nat toy size:\n${small}`;
          const end = await endOf(toy);
          if (end === "stopped") console.log("stopped after", LONGEST_RUN, "ms:", where);
          return end;
        } catch (error) {
          throw new Error(`${(error as Error).message}\n${where}`, { cause: error });
        }
      });
    }
    trials.end();
    expect(trials.of("ran")).toBeGreaterThan(EXPERIMENTS / 50);
  },
  300_000 + 2 * LONGEST_RUN * EXPERIMENTS,
);

import { readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";
import { parse, stringify } from "yaml";
import { checkGraph } from "../../src/graph/check-graph.ts";
import { checkInputs } from "../../src/graph/check-inputs.ts";
import { readExperiment } from "../../src/graph/experiment-file.ts";
import { ExperimentInvalid } from "../../src/graph/problem.ts";
import { newRun } from "../../src/graph/start-run.ts";
import { ComputeUnavailable } from "../../src/compute/engine.ts";
import { ProgramMissing } from "../../src/protocols/gtp/program.ts";
import { CheckpointUnusable } from "../../src/operators/run/run-error.ts";
import { Random } from "../../src/random.ts";
import { mutatedLine, oneOf } from "../faults/mutations.ts";
import { allStages, runWith, writeStageRun } from "../faults/stage-runs.ts";
import { scratchFolder } from "../formats/scratch-folder.ts";

/** Mutated experiments, and the seed of all draws: `LUDOFLOW_EXPERIMENTS=10000 LUDOFLOW_EXPERIMENT_SEED=2`. */
const EXPERIMENTS = Number(process.env["LUDOFLOW_EXPERIMENTS"] ?? 100);
const SEED = Number(process.env["LUDOFLOW_EXPERIMENT_SEED"] ?? 1);
/** A run that takes longer is stopped, in milliseconds. */
const LONGEST_RUN = 30_000;
/** An experiment with a greater number is checked and not run: it would have no toy size. */
const GREATEST = 100;

const shipped = join(import.meta.dirname, "../../experiments");
const kept = join(import.meta.dirname, "../faults/corpora/experiments");
/** What a user is told without a trace before a run begins. */
const refusals = [ExperimentInvalid, ProgramMissing, CheckpointUnusable, ComputeUnavailable];

type Tree = Record<string, unknown> | unknown[];

/** All maps and lists of a file, and the paths of all values in them. */
function* placesIn(tree: unknown): Generator<{ readonly parent: Tree; readonly key: string }> {
  if (typeof tree !== "object" || tree === null) return;
  for (const key of Object.keys(tree)) {
    yield { parent: tree as Tree, key };
    yield* placesIn((tree as Record<string, unknown>)[key]);
  }
}

/** A changed copy of an experiment, as a tree: settings exchanged, taken out, or given other values. */
function changedTree(text: string, others: readonly string[], random: Random): string {
  const tree = parse(text) as Tree;
  for (let times = 1 + random.below(3); times > 0; times--) {
    const places = [...placesIn(tree)];
    const { parent, key } = oneOf(places, random);
    const at = parent as Record<string, unknown>;
    const theirs = [...placesIn(parse(oneOf(others, random)))];
    const same = theirs.filter((each) => each.key === key);
    const found = oneOf(same.length > 0 && random.below(3) > 0 ? same : theirs, random);
    const value = (found.parent as Record<string, unknown>)[found.key];
    const changes: (() => void)[] = [
      () => void (at[key] = value),
      () => void (at[key] = value),
      () => (Array.isArray(parent) ? void parent.splice(Number(key), 1) : void delete at[key]),
      () =>
        void (at[key] = oneOf([0, 1, 2, 3, 7, 0.5, 1e-9, -1, 1e9, 2 ** 53, true, "", null, [], {}], random)),
      () => void (at[found.key] = value),
      () => void (typeof at[key] === "number" && (at[key] = Math.max(1, Math.floor(at[key] / 2)))),
    ];
    oneOf(changes, random)();
  }
  return stringify(tree);
}

/** A changed copy of an experiment, as text. */
function changedText(text: string, others: readonly string[], random: Random): string {
  const lines = text.split("\n");
  const at = random.below(lines.length);
  lines[at] = mutatedLine(lines[at]!, oneOf(others, random).split("\n"), random);
  return lines.join("\n");
}

const hasGreatNumbers = (text: string): boolean =>
  [...placesIn(parse(text))].some(({ parent, key }) => {
    const value = (parent as Record<string, unknown>)[key];
    return typeof value === "number" && key !== "seed" && Math.abs(value) > GREATEST;
  });

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

it(
  "a changed experiment is refused with a message, or runs",
  async () => {
    const scratch = scratchFolder();
    const toys = [...new Set(allStages().map((use) => runWith(use)))].map((run) =>
      readFileSync(writeStageRun(run, join(scratch, run.name)), "utf8"),
    );
    const files = readdirSync(shipped).filter((name) => name.endsWith(".yaml"));
    const all = [...toys, ...files.map((name) => readFileSync(join(shipped, name), "utf8"))];
    const counts = { refused: 0, accepted: 0, ran: 0, stopped: 0 };
    const failed = readdirSync(kept);
    for (let n = -failed.length; n < EXPERIMENTS; n++) {
      const random = Random.named(SEED, "experiment", n);
      const base = oneOf(random.below(8) === 0 ? all : toys, random);
      const text =
        n < 0
          ? readFileSync(join(kept, failed[n + failed.length]!), "utf8")
          : random.below(4) === 0
            ? changedText(base, all, random)
            : changedTree(base, random.below(4) === 0 ? all : toys, random);
      const file = join(scratch, "changed.yaml");
      writeFileSync(file, text);
      const where = `seed ${SEED}, mutation ${n}:\n${text}`;
      try {
        if (!(await accepts(file))) {
          counts.refused++;
          continue;
        }
        counts.accepted++;
        if (hasGreatNumbers(text) || !toys.includes(base)) continue;
        const run = await newRun(
          readExperiment(file),
          { file, set: [] },
          { out: join(scratchFolder(), "run") },
        );
        const late = setTimeout(() => {
          counts.stopped++;
          run.stop();
        }, LONGEST_RUN);
        const outcome = await run.start();
        clearTimeout(late);
        if (outcome.outcome === "failed") throw outcome.error;
        counts.ran++;
      } catch (error) {
        throw new Error(`${(error as Error).message}\n${where}`, { cause: error });
      }
    }
    console.log(counts);
    expect(counts.ran).toBeGreaterThan(EXPERIMENTS / 50);
  },
  300_000 + 2 * LONGEST_RUN * EXPERIMENTS,
);

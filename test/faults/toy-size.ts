import { stringify } from "yaml";
import { checkGraph } from "../../src/graph/check-graph.ts";
import { checkInputs } from "../../src/graph/check-inputs.ts";
import { checkExperiment, type ExperimentFile } from "../../src/graph/experiment-file.ts";
import type { Experiment } from "../../src/operators/experiment/open-experiment.ts";
import { placesIn } from "./mutations.ts";

/** The greatest whole numbers at toy size, by the setting; a board of 5x5 is the smallest on which all games differ from a line. */
const GREATEST: Readonly<Record<string, number>> = {
  depth: 1,
  size: 5,
  seed: Infinity,
  // Values are watched after so many games: after four they are far off.
  warmUp: Infinity,
};
/** That of all other settings, and what is tried where an experiment needs more. */
const TRIED = [4, 16, 64, 256, 4096];

type Tree = Record<string, unknown>;

/**
 * An experiment of the same parts whose numbers are small: games, simulations, nets, boards; nets begin without stored weights, and
 * no other programs play, which are started with the user's permission alone. A number that would no longer be accepted stays as it was.
 */
export async function atToySize(file: string, { experiment }: ExperimentFile): Promise<string> {
  const toy = structuredClone(experiment) as unknown as Tree;
  const agents = toy["agents"] as Record<string, { readonly command?: unknown }>;
  for (const [name, { command }] of Object.entries(agents))
    if (command !== undefined) agents[name] = { use: "random" } as object;
  const places = [...placesIn(toy)].filter(({ key, parent }) => toySizesOf(key, parent[key]).length > 0);
  const before = places.map(({ key, parent }) => parent[key]);
  for (const { key, parent } of places) parent[key] = toySizesOf(key, parent[key])[0];
  if (await isAccepted(file, toy)) return stringify(toy);
  for (const [i, { key, parent }] of places.entries()) parent[key] = before[i];
  for (const { key, parent } of places) {
    const was = parent[key];
    for (const size of [...toySizesOf(key, was), was]) {
      parent[key] = size;
      if (size === was || (await isAccepted(file, toy))) break;
    }
  }
  return stringify(toy);
}

/** Smaller values of a setting, the smallest first. */
function toySizesOf(key: string, value: unknown): unknown[] {
  if (key === "weights" && typeof value === "string") return [null];
  if (!Number.isInteger(value)) return [];
  const greatest = GREATEST[key];
  return (greatest === undefined ? TRIED : [greatest, ...TRIED]).filter((size) => size < (value as number));
}

async function isAccepted(file: string, toy: Tree): Promise<boolean> {
  try {
    await checkInputs(checkGraph(checkExperiment(file, toy as unknown as Experiment)));
    return true;
  } catch {
    return false;
  }
}

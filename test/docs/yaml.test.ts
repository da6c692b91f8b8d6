import { copyFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { parse, stringify } from "yaml";
import { checkGraph } from "../../src/graph/check-graph.ts";
import { readExperiment } from "../../src/graph/experiment-file.ts";
import { scratchFolder } from "../formats/scratch-folder.ts";
import { writeExperiment } from "../graph/tiny-run.ts";
import { pages, textOf } from "./pages.ts";

type Part = Record<string, unknown>;
type Context = Partial<Record<"game" | "nets" | "agents" | "graph", Part>>;

const residual = { use: "residual", filters: 8, blocks: 1 };
const duo = { rules: "blokus-duo" };
const blokus: Context = { game: { rules: "blokus" } };
const board2048: Context = { game: { rules: 2048 }, nets: { value: { use: "n-tuple" } } };
const zero: Context = {
  game: { rules: "blokus" },
  nets: { zero: residual },
  agents: { learner: { use: "puct-max-n", net: "zero" } },
};

/** What the parts of experiments on a page need around them. */
const contexts: Readonly<Record<string, Context>> = {
  "docs/2048.md": {
    game: { rules: 2048 },
    nets: { value: { use: "n-tuple" } },
    agents: { seeker: { use: "mc-softmax", net: "value" } },
  },
  "docs/evaluation.md": zero,
  "docs/experiments.md": zero,
  "docs/examples.md": zero,
  "docs/games-connect-four.md": { game: { rules: "connect-four" } },
  "docs/games-othello.md": { game: { rules: "othello" } },
  "docs/games-go.md": { game: { rules: "go" } },
  "docs/gtp.md": { game: duo, graph: {} },
  "docs/it-does-not-learn.md": {
    ...zero,
    agents: { "learner-too": { use: "puct-max-n", net: "zero" } },
  },
  "docs/matches.md": {
    game: duo,
    nets: { zero: residual },
    agents: { new: { use: "uct" }, old: { use: "random" }, player: { use: "puct-max-n", net: "zero" } },
    graph: {
      games: { use: "self-play", agent: "player", games: 8, generation: 4, examples: { use: "alphazero" } },
      replay: { use: "replay-buffer", from: "games", games: 8 },
      weights: { use: "trainer", from: "replay", net: "zero", batch: 4, steps: 2, rate: 0.01 },
    },
  },
  "docs/nets.md": zero,
  "docs/playout-policies.md": { game: { rules: "daihinmin" }, nets: { playouts: { use: "linear-policy" } } },
  "docs/reinforcement.md": {
    game: { rules: "go", size: 5 },
    agents: { before: { use: "puct-max-n", net: "supervised" } },
    graph: {
      games: { use: "self-play", agent: "before", games: 8, generation: 8, examples: { use: "alphazero" } },
      replay: { use: "replay-buffer", from: "games", games: 8 },
      supervised: { use: "trainer", from: "replay", net: "supervised", batch: 4, steps: 2, rate: 0.01 },
    },
  },
  "docs/search.md": { ...blokus, nets: { "policy-net": residual } },
  "docs/search/apv-mcts.md": { game: { rules: "go", size: 9 } },
  "docs/search/best-reply.md": blokus,
  "docs/search/depth-first.md": blokus,
  "docs/search/expectimax.md": board2048,
  "docs/search/gumbel.md": zero,
  "docs/search/ismcts.md": { game: { rules: "daihinmin" } },
  "docs/search/max-n.md": blokus,
  "docs/search/mc-softmax.md": board2048,
  "docs/search/mcts-best-reply.md": blokus,
  "docs/search/mcts-max-n.md": blokus,
  "docs/search/mcts-paranoid.md": blokus,
  "docs/search/mcts.md": blokus,
  "docs/search/minimax.md": { game: { rules: "go", size: 3, komi: 0 } },
  "docs/search/paranoid.md": blokus,
  "docs/search/policy.md": zero,
  "docs/search/puct-max-n.md": zero,
  "docs/search/rave.md": blokus,
  "docs/test-suites.md": {
    game: { rules: "connect-four" },
    nets: { zero: residual },
    agents: { learner: { use: "puct-max-n", net: "zero" } },
    graph: {
      games: { use: "self-play", agent: "learner", games: 8, generation: 4, examples: { use: "alphazero" } },
      replay: { use: "replay-buffer", from: "games", games: 8 },
      weights: { use: "trainer", from: "replay", net: "zero", batch: 4, steps: 2, rate: 0.01 },
    },
  },
  "docs/value-nets.md": {
    game: { rules: "go", size: 5 },
    nets: { supervised: residual, reinforced: residual },
    agents: { uniform: { use: "random" } },
  },
  "docs/supervised.md": { graph: { records: { use: "sgf", sources: ["."] } } },
  "docs/td-lambda.md": { game: duo, nets: { value: { use: "linear" } } },
};

/** The parts of experiments that a page shows: blocks of YAML with nets, agents or stages, but no name. */
const shown = pages.flatMap((page) =>
  [...textOf(page).matchAll(/^```yaml\n(.*?)^```$/gms)]
    .map(([, yaml], i) => ({ page, i, part: parse(yaml!) as Part | null }))
    .filter(({ part }) => part !== null && part["name"] === undefined)
    .filter(({ part }) => ["nets", "agents", "graph"].some((key) => part![key] !== undefined)),
);

describe("parts of experiments in the documentation", () => {
  it.each(shown)("are valid in what surrounds them: $page, $i", ({ page, part }) => {
    const context = contexts[page]!;
    expect(context, `say in this test what surrounds the YAML of ${page}`).toBeDefined();
    const merged = Object.fromEntries(
      (["nets", "agents", "graph"] as const).map((key) => [
        key,
        { ...context[key], ...(part![key] as Part | undefined) },
      ]),
    );
    const agents = Object.keys(merged["agents"]!);
    const graph = {
      ...merged["graph"],
      ...(agents.length === 0 ? {} : { measured: { use: "arena", agents: agents.slice(0, 1), games: 4 } }),
    };
    const { schedule = "synchronous" } = part!;
    const experiment = {
      name: "shown",
      seed: 1,
      schedule,
      game: part!["game"] ?? context.game,
      ...merged,
      graph,
    };
    const folder = scratchFolder();
    // The page on test suites names it.
    copyFileSync(
      join(import.meta.dirname, "../../experiments/connect-four-positions.csv"),
      join(folder, "connect-four-positions.csv"),
    );
    checkGraph(readExperiment(writeExperiment(folder, stringify(experiment))));
  });
});

import { readdirSync } from "node:fs";
import { join } from "node:path";
import { readExperiment } from "../../../src/graph/experiment-file.ts";
import { operatorOf } from "../../../src/operators/registry.ts";
import { toyScales } from "../plugins/toy-scales.ts";

const root = join(import.meta.dirname, "../../..");

/** A net that learns in seconds. */
const smallNet = ["filters=8", "blocks=1", "valueUnits=16"].map((size) => `nets.zero.${size}`);

/** Fifteen generations of self-play, the first ones by a search without a net, where there is one. */
function generationsOf(games: number, { teacher }: { readonly teacher: boolean }): string[] {
  return [
    `graph.games.games=${15 * games}`,
    `graph.games.generation=${games}`,
    ...(teacher ? [`graph.games.warmStart.games=${2 * games}`] : []),
    `graph.replay.games=${5 * games}`,
    "graph.weights.batch=64",
    "graph.weights.steps=60",
    "graph.weights.rate=0.004",
  ];
}

/**
 * AlphaZero at a size at which it still learns: at toy scale there are too few games for any diagnosis. Boards, nets and numbers
 * are smaller; what a file is about stays.
 */
const reduced: Readonly<Record<string, readonly string[]>> = {
  "experiments/connect-four-zero.yaml": [
    ...smallNet,
    ...generationsOf(24, { teacher: true }),
    "graph.replay.fill=24",
    "agents.teacher.simulations=150",
    "agents.learner.simulations=16",
    ...["suite", "own-play", "stages", "deep", "against-uct"].map((stage) => `graph.${stage}=null`),
  ],
  "experiments/othello-zero.yaml": [
    "game.size=6",
    ...smallNet,
    ...generationsOf(24, { teacher: true }),
    "graph.replay.fill=24",
    "agents.teacher.simulations=150",
    "agents.learner.simulations=16",
    "graph.curve=null",
  ],
  "experiments/go9-zero.yaml": [
    "game={ rules: go, size: 5, komi: 0, moveLimit: 60 }",
    ...smallNet,
    "nets.zero.globalPooling=2",
    ...generationsOf(24, { teacher: true }),
    "graph.replay.fill=24",
    "graph.curve=null",
  ],
  "experiments/tic-tac-toe-zero.yaml": [
    ...smallNet,
    "graph.games.games=480",
    "graph.games.generation=40",
    "graph.weights.steps=40",
    "graph.against-uct=null",
  ],
  "experiments/tic-tac-toe-versions.yaml": [
    ...smallNet,
    "graph.games.games=480",
    "graph.games.generation=40",
    "graph.weights.steps=40",
    "graph.versions.games=40",
  ],
  "examples/own-stage/long-games.yaml": ["graph.games.games=400", "graph.games.generation=40"],
};

/** A shipped experiment that learns, at reduced size. */
export interface HealthyRun {
  readonly file: string;
  readonly set: readonly string[];
}

/** Every shipped experiment that learns, with two seeds. `archive` is a folder with games of Go on 5x5. */
export function healthyRuns(archive: string): HealthyRun[] {
  const toy = toyScales(archive);
  const files = ["experiments", "examples/own-stage"].flatMap((folder) =>
    readdirSync(join(root, folder))
      .filter((name) => name.endsWith(".yaml"))
      .map((name) => `${folder}/${name}`),
  );
  return files
    .map((file) => ({ file, set: reduced[file] ?? toy[file.replace("experiments/", "")] ?? [] }))
    .filter(({ file }) => learns(join(root, file)))
    .flatMap(({ file, set }) =>
      [1, 2].map((seed) => ({ file: join(root, file), set: [...set, `seed=${seed}`, "sweep=null"] })),
    );
}

/** Whether a stage of an experiment learns. */
function learns(path: string): boolean {
  const source = readExperiment(path, path.includes("examples") ? [] : ["sweep=null"]);
  return Object.values(source.experiment.graph).some((stage) => operatorOf(stage)?.learns !== undefined);
}

import { checkGraph } from "../../../../src/graph/check-graph.ts";
import { readExperiment } from "../../../../src/graph/experiment-file.ts";
import { diagnosisText } from "../../../../src/messages/diagnosis-text.ts";
import { scratchFolder } from "../../../formats/scratch-folder.ts";
import { writeExperiment } from "../../../graph/tiny-run.ts";

/** Parts of an experiment with AlphaZero-style learning, as YAML. */
export interface Parts {
  readonly game?: string;
  readonly values?: string;
  readonly learner?: string;
  readonly teacher?: string;
  readonly games?: string;
  readonly rate?: string;
}

/** An experiment with AlphaZero-style learning of a tiny net, on a small board of Connect Four unless said otherwise. */
export const learningExperiment = ({
  game = "{ rules: connect-four, columns: 5, rows: 4 }",
  values = "win-loss",
  learner = "{ use: gumbel, net: zero, simulations: 16 }",
  teacher = "{ use: uct, simulations: 50 }",
  games = "",
  rate = "0.01",
}: Parts) => `
name: foreseen
seed: 3
compute: { threads: 1 }
game: ${game}
nets:
  zero: { use: residual, filters: 4, blocks: 1, valueUnits: 8, values: ${values} }
agents:
  learner: ${learner}
  teacher: ${teacher}
graph:
  games: { use: self-play, agent: learner, games: 100, generation: 50, examples: { use: alphazero }${games} }
  replay: { use: replay-buffer, from: games, games: 50 }
  weights: { use: trainer, from: replay, net: zero, batch: 8, steps: 20, rate: ${rate}, loss: { use: alphazero } }
`;

/** What a stage foresees, each as its key and its message. */
export async function foreseen(stage: string, text: string): Promise<string[]> {
  const { stages } = checkGraph(readExperiment(writeExperiment(scratchFolder(), text)));
  const { config, operator, view } = stages.find(({ name }) => name === stage)!;
  const found = (await operator.foresees?.(config, view)) ?? [];
  return found.map((each) =>
    "note" in each ? `note ${each.key}: ${each.note}` : `${each.key}: ${diagnosisText(each)}`,
  );
}

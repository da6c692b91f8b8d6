import { openEngine } from "../compute/open-engine.ts";
import { PlanePacker } from "../games/packed-planes.ts";
import type { GameConfig } from "../games/registry.ts";
import { NO_INDEX } from "../models/nets/gather-logits.ts";
import { openLoss } from "../models/nets/loss.ts";
import { openTraining, type TrainingBatch } from "../models/nets/training.ts";
import { type NetConfig, openExperiment } from "../operators/experiment/open-experiment.ts";
import { NetRows } from "../operators/play/evaluation/net-rows.ts";
import { batchLayout, batchRoom } from "../operators/play/examples/batch-layout.ts";
import { writeCheckpoint } from "../operators/run/weights/checkpoint-files.ts";
import { weightsOf } from "../operators/run/weights/named-tensors.ts";
import { freshWeights, tensorsOf } from "../operators/run/weights/net-weights.ts";
import { AgentInvalid } from "./agents/agent-invalid.ts";
import { checkExperiment } from "./experiment-file.ts";
import { ExperimentInvalid } from "./problem.ts";

/** A position and what a net learns of it. */
export interface LearningExample {
  /** A state of the game in which a player moves. */
  readonly position: unknown;
  /** By seat: the value of the position, in the kind of values that the net predicts (`values` of the net). */
  readonly values: ArrayLike<number>;
  /** Beside each legal action, in the order of `game.legal`: its probability. Read if the net has a policy. */
  readonly policy: ArrayLike<number>;
}

/** What is learned: a net with its options for a game, by so many examples a step; first weights follow from the seed. */
interface LearnerConfig {
  readonly game: GameConfig;
  readonly net: NetConfig;
  readonly batch: number;
  readonly seed: number;
}

const ADAM = { use: "adam", beta1: 0.9, beta2: 0.999, epsilon: 1e-8, weightDecay: 0 } as const;

/** The loss of nets with a policy: the heads for auxiliary targets learn nothing, because examples have none. */
const WITH_POLICY = {
  use: "alphazero",
  legalOnly: true,
  scoreWeight: 0,
  ownershipWeight: 0,
  replyWeight: 0,
} as const;

/**
 * Opens a net with random weights that learns from examples, without a run. `file` is what problems of the options name. Throws
 * ExperimentInvalid, AgentInvalid, NetDoesNotFit, ComputeUnavailable.
 */
export async function openExampleLearner(
  file: string,
  { game: rules, net: config, batch, seed }: LearnerConfig,
) {
  const { experiment, problems } = checkExperiment(file, {
    name: "learner",
    seed,
    game: rules,
    nets: { net: config },
    agents: {},
    graph: {},
  } as never);
  const wrong = problems.filter(({ path }) => path.startsWith("nets."));
  if (wrong.length > 0) throw new ExperimentInvalid(wrong);
  const opened = openExperiment(experiment);
  const network = opened.nets.get("net")!;
  if (network.kind !== "network" || network.net.model !== undefined)
    throw new AgentInvalid(`the net "${config.use}" does not learn from batches of examples`);
  const loss = network.hasPolicy ? WITH_POLICY : ({ use: "value-regression" } as const);
  const layout = batchLayout({ batch, loss, symmetries: false }, network);
  const { game } = opened;
  const packer = new PlanePacker(layout.planes);
  const room = batchRoom(layout, packer, game);
  const netRows = new NetRows(game);
  const legal = new Int32Array(game.maxLegal);
  const training = await openTraining(
    await openEngine({ threads: 1 }),
    network.net,
    openLoss(loss),
    { optimiser: ADAM, rows: batch },
    { weights: weightsOf(freshWeights(opened, "net")) },
  );
  let steps = 0;
  return {
    get steps() {
      return steps;
    },
    /** Takes a step on `batch` examples; returns the loss and its parts. Throws RangeError for numbers that do not fit. */
    step: async (
      examples: readonly LearningExample[],
      rate: number,
    ): Promise<Readonly<Record<string, number>>> => {
      const losses = await training.steps([filled(examples)], Float32Array.of(rate));
      steps++;
      return Object.fromEntries(Object.entries(losses).map(([part, [value]]) => [part, value!]));
    },
    /** Writes the weights as a checkpoint. Throws FileNotWritten. */
    save: async (folder: string): Promise<void> => {
      const { weights } = await training.state();
      writeCheckpoint(folder, {
        game: experiment.game,
        net: experiment.nets["net"],
        name: "net",
        version: steps,
        learned: steps,
        unit: "steps",
        progress: { steps },
        tensors: tensorsOf(opened, "net", { kind: "network", tensors: weights }),
      });
    },
    dispose: () => training.dispose(),
  };

  /** The minibatch with these examples. */
  function filled(examples: readonly LearningExample[]): TrainingBatch {
    if (examples.length !== batch)
      throw new RangeError(`${examples.length} examples are given; a step of this learner takes ${batch}`);
    room.policy?.fill(0);
    room.policyIndices?.fill(NO_INDEX);
    room.auxiliary?.policyWeight?.fill(1);
    for (const [row, { position, policy, values }] of examples.entries()) {
      assertNumbers(values, game.players, `examples[${row}].values`);
      packer.write(position, room, row);
      netRows.writeValues(position, values, room.value, row);
      if (room.policy === undefined) continue;
      const count = game.legal(position, legal);
      assertNumbers(policy, count, `examples[${row}].policy`);
      for (let i = 0; i < count; i++) {
        const at = row * game.maxLegal + i;
        room.policyIndices![at] = layout.policy!.logitOf?.[legal[i]!] ?? legal[i]!;
        room.policy[at] = policy[i]!;
      }
    }
    return room;
  }
}

function assertNumbers(numbers: ArrayLike<number>, count: number, called: string): void {
  if (numbers.length !== count) throw new RangeError(`${called} has ${numbers.length} numbers, not ${count}`);
  for (let i = 0; i < count; i++)
    if (!Number.isFinite(numbers[i]))
      throw new RangeError(`${called}[${i}] is ${numbers[i]}, no finite number`);
}

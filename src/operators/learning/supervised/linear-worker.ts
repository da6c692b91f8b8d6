/** The thread on which a supervised stage learns a linear policy: draws decisions of a collection, and takes the steps. */
import { parentPort, workerData } from "node:worker_threads";
import { LikelihoodLearner } from "../../../models/linear/likelihood.ts";
import { LinearPolicy } from "../../../models/linear/softmax-policy.ts";
import type { OpenTables, SharedTables } from "../../../models/tables.ts";
import { Random } from "../../../random.ts";
import { serve } from "../../../workers/serve.ts";
import { CollectedPositions } from "../collection/collected-positions.ts";
import { type Experiment, openExperiment } from "../../experiment/open-experiment.ts";
import type { GameCollection, Tensor, Tensors } from "../../run/items.ts";
import { part } from "../../run/weights/named-tensors.ts";

/** The `workerData` of the thread. */
export interface LinearTrainerData {
  readonly experiment: Experiment;
  readonly stage: string;
  readonly net: string;
  readonly collection: GameCollection;
  /** Decisions in a minibatch. */
  readonly batch: number;
  readonly tables: SharedTables;
  /** The tensors of an earlier `state` response, or those of the start. */
  readonly start: Tensors;
}

/** A request to the thread; `first` is the number of steps taken before, and there is a rate for each step. */
export type ToLinearTrainer =
  | { readonly type: "steps"; readonly first: number; readonly rates: Float32Array }
  | { readonly type: "state" };

/** The response to a request of the same type. */
export type FromLinearTrainer =
  | {
      readonly type: "steps";
      /** By step: the mean negative log-likelihood before it. */
      readonly losses: Float32Array;
      /** Decisions drawn since the start of the learner, and those of them that were left out. */
      readonly drawn: number;
      readonly leftOut: number;
    }
  | { readonly type: "state"; readonly tensors: Tensors };

/** The number of decisions left out one after another at which the thread gives up. */
const MOST_LEFT_OUT = 100_000;

const { experiment, stage, net, collection, batch, tables, start } = workerData as LinearTrainerData;
const { game, nets } = openExperiment(experiment);
const open = nets.get(net) as OpenTables;
const learner = new LikelihoodLearner(new LinearPolicy(game, tables));
learner.restore(part(start, "learner/"));
const positions = new CollectedPositions(game, collection, "training");
const counts = start.get("learner/counts")?.data ?? Float64Array.of(0, 0);
let drawn = counts[0]!;
let leftOut = counts[1]!;

/** Takes a step from a minibatch, which is a function of the seed, the stage and the number of the step. */
function step(number: number, rate: number): number {
  const random = Random.named(experiment.seed, stage, "batch", number);
  let sum = 0;
  for (let i = 0, vain = 0; i < batch;) {
    positions.draw(random);
    drawn++;
    const likelihood = learner.add(positions.state, positions.action);
    if (likelihood === undefined) {
      leftOut++;
      if (++vain === MOST_LEFT_OUT)
        throw new Error(`"${net}" chooses from none of the moves that were played; learn a net in its place`);
      continue;
    }
    vain = 0;
    sum -= likelihood;
    i++;
  }
  learner.step(rate);
  return sum / batch;
}

function tensors(): Tensors {
  const all = new Map<string, Tensor>();
  for (const [name, tensor] of open.save(tables)) all.set(`weights/${name}`, tensor);
  for (const [name, tensor] of learner.state()) all.set(`learner/${name}`, tensor);
  all.set("learner/counts", { shape: [2], data: Float64Array.of(drawn, leftOut) });
  return all;
}

serve<ToLinearTrainer, FromLinearTrainer>(parentPort!, (request) => {
  if (request.type === "state") return { type: "state", tensors: tensors() };
  const { first, rates } = request;
  return { type: "steps", losses: rates.map((rate, i) => step(first + i, rate)), drawn, leftOut };
});

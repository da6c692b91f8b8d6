/** The thread of a stage that measures policies: judges moves of recorded games by a net or a linear policy. */
import { parentPort, workerData } from "node:worker_threads";
import { type Engine } from "../../../compute/engine.ts";
import { openEngine } from "../../../compute/open-engine.ts";
import { LinearPolicy } from "../../../models/linear/softmax-policy.ts";
import type { Inference } from "../../../models/net.ts";
import type { SharedTables } from "../../../models/tables.ts";
import { serve } from "../../../workers/serve.ts";
import { CollectedPositions } from "../../learning/collection/collected-positions.ts";
import { openPlayingNet } from "../../play/evaluation/calibration.ts";
import { calledNet, type Experiment, networkOf, openExperiment } from "../../experiment/open-experiment.ts";
import type { collectionParts, GameCollection } from "../../run/items.ts";
import type { PublishedWeights } from "../../run/weights/net-weights.ts";
import { firstJudged, type JudgedMoves, newJudgedMoves, rankOf } from "./judged-moves.ts";
import { type Judged, NetJudge } from "./net-judge.ts";

/** The `workerData` of the thread. */
export interface AccuracyData {
  readonly experiment: Experiment;
  readonly collection: GameCollection;
  /** The games that are judged. */
  readonly part: (typeof collectionParts)[number];
}

/** A request to the thread. */
export type ToAccuracy =
  | {
      readonly type: "load";
      readonly net: string;
      readonly weights: PublishedWeights;
      /** Number of symmetric images of a position whose probabilities are averaged. */
      readonly images: number;
    }
  | { readonly type: "judge"; readonly positions: Uint32Array };

/** The response to a request of the same type. Positions without a decision between two moves have no judgement. */
export type FromAccuracy =
  | { readonly type: "loaded" }
  | { readonly type: "judged"; readonly moves: JudgedMoves };

/** What judges moves now. */
interface Judge {
  add(state: unknown, action: number, judged: Judged): Promise<void> | void;
  flush(judged: Judged): Promise<void> | void;
}

const { experiment, collection, part } = workerData as AccuracyData;
const opened = openExperiment(experiment);
const positions = new CollectedPositions(opened.game, collection, part);
let engine: Engine | undefined;
let inference: Inference | undefined;
let judge: Judge | undefined;

async function netJudge(
  net: string,
  tensors: ReadonlyMap<string, Float32Array>,
  images: number,
): Promise<Judge> {
  const network = networkOf(opened, net);
  engine ??= await openEngine(experiment.compute);
  await inference?.dispose();
  inference = await openPlayingNet(engine, opened, net, tensors);
  const called = calledNet(opened, net);
  return new NetJudge(opened.game, network, inference, { called, device: experiment.compute.device, images });
}

function linearJudge(tables: SharedTables): Judge {
  const policy = new LinearPolicy(opened.game, tables);
  return {
    add: (state, action, judged) => {
      policy.weigh(state);
      const { actions, count, odds, total } = policy;
      const played = actions.subarray(0, count).indexOf(action);
      if (played < 0) judged(0, NaN);
      else judged(rankOf(odds, count, played), Math.log(odds[played]! / total));
    },
    flush: () => undefined,
  };
}

async function judged(numbers: Uint32Array): Promise<JudgedMoves> {
  const moves = newJudgedMoves(numbers.length);
  let added = 0;
  let done = 0;
  const note: Judged = (rank, likelihood) => {
    moves.ranks[done] = rank;
    moves.likelihoods[done++] = likelihood;
  };
  for (const number of numbers) {
    positions.seek(number);
    if (!positions.isDecision) continue;
    moves.games[added] = positions.gameNumber;
    moves.plies[added++] = positions.ply;
    await judge!.add(positions.state, positions.action, note);
  }
  await judge!.flush(note);
  return firstJudged(moves, done);
}

serve<ToAccuracy, FromAccuracy>(parentPort!, async (request) => {
  if (request.type === "judge") return { type: "judged", moves: await judged(request.positions) };
  const { images, net, weights } = request;
  judge =
    weights.kind === "tables" ? linearJudge(weights.tables) : await netJudge(net, weights.tensors, images);
  return { type: "loaded" };
});

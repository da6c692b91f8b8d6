import type { Engine } from "../../../compute/engine.ts";
import { CHANCE, type Game, OVER } from "../../../games/game.ts";
import { PlanePacker } from "../../../games/packed-planes.ts";
import { NumberUnsound } from "../../../messages/number-unsound.ts";
import { Random } from "../../../random.ts";
import { newSlot } from "../../../workers/slots.ts";
import { calledNet, networkOf, type OpenExperiment } from "../../experiment/open-experiment.ts";
import { MeanResponse } from "./mean-response.ts";
import { NetBatch } from "./net-batch.ts";
import { PositionRows } from "./position-rows.ts";
import { slotShape } from "./slot-shape.ts";
import { unsoundResponse } from "./unsound-response.ts";

/** Games whose first positions a model is tried on, and the number of decisions of each. */
const GAMES = 4;
const DECISIONS = 6;

/** The names of the nets of an experiment that are models of files. */
export function modelsOf({ nets }: OpenExperiment): string[] {
  return [...nets].flatMap(([name, net]) =>
    net.kind === "network" && net.net.model !== undefined ? [name] : [],
  );
}

/**
 * Computes a model of a file for the first positions of some random games, of which the start is one. Throws NumberUnsound if it
 * gives a number that is NaN, infinite, or none that its settings promise; and ModelFailed, NetDoesNotFit.
 */
export async function tryModel(opened: OpenExperiment, name: string, engine: Engine): Promise<void> {
  const { game } = opened;
  const network = networkOf(opened, name);
  const called = calledNet(opened, name);
  const inference = await network.net.model!.open(engine);
  try {
    const states = firstPositions(game);
    const shape = slotShape(game, network, states.length);
    const slot = newSlot(shape);
    const rows = new PositionRows(game, new PlanePacker(network.planes), network.net.logitOf);
    for (const [row, state] of states.entries())
      rows.write(slot, row, state, 0, network.hasPolicy ? rows.listLegal(state) : 0);
    const batch = new NetBatch(shape, "cpu");
    await batch.compute(inference, [{ slot, first: 0, rows: states.length }]);
    const response = new MeanResponse(game.players, game.maxLegal);
    for (const [row, state] of states.entries()) {
      response.read(slot, row, 1);
      if (!response.sound) throw unsoundResponse(game, network, called, state, response.response);
    }
    const outside = inference.outOfRange?.();
    if (outside !== undefined) throw new NumberUnsound(`${called}: ${outside}`);
  } finally {
    await inference.dispose();
  }
}

/** Positions in which a player moves: the first of random games. */
function firstPositions<S>(game: Game<S>): S[] {
  const legal = new Int32Array(game.maxLegal);
  const positions: S[] = [];
  for (let number = 0; number < GAMES; number++) {
    const random = Random.named("model trial", number);
    const state = game.initial();
    let decisions = 0;
    for (
      let mover = game.toMove(state);
      mover !== OVER && decisions < DECISIONS;
      mover = game.toMove(state)
    ) {
      if (mover === CHANCE) game.play(state, game.chance!.sample(state, random));
      else {
        // The start is the first position of all games without chance.
        if (decisions++ > 0 || number === 0 || game.chance !== undefined) {
          const copy = game.initial();
          game.copy(state, copy);
          positions.push(copy);
        }
        game.play(state, legal[random.below(game.legal(state, legal))]!);
      }
    }
  }
  return positions;
}

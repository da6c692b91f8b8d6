import type { Game } from "../../games/game.ts";
import type { OpenExperiment } from "../../operators/experiment/open-experiment.ts";
import type { ExamplesConfig } from "../../operators/play/examples/examples.ts";
import { type DecisionTrace, lambdaExamples } from "../../operators/play/examples/lambda-examples.ts";
import { type Example, readPacked } from "../../operators/play/examples/position-examples.ts";
import { PacketInvalid } from "../wire/packet.ts";
import type { ExamplesCheck, PlayedDecision } from "./played-record.ts";

/** How far the sum of the weights of a policy, each in float32, may be from 1. */
const SUM_TOLERANCE = 1e-3;

/**
 * Checks examples along the moves of a game: their positions are those of its decisions, their values are those that the record
 * gives (if a net has found them: finite), and their policies are over the legal actions. `game` gives the returns as the
 * learner plays it.
 */
export class LambdaExamplesCheck implements ExamplesCheck {
  readonly #opened: OpenExperiment;
  readonly #game: Game<unknown>;
  readonly #config: Extract<ExamplesConfig, { use: "td" }>;
  readonly #samples: Uint8Array;
  readonly #actions: Int32Array;
  readonly #decisions: DecisionTrace[] = [];

  constructor(
    opened: OpenExperiment,
    game: Game<unknown>,
    config: Extract<ExamplesConfig, { use: "td" }>,
    samples: Uint8Array,
    actions: Int32Array,
  ) {
    this.#opened = opened;
    this.#game = game;
    this.#config = config;
    this.#samples = samples;
    this.#actions = actions;
  }

  decided({ legal, ply, values }: PlayedDecision): void {
    this.#decisions.push({
      ply,
      values,
      actions: legal.slice(),
      // Only their number counts here: the policies are those of the message.
      visits: new Float64Array(legal.length).fill(1),
    });
  }

  ended(): void {
    const { lambda, values: from } = this.#config;
    const expected = lambdaExamples(this.#game, this.#actions, this.#decisions, lambda);
    const found = readPacked(this.#opened.game, this.#samples);
    // A search that does not simulate gives no shares of visits: its policies are NaN, and no net may learn them.
    const withoutVisits = [...this.#opened.nets.values()].every(({ hasPolicy }) => !hasPolicy);
    if (found.length !== expected.length)
      throw new PacketInvalid("its examples are not those of its decisions");
    for (const [index, example] of expected.entries()) {
      const { actions, state, values, weights } = found[index]!;
      if (Buffer.compare(state, packed(this.#opened.game, example.state)) !== 0)
        throw new PacketInvalid("its examples are of other positions than its decisions");
      for (const [seat, value] of values.entries())
        if (
          !Number.isFinite(value) ||
          (from !== "net" && !Object.is(value, Math.fround(example.values[seat]!)))
        )
          throw new PacketInvalid("an example has another value than its record gives");
      if (!isPolicy(actions, weights, example, withoutVisits))
        throw new PacketInvalid("an example has no policy over the legal moves");
    }
  }
}

/** Checks positions from inside a search: each can be a position of the game, and has finite values and no policy. */
export class SampledExamplesCheck implements ExamplesCheck {
  readonly #game: Game<unknown>;
  readonly #samples: Uint8Array;

  constructor({ game }: OpenExperiment, samples: Uint8Array) {
    this.#game = game;
    this.#samples = samples;
  }

  decided(): void {
    // Sampled examples come from beside the game, not from its decisions.
  }

  ended(): void {
    const { nets, notation } = this.#game;
    const position = this.#game.initial();
    for (const { actions, state, values } of readPacked(this.#game, this.#samples)) {
      if (actions.length > 0 || !values.every((value) => Number.isFinite(value)))
        throw new PacketInvalid("an example has a policy, or values that are no numbers");
      nets!.packing!.unpack(state, 0, position);
      if (
        Buffer.compare(state, packed(this.#game, position)) !== 0 ||
        "error" in notation.parsePosition(notation.position(position))
      )
        throw new PacketInvalid("an example is no position of the game");
    }
  }
}

/** The bytes of a packed state. */
function packed(game: Game<unknown>, state: unknown): Uint8Array {
  const packing = game.nets!.packing!;
  const out = new Uint8Array(packing.bytes);
  packing.pack(state, out, 0);
  return out;
}

/** Whether these weights are probabilities of all legal actions, if the example has a policy; otherwise there are none. */
function isPolicy(
  actions: Int32Array,
  weights: Float32Array,
  { policy }: Example<unknown>,
  withoutVisits: boolean,
): boolean {
  const legal = policy?.actions ?? [];
  if (actions.length !== legal.length || actions.some((action, i) => action !== legal[i])) return false;
  if (policy === undefined || (withoutVisits && weights.every((weight) => Number.isNaN(weight)))) return true;
  const sum = weights.reduce((all, weight) => all + weight, 0);
  return weights.every((weight) => weight >= 0) && Math.abs(sum - 1) < SUM_TOLERANCE;
}

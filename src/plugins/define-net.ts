import type { Tensor2D, Tensor4D } from "@tensorflow/tfjs-core";
import { encodingOf } from "../games/packed-planes.ts";
import type { Game } from "../games/game.ts";
import {
  type Heads,
  type NetDefinition,
  netOptions,
  type NetOptions,
  planesOf,
} from "../models/definition.ts";
import type { Net } from "../models/net.ts";
import type { Layer, Pass } from "../models/nets/layers.ts";
import { Type } from "../schema.ts";
import { type Definition, definition } from "./definition.ts";
import { type Options, type OptionValues, schemaOf } from "./options.ts";

/** What a net is built for. */
export interface NetInput {
  /** The input planes of the game: height, width and channels of one position. */
  readonly planes: readonly [height: number, width: number, channels: number];
  /** Number of seats: values in a row. */
  readonly seats: number;
  /** Number of actions: logits in a row. */
  readonly actions: number;
}

/** What a net gives for a batch. */
export interface HeadOutputs {
  /** [rows, seats], in units of `valueScale`: for games that are won or lost from -1 to 1. */
  readonly value?: Tensor2D;
  /** [rows, actions]: the logit of each action. */
  readonly policy?: Tensor2D;
}

/** A net of one's own that was built for a game. */
export interface OwnNet {
  /** All layers with parameters, each with a name of its own. */
  readonly layers: readonly Pick<Layer<any, any>, "parameters">[];
  /** `x` is [rows, height, width, channels]. Layers are applied with `pass`: `layer.apply(x, pass)`. */
  forward(x: Tensor4D, pass: Pass): HeadOutputs;
}

/** A net of one's own, as `defineNet` takes it. */
export interface NetDescription<O extends Options> {
  /** The name after `use:` of a net in experiment files: letters, digits and hyphens. */
  readonly name: string;
  /** One sentence for lists. */
  readonly description: string;
  /** The options in experiment files. Every net also has `planes`, `values` and `valueScale`. Absent: no others. */
  readonly options?: O;
  /** The heads that it has, perhaps by its options: at least one. */
  readonly heads: Heads | ((options: OptionValues<O>) => Heads);
  /** Builds the net for a game. */
  build(input: NetInput, options: OptionValues<O>, game: Game<unknown>): OwnNet;
}

/** Defines a net: the default export of a plug-in. Layers and `tf` come from `ludoflow/nets`. */
export function defineNet<const O extends Options = {}>(net: NetDescription<O>): Definition {
  const { name, description, options = {} as O } = net;
  const headsOf = (values: unknown) =>
    typeof net.heads === "function" ? net.heads(values as OptionValues<O>) : net.heads;
  const made: NetDefinition = {
    name,
    description,
    options: Type.Object(
      { ...schemaOf(options).properties, ...netOptions, valueScale },
      { additionalProperties: false },
    ),
    heads: headsOf,
    build: (game, values): Net => {
      const all = values as unknown as NetOptions & { readonly valueScale: number };
      const planes = planesOf(game, name, all.planes);
      const { actions, maxLegal, players: seats } = game;
      const own = net.build(
        { planes: planes.shape, seats, actions },
        values as OptionValues<O>,
        game as Game<unknown>,
      );
      const { policy, value } = headsOf(values);
      return {
        name,
        input: planes.shape,
        encoding: encodingOf(planes),
        seats,
        ...(value ? {} : { hasValue: false as const }),
        ...(policy ? { actions, logits: actions, maxLegal } : {}),
        valueScale: all.valueScale,
        parameters: own.layers.flatMap((layer) => layer.parameters),
        forward: (parameters, x, training) => {
          const pass: Pass = { parameters, training, state: {} };
          return { ...own.forward(x, pass), state: pass.state };
        },
      };
    },
  };
  return definition("net", name, made);
}

const valueScale = Type.Number({
  exclusiveMinimum: 0,
  maximum: 1e12,
  default: 1,
  description: "About the size of the values. Losses measure errors in units of it.",
});

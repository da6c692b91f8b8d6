import type { Tensor2D, Tensor4D } from "@tensorflow/tfjs-core";
import { encodingOf } from "../games/packed-planes.ts";
import type { Game } from "../games/game.ts";
import {
  type Heads,
  type NetDefinition,
  NetDoesNotFit,
  netOptions,
  type NetOptions,
  planesOf,
} from "../models/definition.ts";
import type { Net } from "../models/net.ts";
import type { Layer, Pass } from "../models/nets/layers.ts";
import { Type } from "../schema.ts";
import {
  aFunction,
  anObject,
  assertDefinition,
  common,
  definitionPlace,
  type Fields,
  optional,
  optionProblems,
} from "../definitions/assert-definition.ts";
import { type Definition, definition } from "../definitions/definition.ts";
import { type Options, type OptionValues, schemaOf } from "../definitions/options.ts";

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
  /** All layers with parameters, each with its own name. */
  readonly layers: readonly Pick<Layer<any>, "parameters">[];
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

const fields: Fields<keyof NetDescription<any>> = {
  ...common,
  options: optional(anObject),
  heads: {
    must: "a function, or { value, policy } of which at least one is true",
    fits: (value) =>
      typeof value === "function" ||
      (anObject.fits(value) &&
        Object.entries(value as object).every(
          ([key, has]) => (key === "value" || key === "policy") && typeof has === "boolean",
        ) &&
        Object.values(value as object).includes(true)),
  },
  build: aFunction,
};

/** Defines a net: the default export of a plug-in. Layers and `tf` come from `ludoflow/nets`. */
export function defineNet<const O extends Options = {}>(net: NetDescription<O>): Definition {
  assertDefinition<NetDescription<O>>(defineNet, net, fields, (given) =>
    optionProblems(given.options, "options", ["use", "weights", "valueScale", ...Object.keys(netOptions)]),
  );
  const place = definitionPlace(defineNet);
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
      place.blame(() => assertOwn(own, name, game.name));
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

/** Throws NetDoesNotFit unless a net that was built has layers, each with parameters that have their own names. */
function assertOwn(own: Partial<OwnNet> | undefined, net: string, game: string): void {
  const wrong = (message: string) => new NetDoesNotFit(net, game, message);
  if (!Array.isArray(own?.layers) || typeof own.forward !== "function")
    throw wrong("build returns { layers: [...], forward: (x, pass) => ({ ... }) }");
  const names = new Set<string>();
  for (const [i, { parameters }] of (own as OwnNet).layers.entries()) {
    if (!Array.isArray(parameters)) throw wrong(`layers[${i}] is not a layer`);
    for (const { name } of parameters) {
      if (names.has(name))
        throw wrong(
          `two layers have the name "${name.replace(/\/[^/]*$/, "")}": weights are saved by these names, so each layer has one of its own`,
        );
      names.add(name);
    }
  }
}

const valueScale = Type.Number({
  exclusiveMinimum: 0,
  maximum: 1e12,
  default: 1,
  description: "About the size of the values. Losses measure errors in units of it.",
});

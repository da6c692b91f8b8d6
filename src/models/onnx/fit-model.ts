import type { ModelSignature, ModelValue } from "../../formats/onnx-signature.ts";
import type { Game, Planes } from "../../games/game.ts";
import type { ValueKind } from "../../games/outcome.ts";
import { counted } from "../../messages/counted.ts";
import { didYouMean } from "../../messages/did-you-mean.ts";
import type { ModelOptions } from "./model-options.ts";

/** As much of a game as a model has to fit. */
export type FittedGame = Pick<Game<any>, "name" | "players" | "actions">;

/** The order of the axes of the planes. */
type Layout = "nchw" | "nhwc";

/** A model whose inputs and outputs fit a game. */
export interface FittedModel {
  readonly file: string;
  readonly game: FittedGame;
  readonly layout: Layout;
  /** The input for planes, and its shape without the batch. */
  readonly planes: { readonly name: string; readonly shape: readonly number[] };
  /** Positions in a batch, if the model takes one number only. */
  readonly batch: number | undefined;
  /** The head for values: factor and offset take its output, after `tanh` if that is wanted, to values. */
  readonly value:
    | {
        readonly name: string;
        readonly tanh: boolean;
        readonly factor: number;
        readonly offset: number;
        /** The least and the greatest number that the output, after `tanh`, was said to have; undefined if nothing was said. */
        readonly range: readonly [number, number] | undefined;
        /** The sum of the values of two seats: the other one of a value for the seat to move is what is left of it. */
        readonly sum: number;
      }
    | undefined;
  readonly policy: { readonly name: string; readonly probabilities: boolean } | undefined;
}

/** Checks that a model fits a game and its planes. Throws Error with the first mismatch, in the model's own names. */
export function fitModel(
  signature: ModelSignature,
  game: Game<any>,
  planes: Planes<any>,
  options: ModelOptions,
): FittedModel {
  const { file, outputs, policyOutput } = options;
  const input = inputOf(signature, options);
  const { batch, layout, shape } = fitPlanes(input, planes, options);
  const value = outputs.value === undefined ? undefined : outputOf(signature, outputs.value, options);
  const policy = outputs.policy === undefined ? undefined : outputOf(signature, outputs.policy, options);
  if (value !== undefined) assertValues(value.name, numbersInRow(value.shape), game);
  if (policy !== undefined) assertActions(policy.name, numbersInRow(policy.shape), game);
  const { actions, name, players } = game;
  return {
    file,
    game: { actions, name, players },
    layout,
    planes: { name: input.name, shape },
    batch,
    value: value && { name: value.name, ...scaling(game, options) },
    policy: policy && { name: policy.name, probabilities: policyOutput === "probabilities" },
  };
}

/** Throws Error unless an output gives one value for each position, or one for each seat. */
export function assertValues(name: string, numbers: number | undefined, game: FittedGame): void {
  const { players } = game;
  if (numbers === undefined || numbers === players || (numbers === 1 && players === 2)) return;
  throw new Error(
    `its output "${name}" gives ${counted(numbers, "number")} for each position, and ${game.name} has ${counted(players, "seat")}: a value output gives ${players}${players === 2 ? ", or 1 for the seat to move" : ""}`,
  );
}

/** Throws Error unless an output gives a number for each action. */
export function assertActions(name: string, numbers: number | undefined, game: FittedGame): void {
  if (numbers === undefined || numbers === game.actions) return;
  throw new Error(
    `its output "${name}" gives ${counted(numbers, "number")} for each position, and ${game.name} has ${counted(game.actions, "action")}`,
  );
}

/** Numbers in a row of a batch; undefined if the model leaves that open. */
function numbersInRow(shape: ModelValue["shape"]): number | undefined {
  let product = 1;
  for (const axis of shape?.slice(1) ?? ["?"]) {
    if (typeof axis === "string") return undefined;
    product *= axis;
  }
  return product;
}

function inputOf({ inputs }: ModelSignature, { inputs: { planes } }: ModelOptions): ModelValue {
  const named = planes === undefined ? inputs[0] : inputs.find(({ name }) => name === planes);
  if (named === undefined)
    throw new Error(
      planes === undefined
        ? "the model has no inputs"
        : `the model has no input "${planes}"${didYouMean(
            planes,
            inputs.map(({ name }) => name),
          )} (its inputs: ${listOf(inputs)})`,
    );
  const others = inputs.filter(({ name }) => name !== named.name);
  if (others.length > 0)
    throw new Error(
      planes === undefined
        ? `the model has several inputs (${listOf(inputs)}), and only planes can be given; export one with the planes as its only input`
        : `the model also asks for ${listOf(others)}, and only planes can be given; export one with the planes as its only input`,
    );
  return named;
}

function outputOf({ outputs }: ModelSignature, wanted: string, { outputs: given }: ModelOptions): ModelValue {
  const found = outputs.find(({ name }) => name === wanted);
  if (found === undefined) {
    const meant = didYouMean(
      wanted,
      outputs.map(({ name }) => name),
    );
    throw new Error(`the model has no output "${wanted}"${meant} (its outputs: ${listOf(outputs)})`);
  }
  if (given.value === given.policy)
    throw new Error(`one output, "${wanted}", cannot be both value and policy`);
  if (found.type !== "float32")
    throw new Error(`its output ${described(found)} must be float32; export the model with float32 numbers`);
  return found;
}

function fitPlanes(
  input: ModelValue,
  { shape: [height, width, channels] }: Planes<any>,
  { layout: given }: ModelOptions,
): { readonly batch: number | undefined; readonly layout: Layout; readonly shape: readonly number[] } {
  if (input.type !== "float32")
    throw new Error(`its input ${described(input)} must be float32; export the model with float32 numbers`);
  const shapes = { nchw: [channels, height, width], nhwc: [height, width, channels] };
  // The file may leave the axes open.
  const [batch, ...sizes] = input.shape ?? ["N", "?", "?", "?"];
  const fitting = (["nchw", "nhwc"] as const).filter(
    (each) =>
      sizes.length === 3 &&
      shapes[each].every((size, i) => typeof sizes[i] === "string" || sizes[i] === size),
  );
  const planes = `planes of ${counted(channels, "channel")}, ${counted(height, "row")} and ${counted(width, "column")}`;
  if (given === null && fitting.length > 1)
    throw new Error(
      `its input ${described(input)} takes ${planes} in both orders of axes: write layout: nchw for [N, ${shapes.nchw.join(", ")}] (batch, channels, height, width), as PyTorch exports it, or layout: nhwc for [N, ${shapes.nhwc.join(", ")}] (batch, height, width, channels)`,
    );
  const layout = given ?? fitting[0];
  if (layout === undefined || !fitting.includes(layout))
    throw new Error(
      `its input ${described(input)} does not take ${planes} as ${(given === null ? (["nchw", "nhwc"] as const) : [given]).map((each) => `${each}: [N, ${shapes[each].join(", ")}]`).join(", or ")}${fitting.map((each) => `; it takes them with layout: ${each}`).join("")}`,
    );
  const shape = shapes[layout];
  if (batch === 0) throw new Error(`its input ${described(input)} takes no positions`);
  return { batch: typeof batch === "number" ? batch : undefined, layout, shape };
}

/** How the value output becomes values. Throws Error if a range has no meaning. */
function scaling(game: Game<any>, { range, values, valueActivation }: ModelOptions) {
  const [low, high] = boundsOf(game, values);
  const tanh = valueActivation === "tanh";
  const sum = low + high;
  if (range === null) return { tanh, factor: 1, offset: 0, sum, range: undefined };
  const [least, greatest] = range as [number, number];
  if (!(least < greatest)) throw new Error(`range: [${least}, ${greatest}] must be two increasing numbers`);
  if (!Number.isFinite(high - low))
    throw new Error(
      `range: returns of ${game.name} have no bounds; leave range out, and export a model that gives returns`,
    );
  const factor = (high - low) / (greatest - least);
  return { tanh, factor, offset: low - least * factor, sum, range: [least, greatest] as const };
}

function boundsOf({ returnBounds }: Game<any>, values: ValueKind): readonly [number, number] {
  if (values === "returns") return returnBounds;
  return values === "win-share" ? [0, 1] : [-1, 1];
}

/** A value of the model, for people: `"x" (float32 [N, 2, 6, 7])`. */
function described({ name, type, shape }: ModelValue): string {
  return `"${name}" (${type}${shape === undefined ? "" : ` [${shape.join(", ")}]`})`;
}

function listOf(values: readonly ModelValue[]): string {
  return values.map(described).join(", ") || "none";
}

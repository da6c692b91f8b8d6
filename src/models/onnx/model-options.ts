import { type Static, Type } from "../../schema.ts";
import { netOptions } from "../definition.ts";

/** The options of a model from elsewhere: its file, and what its inputs and outputs mean. */
export const modelOptions = Type.Object(
  {
    file: Type.String({
      minLength: 1,
      description: "The model file in ONNX's format, relative to this file.",
    }),
    sha256: Type.Union(
      [
        Type.String({ pattern: "^[0-9a-f]{64}$", patternErrorMessage: "expected 64 hexadecimal digits" }),
        Type.Null(),
      ],
      {
        default: null,
        description:
          "SHA-256 of the model: a file with another content is refused. null: taken from the file when a run begins, and kept with the run.",
      },
    ),
    inputs: Type.Object(
      {
        planes: Type.Optional(
          Type.String({
            description:
              "The input that takes the planes of the positions. Absent: the only input of the model.",
          }),
        ),
      },
      { additionalProperties: false, default: {}, description: "The inputs of the model, by name." },
    ),
    outputs: Type.Object(
      {
        value: Type.Optional(
          Type.String({
            description:
              "The output with the values: one number for each position, for the seat to move, or one for each seat, in turn order from the seat to move.",
          }),
        ),
        policy: Type.Optional(
          Type.String({
            description: "The output with a number for each action, in the order of the actions.",
          }),
        ),
      },
      {
        additionalProperties: false,
        minProperties: 1,
        description: "The outputs of the model, by name: the value, the policy, or both.",
      },
    ),
    layout: Type.Union([Type.Literal("nchw"), Type.Literal("nhwc"), Type.Null()], {
      default: null,
      description:
        "The order of the axes of the planes: `nchw` is batch, channels, height, width, as in PyTorch; `nhwc` is batch, height, width, channels, as in TensorFlow. null: the one that fits the input of the model; needed if both fit.",
    }),
    valueActivation: Type.Union([Type.Literal("linear"), Type.Literal("tanh")], {
      default: "linear",
      description:
        "What is applied to the value output: nothing (`linear`), or `tanh` if the model leaves it out.",
    }),
    range: Type.Union(
      [Type.Array(Type.Number({ minimum: -1e12, maximum: 1e12 }), { minItems: 2, maxItems: 2 }), Type.Null()],
      {
        default: null,
        description:
          "The least and the greatest number of the value output: -1 and 1 after a tanh. They are mapped onto the least and the greatest value of the kind in `values`. null: the output has that kind's own units.",
      },
    ),
    policyOutput: Type.Union([Type.Literal("logits"), Type.Literal("probabilities")], {
      default: "logits",
      description:
        "What the policy output holds: `logits` (or logarithms of probabilities), or `probabilities`.",
    }),
    ...netOptions,
  },
  { additionalProperties: false },
);

/** The options of a model from elsewhere. */
export type ModelOptions = Static<typeof modelOptions>;

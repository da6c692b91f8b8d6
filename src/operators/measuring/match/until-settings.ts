import { type Static, Type } from "../../../schema.ts";

/** The probability of an error of a sequential test. */
export const errorRate = (description: string) =>
  Type.Number({ exclusiveMinimum: 0, exclusiveMaximum: 0.5, default: 0.05, description });

/** The setting that ends learning when it brings no more. */
export const untilSchema = Type.Object(
  {
    gain: Type.Number({
      exclusiveMinimum: 0,
      maximum: 5000,
      description:
        "Elo that the newest version should gain over the earlier one. The test decides between this gain and none.",
    }),
    versions: Type.Integer({
      minimum: 1,
      maximum: 1_000_000,
      description:
        "The earlier version is that of so many rounds before: a multiple of `earlier.every`, and at most `earlier.most` times as much.",
    }),
    alpha: errorRate("Probability that learning continues if the gain is 0."),
    beta: errorRate("Probability that learning ends if the gain is `gain`."),
  },
  {
    additionalProperties: false,
    description:
      "Ends learning when a sequential test decides that the newest version gains nothing over the version of some rounds before, by the games of these two in all rounds. Needs `earlier`, and a learner from self-play.",
  },
);

/** When learning ends. */
export type UntilSettings = Static<typeof untilSchema>;

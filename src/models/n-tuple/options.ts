import { type Static, Type } from "../../schema.ts";
import { type TupleSetName, tupleSetNames, tupleSetsDescription } from "./tuple-sets.ts";

/** The options of `n-tuple`. */
export const nTupleOptions = Type.Object(
  {
    tuples: Type.Unsafe<TupleSetName>({
      type: "string",
      enum: [...tupleSetNames],
      default: "4x6",
      description: `The cells that the tuples look at. ${tupleSetsDescription}.`,
    }),
    initialValue: Type.Number({
      minimum: 0,
      maximum: 1e12,
      default: 0,
      description:
        "The value of every board before learning, in points. Above what is reached it makes learning explore (optimistic initialisation).",
    }),
    stages: Type.Optional(
      Type.Array(Type.Integer({ minimum: 4, maximum: 2 ** 17, description: "A tile: a power of two." }), {
        maxItems: 4,
        uniqueItems: true,
        description:
          "Tiles in increasing order: boards whose greatest tile has reached one are valued by tables of their own (multi-stage).",
      }),
    ),
    promotion: Type.Optional(
      Type.Boolean({
        description:
          "With stages. true (default): a weight of a later stage begins with that of the stage before when it is first stepped; false: with initialValue, as those of the first.",
      }),
    ),
  },
  { additionalProperties: false },
);

/** `nTupleOptions` as values. */
export type NTupleOptions = Static<typeof nTupleOptions>;

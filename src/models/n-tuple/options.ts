import { type Static, Type } from "../../schema.ts";
import { type TupleSetName, tupleSetNames, tupleSetsDescription } from "./tuple-sets.ts";

/** The options of `n-tuple`. */
export const nTupleOptions = Type.Object(
  {
    tuples: Type.Unsafe<TupleSetName>({
      type: "string",
      enum: [...tupleSetNames],
      default: "4x6",
      description: `The set of tuples, that is which cells each tuple reads. ${tupleSetsDescription}.`,
    }),
    initialValue: Type.Number({
      minimum: 0,
      maximum: 1e12,
      default: 0,
      description:
        "Value of every board before learning, in points. A value above those that play reaches makes learning explore (optimistic initialisation).",
    }),
    stages: Type.Optional(
      Type.Array(Type.Integer({ minimum: 4, maximum: 2 ** 17, description: "A tile: a power of two." }), {
        maxItems: 4,
        uniqueItems: true,
        description:
          "Tiles in increasing order. Each begins a stage: boards whose greatest tile is at least this tile have tables of their own (multi-stage).",
      }),
    ),
    promotion: Type.Optional(
      Type.Boolean({
        description:
          "For `stages`. true (default): a weight of a later stage starts from the weight of the stage before, when it is first updated. false: it starts from initialValue, like the weights of the first stage.",
      }),
    ),
  },
  { additionalProperties: false },
);

/** `nTupleOptions` as values. */
export type NTupleOptions = Static<typeof nTupleOptions>;

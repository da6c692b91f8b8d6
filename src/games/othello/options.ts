import { type Static, Type } from "../../schema.ts";

/** Options of `othello`. */
export const optionsOthello = Type.Object(
  {
    size: Type.Union([Type.Literal(4), Type.Literal(6), Type.Literal(8)], {
      default: 8,
      description: "Rows and columns of the board: 4, 6 or 8.",
    }),
  },
  { additionalProperties: false },
);

/** The options of `othello` as a value. */
export type OptionsOthello = Static<typeof optionsOthello>;

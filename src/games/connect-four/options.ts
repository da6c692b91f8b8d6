import { type Static, Type } from "../../schema.ts";

/** Options of `connect-four`. */
export const optionsConnectFour = Type.Object(
  {
    columns: Type.Integer({
      minimum: 4,
      maximum: 8,
      default: 7,
      description: "Columns of the board: 4 to 8.",
    }),
    rows: Type.Integer({
      minimum: 4,
      maximum: 7,
      default: 6,
      description: "Rows of the board: 4 to 7.",
    }),
  },
  { additionalProperties: false },
);

/** The options of `connect-four` as a value. */
export type OptionsConnectFour = Static<typeof optionsConnectFour>;

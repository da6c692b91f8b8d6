import { sgfEndings } from "../../../games/sgf-moves.ts";
import { type Static, Type } from "../../../schema.ts";

const share = (part: string) =>
  Type.Number({
    minimum: 0,
    maximum: 0.9,
    default: 0.05,
    description: `The share of the games that is kept apart for ${part}. Which games these are follows from their moves and \`seed\` alone.`,
  });

/** What is taken of files of games: settings of the stage `sgf` and of `ludoflow convert`, beside the files. */
export const filterSettings = {
  leastMoves: Type.Integer({
    minimum: 1,
    maximum: 1_000_000,
    default: 1,
    description: "Games with fewer moves are left out.",
  }),
  results: Type.Optional(
    Type.Array(
      Type.Unsafe<(typeof sgfEndings)[number]>(Type.Union(sgfEndings.map((ending) => Type.Literal(ending)))),
      {
        minItems: 1,
        description:
          "Only games that ended in one of these ways are taken. score: counted, or over by the rules; other: the file gives only the winner; unknown: not even that. Absent: all.",
      },
    ),
  ),
  handicap: Type.Optional(
    Type.Integer({
      minimum: 0,
      maximum: 361,
      description:
        "Games with more handicap stones are left out. 0: only even games. Absent: all. See setUp for other positions.",
    }),
  ),
  setUp: Type.Boolean({
    default: true,
    description:
      "Whether games are taken that begin with a position that was set up and is not a handicap, such as problems, or openings that were drawn.",
  }),
  rating: Type.Optional(
    Type.Object(
      {
        least: Type.Optional(
          Type.String({ description: "The lowest rank or rating that is taken: 5k, 3d, 1p, 2100." }),
        ),
        most: Type.Optional(Type.String({ description: "The highest rank or rating that is taken." })),
      },
      {
        additionalProperties: false,
        description:
          "Only games are taken whose players all have a rank or a rating in this range. Ranks are ordered 30k to 1k, 1d to 9d, 1p to 9p; ratings are numbers. A rank is not compared with a rating.",
      },
    ),
  ),
  options: Type.Optional(
    Type.Unsafe<Readonly<Record<string, readonly unknown[]>>>({
      type: "object",
      additionalProperties: { type: "array", minItems: 1 },
      description:
        "Only games are taken whose file gives one of these values for an option of the game: { komi: [6.5, 7.5] }.",
    }),
  ),
  duplicates: Type.Union([Type.Literal("symmetric"), Type.Literal("exact"), Type.Literal("keep")], {
    default: "symmetric",
    description:
      "Of games with equal starts and moves the first one is taken. symmetric: images under symmetries of the board count as equal; exact: they do not; keep: duplicates are taken too.",
  }),
  group: Type.Union(
    [
      Type.Literal("source"),
      Type.Literal("file"),
      Type.Literal("player"),
      Type.Literal("rating"),
      Type.Literal("none"),
    ],
    {
      default: "source",
      description:
        "What the games are grouped by, for figures by group; at most 256 groups. source: the entry of `sources`; file: the file, without its ending; player: the names of the players; rating: the lowest rank or rating of the players. Games of an .h5 file keep their groups.",
    },
  ),
  validation: share("validation"),
  test: share("the test"),
  seed: Type.Integer({
    minimum: 0,
    maximum: 2 ** 32 - 1,
    default: 1,
    description: "Draws the parts of games: training, validation, test.",
  }),
};

/** What is taken of files of games. */
export type FilterSettings = Static<ReturnType<typeof filterSchema>>;

/** The settings of `ludoflow convert` as one schema. */
export const filterSchema = () => Type.Object(filterSettings, { additionalProperties: false });

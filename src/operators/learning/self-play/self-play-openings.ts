import { type Static, type TObject, Type } from "../../../schema.ts";
import { type Game, OVER } from "../../../games/game.ts";
import { Random } from "../../../random.ts";
import type { OpenExperiment } from "../../experiment/open-experiment.ts";
import type { Complaint } from "../../run/complaint.ts";
import type { GivenOpening } from "../../play/game-task.ts";
import { BookUnusable, openingsSchema, readBook } from "../../play/openings/openings.ts";

/** A number, or a range that it is drawn from uniformly. */
const countSchema = (least: number, description: string) =>
  Type.Union(
    [
      Type.Integer({ minimum: least, maximum: 1000, description: "Always this number." }),
      Type.Object(
        {
          least: Type.Integer({ minimum: least, maximum: 1000, description: "The least number." }),
          most: Type.Integer({ minimum: least, maximum: 1000, description: "The greatest number." }),
        },
        { additionalProperties: false, description: "Drawn uniformly, both ends included." },
      ),
    ],
    { description },
  );

const opening = {
  share: Type.Number({
    exclusiveMinimum: 0,
    maximum: 1,
    default: 1,
    description: "Probability that a game begins so. The shares of all openings together are at most 1.",
  }),
  book: openingsSchema.properties.book,
  forks: Type.Optional(
    Type.Object(
      {
        back: countSchema(
          1,
          "Number of plies before the end of the earlier game. A shorter game is taken from its start.",
        ),
      },
      {
        additionalProperties: false,
        description:
          "Begins with a position of an earlier game: one that is drawn from the generation before, or with `schedule: overlapped` from the generation before that one. Games of the first generations, which have no such generation, begin at the start.",
      },
    ),
  ),
  plies: Type.Optional(
    countSchema(
      1,
      "Number of decisions that are drawn at random, uniformly among the legal moves: at the start, or after the position of `book` or `forks`. Moves that end the game are drawn again, all of them.",
    ),
  ),
};

/** The setting `openings` of self-play. */
export const selfPlayOpeningsSchema = Type.Optional(
  Type.Array(Type.Object(opening, { additionalProperties: false }), {
    minItems: 1,
    maxItems: 20,
    description:
      "How games begin whose first moves the agent does not choose. These moves are played and recorded, and nothing learns from them: examples begin with the first decision of the agent. Each entry has `plies`, `book` or `forks`; `plies` can be given with one of the others. Games that no share falls to begin at the start.",
  }),
);

type OpeningSettings = Static<TObject<typeof opening>>;
type Count = number | { readonly least: number; readonly most: number };

/** How often an opening is drawn that always ends the game. */
const MOST_DRAWS = 100;

/** The moves of a finished game by its number. */
export type MovesOfGame = (game: number) => ArrayLike<number>;

/** The stage whose games begin with openings. */
export interface OpeningsOfStage {
  readonly opened: OpenExperiment;
  readonly stage: string;
  readonly openings: readonly OpeningSettings[];
  /** Games of a generation. */
  readonly generation: number;
  /** By how many versions self-play lags behind the newest weights. */
  readonly lag: number;
}

/**
 * The openings of self-play. That of a game is a function of the experiment and the number of the game; with forks also of
 * the games of an earlier generation.
 */
export class SelfPlayOpenings {
  readonly #of: OpeningsOfStage;
  /** By entry. */
  readonly #books: readonly (readonly (readonly number[])[] | undefined)[];

  /** Throws BookUnusable. */
  constructor(of: OpeningsOfStage) {
    this.#of = of;
    this.#books = of.openings.map(({ book }) =>
      book === undefined ? undefined : readBook(of.opened.game, book),
    );
  }

  /** Number of games that must be finished before the opening of a game is known. */
  needs(index: number): number {
    const { openings } = this.#of;
    return openings.some(({ forks }) => forks !== undefined)
      ? Math.max(0, this.#earlierGeneration(index) + 1) * this.#of.generation
      : 0;
  }

  /** Whether a share falls to a game. */
  falls(index: number): boolean {
    return this.#draw(this.#random(index)) !== undefined;
  }

  /** The opening of a game; undefined if it begins at the start. `movesOf` is called for games that `needs` counts. */
  of(index: number, movesOf: MovesOfGame): GivenOpening | undefined {
    const { opened, stage } = this.#of;
    const random = this.#random(index);
    const entry = this.#draw(random);
    if (entry === undefined) return undefined;
    const { forks, plies } = this.#of.openings[entry]!;
    const book = this.#books[entry];
    const first =
      book !== undefined
        ? book[random.below(book.length)]!
        : forks === undefined
          ? []
          : this.#fork(index, forks.back, random, movesOf);
    if (first === undefined) return undefined;
    const more = plies === undefined ? 0 : drawCount(plies, random);
    // Chance is drawn by the game itself, so its players' moves are drawn meanwhile.
    if (opened.game.chance !== undefined) return { plies: more, name: [stage, index, "opening", "moves"] };
    return { actions: extended(opened.game, first, more, random) };
  }

  #random(index: number): Random {
    const { opened, stage } = this.#of;
    return Random.named(opened.experiment.seed, stage, index, "opening");
  }

  /** Draws which entry a game begins with. */
  #draw(random: Random): number | undefined {
    let left = random.float();
    const entry = this.#of.openings.findIndex(({ share }) => (left -= share) < 0);
    return entry < 0 ? undefined : entry;
  }

  /** The newest generation whose games are finished when those of the generation of a game begin; -1 and less: none. */
  #earlierGeneration(index: number): number {
    const { generation, lag } = this.#of;
    return Math.floor(index / generation) - 1 - lag;
  }

  /** The first moves of an earlier game. */
  #fork(index: number, back: Count, random: Random, movesOf: MovesOfGame): number[] | undefined {
    const { generation } = this.#of;
    const earlier = this.#earlierGeneration(index);
    if (earlier < 0) return undefined;
    const moves = movesOf(earlier * generation + random.below(generation));
    return Array.from(moves).slice(0, Math.max(0, moves.length - drawCount(back, random)));
  }
}

/** The mean number of decisions that a game's opening draws, for the work of a stage; those of books and forks are not counted. */
export function drawnDecisions(openings: readonly OpeningSettings[]): { readonly drawn?: number } {
  const drawn = openings.reduce(
    (sum, { plies = 0, share }) =>
      sum + share * (typeof plies === "number" ? plies : (plies.least + plies.most) / 2),
    0,
  );
  return drawn === 0 ? {} : { drawn };
}

function drawCount(count: Count, random: Random): number {
  return typeof count === "number" ? count : count.least + random.below(count.most - count.least + 1);
}

/**
 * Moves, and so many drawn ones after them with which the game is not over. If all draws end the game, the last one less
 * its last move.
 */
function extended(
  game: Game<unknown>,
  first: readonly number[],
  plies: number,
  random: Random,
): readonly number[] {
  const start = game.initial();
  for (const action of first) game.play(start, action);
  const state = game.initial();
  const legal = new Int32Array(game.maxLegal);
  for (let left = MOST_DRAWS; ; left--) {
    game.copy(start, state);
    const moves = [...first];
    for (let ply = 0; ply < plies && game.toMove(state) !== OVER; ply++) {
      const action = legal[random.below(game.legal(state, legal))]!;
      game.play(state, action);
      moves.push(action);
    }
    if (game.toMove(state) !== OVER) return moves;
    if (left === 1) return moves.slice(0, -1);
  }
}

/** Complaints about openings of self-play. */
export function complainOpenings(
  openings: readonly OpeningSettings[],
  { experiment, game }: Pick<OpenExperiment, "experiment" | "game">,
): Complaint[] {
  const complaints: Complaint[] = [];
  // Shares such as .1 and .9 have a sum that may be off by its last bit.
  const shares = openings.reduce((sum, { share }) => sum + share, 0);
  if (shares > 1 + 1e-9)
    complaints.push({
      key: "openings",
      message: `the shares of the openings are ${Number(shares.toPrecision(6))} together; make them 1 at most`,
    });
  for (const [entry, { book, forks, plies }] of openings.entries()) {
    const key = `openings/${entry}`;
    if (book === undefined && forks === undefined && plies === undefined)
      complaints.push({ key, message: "give plies, a book or forks" });
    if (book !== undefined && forks !== undefined)
      complaints.push({ key, message: "give a book or forks, not both; another entry can have the other" });
    for (const [name, count] of [
      ["plies", plies],
      ["forks/back", forks?.back],
    ] as const)
      if (typeof count === "object" && count.least > count.most)
        complaints.push({
          key: `${key}/${name}`,
          message: `least is ${count.least} and most is ${count.most}: make least at most as great`,
        });
    for (const [name, given] of [
      ["book", book],
      ["forks", forks],
    ] as const)
      if (given !== undefined && game.chance !== undefined)
        complaints.push({
          key: `${key}/${name}`,
          message: `${game.name} has moves of chance, which ${name === "book" ? "a book does" : "forks do"} not hold; give plies`,
        });
    if (forks !== undefined && experiment.schedule === "asynchronous")
      complaints.push({
        key: `${key}/forks`,
        message:
          "which games are earlier ones is known with schedule: synchronous or overlapped; choose one of these, or leave forks out",
      });
    if (book !== undefined && game.chance === undefined) complaints.push(...complainBook(game, book, key));
  }
  return complaints;
}

function complainBook(game: Game<unknown>, book: string, key: string): Complaint[] {
  try {
    readBook(game, book);
    return [];
  } catch (error) {
    if (!(error instanceof BookUnusable)) throw error;
    return [{ key: `${key}/book`, message: error.message }];
  }
}

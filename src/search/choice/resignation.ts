import type { Game } from "../../games/game.ts";
import { type Static, Type } from "../../schema.ts";

const resignation = Type.Object(
  {
    below: Type.Number({
      minimum: -1,
      maximum: 1,
      description: "The value that the player resigns below, in units of the returns that it plays for.",
    }),
    decisions: Type.Optional(
      Type.Integer({
        minimum: 1,
        maximum: 1000,
        default: 3,
        description: "Number of its own decisions in a row whose value lies below.",
      }),
    ),
  },
  { additionalProperties: false },
);

/** The option `resign`. */
export const resignOption = Type.Optional(
  Type.Union([resignation, Type.Null()], {
    default: null,
    description:
      "When the player resigns, in games of two that are won or lost: its value was low for some decisions. It plays games to the end if something learns from them. null: never.",
  }),
);

/** The option, complete. Runs of earlier versions lack it. */
export type ResignOption = Static<typeof resignation> | null | undefined;

/**
 * Whether a player can give a game up: a game of two whose returns show only the winner. The player then has the least
 * return, and the other one the greatest.
 */
export function canResign({ players, returnBounds: [least, most] }: Game<any>): boolean {
  return players === 2 && most - least <= 2;
}

/** The reason why the option does not suit a game, or undefined if it does. */
export function unsuitedResignation(game: Game<any>, resign: ResignOption): string | undefined {
  if (resign === null || resign === undefined || canResign(game)) return undefined;
  return `resign is for games of two that are won or lost, and ${game.name} is not such a game`;
}

/** Counts the decisions in a row whose value is low, for each seat. */
export class Resignation {
  readonly #resign: NonNullable<ResignOption>;
  readonly #low = [0, 0];

  /** The count for a player with the option; undefined for one that never gives up. */
  static of(resign: ResignOption): Resignation | undefined {
    return resign ? new Resignation(resign) : undefined;
  }

  constructor(resign: NonNullable<ResignOption>) {
    this.#resign = resign;
  }

  /** A new game begins. */
  begin(): void {
    this.#low.fill(0);
  }

  /** Counts the next decision of a seat, with its value for the seat; returns whether the seat resigns. */
  resigns(seat: number, value: number): boolean {
    const { below, decisions = 3 } = this.#resign;
    this.#low[seat] = value < below ? this.#low[seat]! + 1 : 0;
    return this.#low[seat] >= decisions;
  }
}

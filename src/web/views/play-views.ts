import type { Board, BoardPlace, PieceShape } from "../../figures/boards/board.ts";

/** The games that can be played on the page, and their players. */
export interface PlayOffers {
  readonly games: readonly GameOffer[];
}

/** A game with its players, the one that is chosen unless a person chooses first. */
export interface GameOffer {
  /** The name of its rules: `blokus-duo`. */
  readonly rules: string;
  /** Its name for people: `Blokus Duo`. */
  readonly title: string;
  /** A position in the midst of a game, by the `variant` of players; none of games of plug-ins. */
  readonly boards: Readonly<Record<string, Board>>;
  readonly players: readonly PlayerOffer[];
}

/** A player that people can play against. */
export interface PlayerOffer {
  /** Names it in addresses. */
  readonly key: string;
  /** Its name, and where it comes from: `mc-softmax`, `after 5,000 games of quickstart`. */
  readonly name: string;
  readonly from: string;
  /** Whether it comes from a run, from a net of this package, or is a search without a net. */
  readonly kind: "run" | "net" | "search";
  /** The options in which its game differs from the usual ones: `9×9`; empty if it does not. */
  readonly variant: string;
  /** Simulations a move as it was made; absent if its search has no such number. */
  readonly simulations?: number;
  /** The names of the seats, as many as the game has. */
  readonly seats: readonly string[];
}

/** The holder of a seat. */
export type SeatTaken =
  | { readonly by: "player" }
  /** A person at this browser (`you`) or at another one; `open`: nobody has sat down yet. */
  | { readonly by: "person"; readonly you: boolean; readonly open: boolean };

/** A legal move. */
export interface MoveShown {
  readonly action: number;
  readonly text: string;
  readonly place?: BoardPlace;
}

/** A move that was played. */
export interface PlayedMove {
  /** The number of the decision, from 1. */
  readonly number: number;
  readonly seat: number;
  /** Absent if the viewing seat cannot know it. */
  readonly text?: string;
}

/** A game in progress as one visitor may see it. */
export interface PlayView {
  readonly id: string;
  readonly rules: string;
  readonly title: string;
  readonly variant: string;
  /** The player's key, name and origin. */
  readonly player: Pick<PlayerOffer, "key" | "name" | "from" | "kind">;
  /** Simulations a move that the player has now, and those that it can be given. */
  readonly simulations?: number;
  readonly levels: readonly number[];
  /** The mean time of its moves with this number, in seconds; absent before the first one. */
  readonly secondsAMove?: number;
  readonly seats: readonly SeatTaken[];
  readonly seatNames: readonly string[];
  /** The pieces of a seat by name, if the game has such. */
  readonly pieceShapes?: Readonly<Record<string, PieceShape>>;
  /** The number of plies so far: a move names it, so that no move is played twice. */
  readonly ply: number;
  /** The number of decisions so far. */
  readonly decisions: number;
  readonly state: "thinking" | "waiting" | "over" | "failed";
  /** The seat to move; absent when the game is over. */
  readonly toMove?: number;
  /** Seconds that the player has thought so far. */
  readonly thinkingFor?: number;
  /** Why it has failed. */
  readonly message?: string;
  /** The position as this visitor may see it; absent if nothing may be shown. */
  readonly board?: Board;
  /** The seat through whose eyes it is seen; absent: all is open, or the visitor has no seat. */
  readonly seenBy?: number;
  /** Whether hands are hidden in this game. */
  readonly hidden: boolean;
  /** A seat of this visitor that must ask to see its cards first. */
  readonly waitsFor?: number;
  /** The legal moves; only for the visitor who is to move. */
  readonly moves: readonly MoveShown[];
  /** By reason: cells that none of these moves reaches; only for the visitor who is to move. */
  readonly refusals: Readonly<Record<string, readonly number[]>>;
  /** The newest moves, newest last. */
  readonly played: readonly PlayedMove[];
  readonly canUndo: boolean;
  /** The result by seat, once it is over. */
  readonly returns?: readonly number[];
  /** The seat that gave up. */
  readonly gaveUp?: number;
  /** The least and greatest return of a seat; null: without a bound. */
  readonly bounds: readonly [number | null, number | null];
  readonly facts?: Readonly<Record<string, number>>;
  /** Where the finished game is stored: the path of its run, and its number there. */
  readonly stored?: { readonly run: string; readonly stage: string; readonly game: number };
}

/** What a player thinks of a position. It is sent only to the person who asks for it. */
export interface AdviceShown {
  readonly ply: number;
  readonly seat: number;
  /** The move that it would play. */
  readonly action: number;
  readonly text: string;
  /** What it expects for the mover; absent if it estimates nothing. */
  readonly value?: number;
  readonly simulations: number;
  readonly legal: number;
  /** The least and greatest of its values; null: without a bound. */
  readonly bounds: readonly [number | null, number | null];
  /** The best moves, best first. */
  readonly moves: readonly ThoughtMove[];
}

/** A move that was thought of. */
export interface ThoughtMove extends MoveShown {
  /** Its share of the simulations; absent if there are none. */
  readonly share?: number;
  readonly value?: number;
  /** The probability that the net gives it before any search. */
  readonly prior?: number;
}

/** What a visitor does in a game. */
export type PlayAct =
  | { readonly do: "move"; readonly ply: number; readonly action: number }
  | { readonly do: "undo"; readonly ply: number }
  | { readonly do: "level"; readonly simulations: number }
  | { readonly do: "player"; readonly player: string }
  | { readonly do: "stop" | "again" }
  | { readonly do: "give-up" }
  | { readonly do: "sit" | "look"; readonly seat: number };

import type { Game } from "../../games/game.ts";

/** A request of the referee's protocol: the object on a line. */
export type RefereeRequest = Readonly<Record<string, unknown>>;

/** A response of the referee's protocol, before it is written as a line. */
export type RefereeResponse = Readonly<Record<string, unknown>>;

/** A request that the referee cannot fulfil. The message says why. */
export class RefereeError extends Error {
  readonly _tag = "RefereeError";
  /** A stable code that the response carries beside the message; absent for most mistakes. */
  readonly code: string | undefined;

  constructor(message: string, code?: string) {
    super(message);
    this.name = "RefereeError";
    this.code = code;
  }
}

/** What the referee offers for one game beyond what it offers for every game. */
export interface RefereeParticulars {
  /** The name of the rules, for messages. */
  readonly rules: string;
  /** Whether the game is of these rules. */
  of(game: Game<unknown>): boolean;
  /** Makes the state that a `set` describes by keys of this game's own. Throws RefereeError for an impossible one. */
  set(game: Game<unknown>, request: RefereeRequest): unknown;
  /** Additional fields of the response to `state`. */
  state?(game: Game<unknown>, state: unknown): RefereeResponse;
  /** Commands that look at the state and leave it as it is. */
  readonly commands: Readonly<
    Record<string, (game: Game<unknown>, state: unknown, request: RefereeRequest) => RefereeResponse>
  >;
}

import { type Game, OVER } from "../../games/game.ts";
import type { GameConfig } from "../../games/registry.ts";
import { Random } from "../../random.ts";
import type { SessionAgent } from "../session-agent.ts";
import type { GtpGame } from "./dialect.ts";
import { GtpError } from "./error.ts";

/** A game that is open, and the agent that plays it. */
export interface OpenedForGtp {
  readonly game: Game<unknown>;
  /** What names the game, with all its options. */
  readonly config: GameConfig;
  /** Makes the agent once more: each seat has its own. */
  readonly newAgent: () => SessionAgent;
}

/** In place of a number of plies: the agent knows nothing of the present game. */
const NOTHING = -1;
/** In place of a number of plies: the agent has been told of no game at all, so it has kept nothing. */
const NEVER = -2;

/** An agent in one seat. */
interface Seated {
  readonly agent: SessionAgent;
  /** The number of plies of the game that it has been told, or NOTHING, or NEVER. */
  told: number;
}

/** One ply of the game. */
interface Ply {
  /** The state that `undo` goes back to. */
  readonly position: unknown;
  /** This state when it is the turn of the seat that played. */
  readonly before: unknown;
  readonly action: number;
}

/** A move that an agent has found. */
export interface FoundMove {
  readonly before: unknown;
  readonly action: number;
  readonly text: string;
}

/**
 * A game as GTP plays it: any colour may move, the agent plays each colour that it is requested for, and every ply can be
 * undone.
 */
export class GtpBoard {
  readonly config: GameConfig;
  readonly game: Game<unknown>;
  /** How the dialect speaks of the game. */
  readonly spoken: GtpGame;
  readonly #newAgent: () => SessionAgent;
  /** By seat, made when first requested. */
  readonly #seats: (Seated | undefined)[];
  #start: unknown;
  /** Whether the start is a position of its own, not that of the rules. */
  #setUp = false;
  #plies: Ply[] = [];
  #state: unknown;

  /** Makes an agent at once: an Error tells what is wrong where it cannot play the game. */
  constructor(spoken: GtpGame, { config, game, newAgent }: OpenedForGtp) {
    this.config = config;
    this.game = game;
    this.spoken = spoken;
    this.#newAgent = newAgent;
    this.#seats = [{ agent: newAgent(), told: NEVER }];
    this.#state = this.#start = game.initial();
  }

  /** The position now. */
  get state(): unknown {
    return this.#state;
  }

  /** The seat to move; once the game is over, any. */
  get mover(): number {
    return Math.max(0, this.game.toMove(this.#state));
  }

  /** The actions from the start of the game. Throws GtpError where the actions are no whole game. */
  get line(): readonly number[] {
    if (this.#setUp) throw new GtpError("cannot save a game from a position that was set up");
    if (!this.#inTurn) throw new GtpError("cannot save a game in which colours moved out of turn");
    return this.#plies.map(({ action }) => action);
  }

  get #inTurn(): boolean {
    return this.#plies.every((ply) => ply.before === ply.position);
  }

  /** Begins the game again, at the start that the rules have. */
  clear(): void {
    this.#begin(this.game.initial());
  }

  /** The text of the position; see `Notation`. */
  get position(): string {
    return this.game.notation.position(this.#state);
  }

  /** Sets up the position of a text, as a start of its own. Throws GtpError with the code of the mistake. */
  setUp(text: string): void {
    const reading = this.game.notation.parsePosition(text);
    if ("error" in reading) throw new GtpError(`${reading.error.code}: ${reading.error.message}`);
    this.#begin(reading.state, true);
  }

  /** Sets up the state after these actions from the start of the game. */
  replay(actions: readonly number[]): void {
    this.clear();
    for (const action of actions) this.advance({ before: this.#state, action });
  }

  /** Takes back the last ply. */
  undo(): void {
    const last = this.#plies.pop();
    if (last === undefined) throw new GtpError("cannot undo: this is the start of the game");
    this.#state = last.position;
    this.#untell();
  }

  /** The legal moves of a seat, as text. */
  legal(seat: number): string[] {
    const state = this.#stateFor(seat);
    if (state === undefined) return [];
    const actions = new Int32Array(this.game.maxLegal);
    const count = this.game.legal(state, actions);
    return Array.from(actions.subarray(0, count), (action) =>
      this.spoken.moves.format(this.game, state, action),
    );
  }

  /** Plays a move for a seat. */
  play(seat: number, text: string): void {
    const before = this.#stateFor(seat);
    if (before === undefined) {
      if (text.toLowerCase() === "pass") return;
      throw new GtpError(`illegal move: ${this.spoken.colours[seat]![0]} has no move left`);
    }
    const action = this.spoken.moves.parse(this.game, before, text);
    if (action === undefined) throw new GtpError(`illegal move: ${text}`);
    this.advance({ before, action });
  }

  /** The agent's move for a seat; undefined where the seat has none left. */
  find(seat: number, seed: number): FoundMove | undefined {
    return this.#find(seat, seed, (before) => this.#agent(seat, before));
  }

  /** The move of an agent that is made for this request alone: the agents of the seats keep what they know. */
  suggest(seat: number, seed: number): FoundMove | undefined {
    return this.#find(seat, seed, (before) => {
      const seated = { agent: this.#newAgent(), told: NEVER };
      if (this.#canFollow(before)) this.#tell(seated);
      return seated.agent;
    });
  }

  #find(seat: number, seed: number, agentFor: (before: unknown) => SessionAgent): FoundMove | undefined {
    const before = this.#stateFor(seat);
    if (before === undefined) return undefined;
    const ply = this.#plies.length;
    const { action } = agentFor(before).decide(before, Random.named(seed, "agent", ply), ply);
    return { before, action, text: this.spoken.moves.format(this.game, before, action) };
  }

  /** Plays a move that was found in the position now. */
  advance({ before, action }: Omit<FoundMove, "text">): void {
    const next = this.game.initial();
    this.game.copy(before, next);
    this.game.play(next, action);
    this.#plies.push({ position: this.#state, before, action });
    this.#state = next;
  }

  /**
   * The state in which this seat is to move, or undefined where the seat has no move left. GTP lets a colour move when
   * it is not its turn; the seats between are then passed over.
   */
  #stateFor(seat: number): unknown {
    const { game, spoken } = this;
    const mover = game.toMove(this.#state);
    if (mover === seat || mover === OVER) return mover === seat ? this.#state : undefined;
    if (game.search?.passTo === undefined)
      throw new GtpError(
        `it is the turn of ${spoken.colours[mover]![0]}, not of ${spoken.colours[seat]![0]}`,
      );
    const state = game.initial();
    game.copy(this.#state, state);
    return game.search.passTo(state, seat) ? state : undefined;
  }

  /** The agent of a seat, told the game so far. */
  #agent(seat: number, before: unknown): SessionAgent {
    const follows = this.#canFollow(before);
    let seated = this.#seats[seat];
    if (seated === undefined || (!follows && seated.told !== NEVER))
      this.#seats[seat] = seated = { agent: this.#newAgent(), told: NEVER };
    if (follows) this.#tell(seated);
    return seated.agent;
  }

  /** An agent cannot follow a game in which turns were passed over: it searches the position alone. */
  #canFollow(before: unknown): boolean {
    return before === this.#state && this.#inTurn;
  }

  /** Tells an agent the part of the game that it has not been told. */
  #tell(seated: Seated): void {
    if (seated.told < 0) seated.agent.begin(this.#start);
    for (let ply = Math.max(0, seated.told); ply < this.#plies.length; ply++)
      seated.agent.observe(this.#plies[ply]!.before, this.#plies[ply]!.action);
    seated.told = this.#plies.length;
  }

  #begin(start: unknown, setUp = false): void {
    this.#start = this.#state = start;
    this.#setUp = setUp;
    this.#plies = [];
    this.#untell();
  }

  /** Makes agents forget the game: it has changed, and they are told it anew. */
  #untell(): void {
    for (const seated of this.#seats)
      if (seated !== undefined && seated.told !== NEVER) seated.told = NOTHING;
  }
}

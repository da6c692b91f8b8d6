import { type Game, OVER } from "../../games/game.ts";
import type { GameConfig } from "../../games/registry.ts";
import { Random } from "../../random.ts";
import type { Decision } from "../../search/search.ts";
import type { SessionAgent } from "../session-agent.ts";
import { type GeneratedMove, type GtpGame, type GtpRecord, reasonIllegal } from "./dialect.ts";
import { GtpError } from "./error.ts";
import { watchedMoves } from "./watched-moves.ts";
import { WatchedSearch } from "./watched-search.ts";

/** A game that is open, and the agent that plays it. */
export interface OpenedForGtp {
  readonly game: Game<unknown>;
  /** What names the game, with all its options. */
  readonly config: GameConfig;
  /** Makes the agent once more: each seat has its own. */
  readonly newAgent: () => SessionAgent;
}

/** In place of a number of plies: the agent has observed nothing of the present game. */
const NOTHING = -1;
/** In place of a number of plies: the agent has observed no game at all, so it has kept nothing. */
const NEVER = -2;

/** An agent in one seat. */
interface Seated {
  readonly agent: SessionAgent;
  /** The number of plies of the game that it has observed, or NOTHING, or NEVER. */
  observed: number;
}

/** One ply of the game. */
interface Ply {
  /** The state that `undo` goes back to. */
  readonly position: unknown;
  /** This state when it is the turn of the seat that played. */
  readonly before: unknown;
  readonly action: number;
}

/** A move that an agent has found for a position. */
interface FoundMove extends GeneratedMove {
  readonly before: unknown;
  readonly action: number;
  /** The agent gives the game up. */
  readonly resigns: boolean;
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
  /** Whether the start was set up, instead of that of the rules. */
  #setUp = false;
  #plies: Ply[] = [];
  #state: unknown;

  /**
   * Makes an agent at once; throws an Error if it cannot play the game. The board continues with the position of another
   * one, if that is given.
   */
  constructor(spoken: GtpGame, { config, game, newAgent }: OpenedForGtp, other?: GtpBoard) {
    this.config = config;
    this.game = game;
    this.spoken = spoken;
    this.#newAgent = newAgent;
    this.#seats = [{ agent: newAgent(), observed: NEVER }];
    this.#state = this.#start = game.initial();
    if (other === undefined) return;
    this.#start = other.#start;
    this.#setUp = other.#setUp;
    this.#plies = other.#plies;
    this.#state = other.#state;
  }

  /** The position now. */
  get state(): unknown {
    return this.#state;
  }

  /** The seat to move; once the game is over, any. */
  get mover(): number {
    return Math.max(0, this.game.toMove(this.#state));
  }

  /** Whether the game has ended by its rules. */
  get over(): boolean {
    return this.game.toMove(this.#state) === OVER;
  }

  /** Number of plies since the start. */
  get ply(): number {
    return this.#plies.length;
  }

  /** The game so far. Throws GtpError if its actions are none of a game, because colours moved out of turn. */
  get record(): GtpRecord {
    const actions = this.#plies.flatMap((ply) =>
      ply.before === ply.position ? [ply.action] : [this.#passBefore(ply), ply.action],
    );
    return { config: this.config, actions, ...(this.#setUp ? { start: this.#start } : {}) };
  }

  /** The action that leads to the turn of a seat that moved out of turn. */
  #passBefore({ before, position }: Ply): number {
    const { game } = this;
    const pass = this.spoken.pass?.(game);
    if (pass !== undefined && game.toMove(position) !== OVER) {
      const next = this.#after(position, pass);
      if (game.toMove(next) === game.toMove(before)) return pass;
    }
    throw new GtpError("cannot save a game in which colours moved out of turn");
  }

  /** The state after an action. */
  #after(state: unknown, action: number): unknown {
    const next = this.game.initial();
    this.game.copy(state, next);
    this.game.play(next, action);
    return next;
  }

  get #inTurn(): boolean {
    return this.#plies.every((ply) => ply.before === ply.position);
  }

  /** Begins the game again, at the start that the rules have. */
  clear(): void {
    this.#begin(this.game.initial(), false);
  }

  /** Sets up a state as the start. */
  begin(state: unknown): void {
    this.#begin(state, true);
  }

  /** The text of the position; see `Notation`. */
  get position(): string {
    return this.game.notation.position(this.#state);
  }

  /** Sets up the position of a text as the start. Throws GtpError with the code of the mistake. */
  setUp(text: string): void {
    const reading = this.game.notation.parsePosition(text);
    if ("error" in reading) throw new GtpError(`${reading.error.code}: ${reading.error.message}`);
    this.begin(reading.state);
  }

  /** Sets up the state after the actions of a game. */
  replay({ actions, start }: GtpRecord): void {
    if (start === undefined) this.clear();
    else this.begin(start);
    for (const action of actions) this.advance({ before: this.#state, action });
  }

  /** Takes back the last ply. */
  undo(): void {
    const last = this.#plies.pop();
    if (last === undefined) throw new GtpError("cannot undo: this is the start of the game");
    this.#state = last.position;
    this.#forgetGame();
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
    if (action === undefined)
      throw new GtpError(`illegal move: ${text}${reasonIllegal(this.game, before, text)}`);
    this.advance({ before, action });
  }

  /**
   * The agent's move for a seat, for which it may take this time if one is given; undefined if the seat has no
   * move left. In place of a refused action it is the agent's next choice, if there is one.
   */
  find(seat: number, seed: number, milliseconds?: number, refused?: number): FoundMove | undefined {
    return this.#find(seat, seed, (before) => this.#agent(seat, before), milliseconds, refused);
  }

  /** The move of an agent that is made for this request alone: the agents of the seats keep what they know. */
  suggest(seat: number, seed: number, milliseconds?: number): FoundMove | undefined {
    return this.#find(seat, seed, (before) => this.#guest(before), milliseconds);
  }

  /** A search for a seat that can be watched; undefined if the seat has no move left. */
  watch(seat: number, seed: number): WatchedSearch | undefined {
    const before = this.#stateFor(seat);
    if (before === undefined) return undefined;
    return new WatchedSearch({
      agent: this.#guest(before),
      game: this.game,
      moves: this.spoken.moves,
      state: before,
      random: this.#random(seed),
      decisions: this.#plies.length,
    });
  }

  /** The agent's draws at the present ply. */
  #random(seed: number): Random {
    return Random.named(seed, "agent", this.#plies.length);
  }

  #find(
    seat: number,
    seed: number,
    agentFor: (before: unknown) => SessionAgent,
    milliseconds: number | undefined,
    refused?: number,
  ): FoundMove | undefined {
    const before = this.#stateFor(seat);
    if (before === undefined) return undefined;
    const ply = this.#plies.length;
    const agent = agentFor(before);
    const decision = agent.decide(before, this.#random(seed), ply, milliseconds);
    const action = decision.action === refused ? nextChoice(decision) : decision.action;
    const { game } = this;
    const { moves } = this.spoken;
    return {
      before,
      action,
      resigns: decision.resigns === true,
      text: moves.format(game, before, action),
      watched: () => watchedMoves(decision, { agent, game, moves, state: before }),
    };
  }

  /** An agent for one request, which has observed the game so far. */
  #guest(before: unknown): SessionAgent {
    const seated = { agent: this.#newAgent(), observed: NEVER };
    if (this.#canFollow(before)) this.#catchUp(seated);
    return seated.agent;
  }

  /** Plays a move that was found in the position now. */
  advance({ before, action }: Pick<FoundMove, "before" | "action">): void {
    const next = this.#after(before, action);
    this.#plies.push({ position: this.#state, before, action });
    this.#state = next;
  }

  /**
   * The state in which this seat is to move, or undefined if the seat has no move left. GTP lets a colour move when
   * it is not its turn; the seats between are then passed over.
   */
  #stateFor(seat: number): unknown {
    const { game, spoken } = this;
    const mover = game.toMove(this.#state);
    if (mover === seat) return this.#state;
    const anyTime = spoken.turnTo !== undefined;
    if (!anyTime && mover === OVER) return undefined;
    if (!anyTime && game.search?.passTo === undefined) {
      if (this.#mustPass) {
        const passed = this.#after(this.#state, spoken.pass!(game));
        if (game.toMove(passed) === seat) return passed;
      }
      throw new GtpError(
        `it is the turn of ${spoken.colours[mover]![0]}, not of ${spoken.colours[seat]![0]}`,
      );
    }
    const state = game.initial();
    game.copy(this.#state, state);
    const turned = spoken.turnTo?.(game, state, seat) ?? game.search!.passTo!(state, seat);
    return turned ? state : undefined;
  }

  /** Whether the seat to move has no move but the pass. */
  get #mustPass(): boolean {
    const { game } = this;
    const actions = new Int32Array(game.maxLegal);
    return game.legal(this.#state, actions) === 1 && actions[0] === this.spoken.pass?.(game);
  }

  /** The agent of a seat, which has observed the game so far. */
  #agent(seat: number, before: unknown): SessionAgent {
    const follows = this.#canFollow(before);
    let seated = this.#seats[seat];
    if (seated === undefined || (!follows && seated.observed !== NEVER))
      this.#seats[seat] = seated = { agent: this.#newAgent(), observed: NEVER };
    if (follows) this.#catchUp(seated);
    return seated.agent;
  }

  /** An agent cannot follow a game in which turns were passed over: it searches the position alone. */
  #canFollow(before: unknown): boolean {
    return before === this.#state && this.#inTurn;
  }

  /** Lets an agent observe the part of the game that it has not observed. */
  #catchUp(seated: Seated): void {
    if (seated.observed < 0) seated.agent.begin(this.#start);
    for (let ply = Math.max(0, seated.observed); ply < this.#plies.length; ply++)
      seated.agent.observe(this.#plies[ply]!.before, this.#plies[ply]!.action);
    seated.observed = this.#plies.length;
  }

  #begin(start: unknown, setUp: boolean): void {
    this.#start = this.#state = start;
    this.#setUp = setUp;
    this.#plies = [];
    this.#forgetGame();
  }

  /** Makes agents forget the game: it has changed, and they observe it again from its start. */
  #forgetGame(): void {
    for (const seated of this.#seats)
      if (seated !== undefined && seated.observed !== NEVER) seated.observed = NOTHING;
  }
}

/** The action after the chosen one: the most visited other, of equals the one with the greatest value. */
function nextChoice({ action, actions, actionValues, visits }: Decision<unknown>): number {
  let best = -1;
  for (let i = 0; i < actions.length; i++)
    if (
      actions[i] !== action &&
      (best < 0 ||
        visits[i]! > visits[best]! ||
        (visits[i] === visits[best] && actionValues[i]! > actionValues[best]!))
    )
      best = i;
  return best < 0 ? action : actions[best]!;
}

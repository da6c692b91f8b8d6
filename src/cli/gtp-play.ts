import { type Game, OVER } from "../games/game.ts";
import { games } from "../games/registry.ts";
import type { GtpDialect, GtpGame } from "../protocols/gtp/dialects.ts";
import type { GameConfig } from "../operators/experiment/open-experiment.ts";
import { completeOptions } from "../options.ts";
import { Random } from "../random.ts";
import { UsageError } from "./complaint.ts";
import { type AgentObject, RefereeAgent, type ResolvedNet, type ResolveNet } from "./referee-agent.ts";

/** What stands after `?` for a command that cannot be followed. */
export class GtpError extends Error {}

/** Who plays what, and how it is spoken of. */
export interface GtpPlayOptions {
  readonly dialect: GtpDialect;
  readonly agent: AgentObject;
  readonly resolveNet?: ResolveNet;
}

/** What an agent has been told: nothing of the game yet. */
const NOTHING = -1;
/** What an agent has been told: never of any game, so that it has kept nothing. */
const NEVER = -2;

/** An agent in one seat. */
interface Seated {
  readonly agent: RefereeAgent;
  /** How many plies of the game it has been told, or NOTHING, or NEVER. */
  told: number;
}

/** One ply of the game. */
interface Ply {
  /** The position that `undo` goes back to. */
  readonly position: unknown;
  /** The same with the turn at the seat that played. */
  readonly before: unknown;
  readonly action: number;
}

/** A move that an agent has found. */
export interface FoundMove {
  readonly before: unknown;
  readonly action: number;
  readonly text: string;
}

/** A game as GTP plays it: any colour moves, our agent for each that it is asked for, and everything can be undone. */
export class GtpPlay {
  readonly config: GameConfig;
  readonly game: Game<unknown>;
  readonly spoken: GtpGame;
  readonly #start: unknown;
  readonly #openAgent: () => RefereeAgent;
  /** By seat, made when first asked. */
  readonly #seats: (Seated | undefined)[];
  #plies: Ply[] = [];
  #state: unknown;

  /** Throws an Error that says what is wrong where the dialect has no such game or the agent cannot play it. */
  constructor({ dialect, agent, resolveNet }: GtpPlayOptions, { rules, ...options }: GameConfig) {
    const spoken = Object.hasOwn(dialect.games, rules) ? dialect.games[rules] : undefined;
    const definition = games.find(({ name }) => name === rules);
    if (spoken === undefined || definition === undefined)
      throw new UsageError(
        `GTP is not spoken for the game "${rules}" (known: ${Object.keys(dialect.games).join(", ")})`,
      );
    const completed = completeOptions(definition.options, options);
    if ("wrong" in completed) throw new UsageError(`${rules}: ${completed.wrong}`);
    const config = { rules, ...completed.options };
    const game = definition.create(completed.options) as Game<unknown>;
    // One net is behind the agents of all seats.
    let net: ResolvedNet | undefined;
    const resolve = resolveNet && ((given: unknown) => (net ??= resolveNet(given, game, config)));
    this.config = config;
    this.game = game;
    this.spoken = spoken;
    this.#openAgent = () => RefereeAgent.open(agent, game, resolve);
    this.#seats = [{ agent: this.#openAgent(), told: NEVER }];
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

  /** The actions so far; undefined where turns were passed over, so that they are not a whole game. */
  get line(): readonly number[] | undefined {
    return this.#inTurn ? this.#plies.map(({ action }) => action) : undefined;
  }

  get #inTurn(): boolean {
    return this.#plies.every((ply) => ply.before === ply.position);
  }

  /** What each seat has earned so far. */
  returns(): Float64Array {
    const returns = new Float64Array(this.game.players);
    this.game.returns(this.#state, returns);
    return returns;
  }

  /** Begins the game again. */
  clear(): void {
    this.#plies = [];
    this.#state = this.#start;
    this.#untell();
  }

  /** Puts up the position after these actions from the start. */
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
    const state = this.#turnOf(seat);
    if (state === undefined) return [];
    const actions = new Int32Array(this.game.maxLegal);
    const count = this.game.legal(state, actions);
    return Array.from(actions.subarray(0, count), (action) => this.game.notation.format(state, action));
  }

  /** Plays a move for a seat. */
  play(seat: number, text: string): void {
    const { notation } = this.game;
    const before = this.#turnOf(seat);
    if (before === undefined) {
      if (text.toLowerCase() === "pass") return;
      throw new GtpError(`illegal move: ${this.spoken.colours[seat]![0]} has no move left`);
    }
    const action = notation.parse(before, text) ?? notation.parse(before, text.toLowerCase());
    if (action === undefined) throw new GtpError(`illegal move: ${text}`);
    this.advance({ before, action });
  }

  /** The agent's move for a seat; undefined where the seat has none left. */
  find(seat: number, seed: number): FoundMove | undefined {
    const before = this.#turnOf(seat);
    if (before === undefined) return undefined;
    const ply = this.#plies.length;
    const agent = this.#agent(seat, before);
    const { action } = agent.decide(before, Random.named(seed, "agent", ply), ply);
    return { before, action, text: this.game.notation.format(before, action) };
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
   * The position with the turn at this seat, or undefined where the seat has no move left. GTP lets a colour move when
   * it is not its turn; the others are passed over then.
   */
  #turnOf(seat: number): unknown {
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
  #agent(seat: number, before: unknown): RefereeAgent {
    const inTurn = before === this.#state && this.#inTurn;
    let seated = this.#seats[seat];
    // A game in which turns were passed over is none that an agent could follow: it is asked about a position.
    if (seated === undefined || (!inTurn && seated.told !== NEVER))
      this.#seats[seat] = seated = { agent: this.#openAgent(), told: NEVER };
    if (!inTurn) return seated.agent;
    if (seated.told < 0) seated.agent.begin(this.#start);
    for (let ply = Math.max(0, seated.told); ply < this.#plies.length; ply++)
      seated.agent.observe(this.#plies[ply]!.before, this.#plies[ply]!.action);
    seated.told = this.#plies.length;
    return seated.agent;
  }

  /** The game is not the one that the agents have been told: they are told it again. */
  #untell(): void {
    for (const seated of this.#seats)
      if (seated !== undefined && seated.told !== NEVER) seated.told = NOTHING;
  }
}

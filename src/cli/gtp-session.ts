import { gtpAnswer, type GtpCommand, parseGtpCommand } from "../formats/gtp.ts";
import { type Game, OVER } from "../games/game.ts";
import { games } from "../games/registry.ts";
import { ludoflowVersion } from "../graph/run-folder.ts";
import type { GtpDialect, GtpGame } from "../operators/gtp-dialects.ts";
import type { GameConfig } from "../operators/setting.ts";
import { Random } from "../random.ts";
import { completeOptions } from "../options.ts";
import { UsageError } from "./complaint.ts";
import { finalScore, placeOf } from "./gtp-score.ts";
import { type AgentObject, RefereeAgent, type ResolvedNet, type ResolveNet } from "./referee-agent.ts";

/** What stands after `?` for a command that cannot be followed. */
class GtpError extends Error {}

type Follow = (args: readonly string[]) => string;

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

/** A game, how the dialect speaks of it, and who plays it. */
interface Table {
  readonly config: GameConfig;
  readonly game: Game<unknown>;
  readonly spoken: GtpGame;
  readonly start: unknown;
  /** By seat, made when first asked. */
  readonly seats: (Seated | undefined)[];
  readonly openAgent: () => RefereeAgent;
}

/** What a session is given. */
export interface GtpSessionOptions {
  readonly dialect: GtpDialect;
  /** The game as an experiment file names it. */
  readonly game: GameConfig;
  readonly agent: AgentObject;
  readonly seed: number;
  readonly resolveNet?: ResolveNet;
}

/**
 * The engine's side of GTP 2: a game and an agent that plays any of its colours.
 *
 * Nothing that is sent ends a session but `quit`. What the agent draws at ply n comes from the stream (seed, "agent", n),
 * so a session is a function of its lines.
 */
export class GtpSession {
  readonly #options: GtpSessionOptions;
  #table: Table;
  #seed: number;
  #plies: Ply[] = [];
  #state: unknown;
  #quit = false;

  /** Throws an Error that says what is wrong where the dialect has no such game or the agent cannot play it. */
  constructor(options: GtpSessionOptions) {
    this.#options = options;
    this.#seed = options.seed;
    this.#table = this.#open(options.game);
    this.#state = this.#table.start;
  }

  /** Whether `quit` has been followed: there is nothing more to answer. */
  get ended(): boolean {
    return this.#quit;
  }

  /** Follows one line, without its end; the whole answer, or undefined where the line asks for none. Never throws. */
  answer(line: string): string | undefined {
    const command = parseGtpCommand(line);
    if (command === undefined) return undefined;
    try {
      return gtpAnswer(true, command.id, this.#follow(command));
    } catch (error) {
      const message = error instanceof Error ? error.message : String(error);
      return gtpAnswer(false, command.id, message.replaceAll(/\s*\n\s*/g, "; "));
    }
  }

  #follow({ name, args }: GtpCommand): string {
    const follow = Object.hasOwn(this.#follows, name) ? this.#follows[name]! : undefined;
    if (follow === undefined) throw new GtpError("unknown command");
    return follow(args);
  }

  /** A command with a fixed number of arguments, named for the message. */
  readonly #of =
    (names: readonly string[], follow: Follow): Follow =>
    (args) => {
      if (args.length !== names.length)
        throw new GtpError(
          `syntax error: expected ${names.length === 0 ? "no arguments" : names.join(" and ")}`,
        );
      return follow(args);
    };

  readonly #follows: Readonly<Record<string, Follow>> = {
    all_legal: this.#of(["a colour"], ([colour]) => this.#allLegal(this.#seat(colour!))),
    clear_board: this.#of([], () => this.#begin(this.#table)),
    cputime: this.#of([], () => {
      const { user, system } = process.cpuUsage();
      return ((user + system) / 1e6).toFixed(3);
    }),
    final_score: this.#of([], () => finalScore(this.#returns(), this.#table.spoken)),
    g: this.#of([], () => this.#genmove(this.#mover())),
    genmove: this.#of(["a colour"], ([colour]) => this.#genmove(this.#seat(colour!))),
    get_place: this.#of(["a colour"], ([colour]) => placeOf(this.#returns(), this.#seat(colour!))),
    known_command: this.#of(["a command"], ([name]) => String(Object.hasOwn(this.#follows, name!))),
    list_commands: this.#of([], () => Object.keys(this.#follows).join("\n")),
    name: this.#of([], () => "ludoflow"),
    p: (move) => this.#play(this.#mover(), move),
    play: ([colour, ...move]) => {
      if (colour === undefined) throw new GtpError("syntax error: expected a colour and a move");
      return this.#play(this.#seat(colour), move);
    },
    protocol_version: this.#of([], () => "2"),
    quit: this.#of([], () => {
      this.#quit = true;
      return "";
    }),
    reg_genmove: this.#of(["a colour"], ([colour]) => this.#generate(this.#seat(colour!))?.text ?? "pass"),
    set_game: (words) => this.#setGame(words.join(" ")),
    set_random_seed: this.#of(["a number"], ([seed]) => {
      const number = Number(seed);
      if (!/^\d+$/.test(seed!) || !Number.isSafeInteger(number))
        throw new GtpError(`invalid seed "${seed}": expected a whole number from 0 to 2^53 - 1`);
      this.#seed = number;
      return "";
    }),
    showboard: this.#of([], () => `\n${this.#table.game.drawing.text(this.#state)}`),
    undo: this.#of([], () => {
      const last = this.#plies.pop();
      if (last === undefined) throw new GtpError("cannot undo: this is the start of the game");
      this.#state = last.position;
      return this.#untell();
    }),
    version: this.#of([], ludoflowVersion),
  };

  #begin(table: Table): string {
    this.#table = table;
    this.#plies = [];
    this.#state = table.start;
    return this.#untell();
  }

  /** The game is not the one that the agents have been told: they are told it again. */
  #untell(): string {
    for (const seated of this.#table.seats) if (seated !== undefined) seated.told = NOTHING;
    return "";
  }

  #setGame(variant: string): string {
    const known = Object.entries(this.#options.dialect.games);
    const found = known.find(([, spoken]) => spoken.variant.toLowerCase() === variant.toLowerCase());
    if (found === undefined)
      throw new GtpError(
        `invalid game "${variant}" (known: ${known.map(([, spoken]) => spoken.variant).join(", ")})`,
      );
    const same = [this.#table.config, this.#options.game].find(({ rules }) => rules === found[0]);
    return this.#begin(same === this.#table.config ? this.#table : this.#open(same ?? { rules: found[0] }));
  }

  /** Opens a game with the session's agent; nothing changes where that cannot be. */
  #open(given: GameConfig): Table {
    const { dialect, agent, resolveNet } = this.#options;
    const { rules, ...options } = given;
    const spoken = Object.hasOwn(dialect.games, rules) ? dialect.games[rules] : undefined;
    const definition = games.find(({ name }) => name === rules);
    if (spoken === undefined || definition === undefined)
      throw new UsageError(
        `GTP is not spoken for the game "${rules}" (known: ${Object.keys(dialect.games).join(", ")})`,
      );
    const completed = completeOptions(definition.options, options);
    if ("wrong" in completed) throw new UsageError(`${rules}: ${completed.wrong}`);
    const config: GameConfig = { rules, ...completed.options };
    const game = definition.create(completed.options) as Game<unknown>;
    // One net is behind the agents of all seats.
    let net: ResolvedNet | undefined;
    const resolve = resolveNet && ((given: unknown) => (net ??= resolveNet(given, game, config)));
    const openAgent = (): RefereeAgent => RefereeAgent.open(agent, game, resolve);
    const first = { agent: openAgent(), told: NEVER };
    return { config, game, spoken, start: game.initial(), seats: [first], openAgent };
  }

  #seat(colour: string): number {
    const { colours } = this.#table.spoken;
    const seat = colours.findIndex((names) => names.includes(colour.toLowerCase()));
    if (seat < 0)
      throw new GtpError(`invalid colour "${colour}" (known: ${colours.map(([name]) => name).join(", ")})`);
    return seat;
  }

  /** The seat to move; once the game is over, any. */
  #mover(): number {
    return Math.max(0, this.#table.game.toMove(this.#state));
  }

  #returns(): Float64Array {
    const returns = new Float64Array(this.#table.game.players);
    this.#table.game.returns(this.#state, returns);
    return returns;
  }

  /**
   * The position with the turn at this seat, or undefined where the seat has no move left. GTP lets a colour move when
   * it is not its turn; the others are passed over then.
   */
  #turnOf(seat: number): unknown {
    const { game, spoken } = this.#table;
    const mover = game.toMove(this.#state);
    if (mover === seat || mover === OVER) return mover === seat ? this.#state : undefined;
    if (game.passTo === undefined)
      throw new GtpError(
        `it is the turn of ${spoken.colours[mover]![0]}, not of ${spoken.colours[seat]![0]}`,
      );
    const state = game.initial();
    game.copy(this.#state, state);
    return game.passTo(state, seat) ? state : undefined;
  }

  #allLegal(seat: number): string {
    const { game } = this.#table;
    const state = this.#turnOf(seat);
    if (state === undefined) return "";
    const actions = new Int32Array(game.maxLegal);
    const count = game.legal(state, actions);
    return Array.from(actions.subarray(0, count), (action) => game.notation.format(state, action)).join("\n");
  }

  #play(seat: number, words: readonly string[]): string {
    const text = words.join("");
    if (text === "") throw new GtpError("syntax error: expected a move");
    const { game, spoken } = this.#table;
    const before = this.#turnOf(seat);
    if (before === undefined) {
      if (text.toLowerCase() === "pass") return "";
      throw new GtpError(`illegal move: ${spoken.colours[seat]![0]} has no move left`);
    }
    const action = game.notation.parse(before, text) ?? game.notation.parse(before, text.toLowerCase());
    if (action === undefined) throw new GtpError(`illegal move: ${text}`);
    return this.#advance(before, action);
  }

  #genmove(seat: number): string {
    const move = this.#generate(seat);
    if (move === undefined) return "pass";
    this.#advance(move.before, move.action);
    return move.text;
  }

  /** The agent's move for a seat; undefined where the seat has none left. */
  #generate(
    seat: number,
  ): { readonly before: unknown; readonly action: number; readonly text: string } | undefined {
    const before = this.#turnOf(seat);
    if (before === undefined) return undefined;
    const ply = this.#plies.length;
    const agent = this.#agent(seat, before);
    const { action } = agent.decide(before, Random.named(this.#seed, "agent", ply), ply);
    return { before, action, text: this.#table.game.notation.format(before, action) };
  }

  /** The agent of a seat, told the game so far. */
  #agent(seat: number, before: unknown): RefereeAgent {
    const { seats, openAgent, start } = this.#table;
    const inTurn = before === this.#state && this.#plies.every((ply) => ply.before === ply.position);
    let seated = seats[seat];
    // A game in which turns were passed over is none that an agent could follow: it is asked about a position.
    if (seated === undefined || (!inTurn && seated.told !== NEVER))
      seats[seat] = seated = { agent: openAgent(), told: NEVER };
    if (!inTurn) return seated.agent;
    if (seated.told < 0) seated.agent.begin(start);
    for (let ply = Math.max(0, seated.told); ply < this.#plies.length; ply++)
      seated.agent.observe(this.#plies[ply]!.before, this.#plies[ply]!.action);
    seated.told = this.#plies.length;
    return seated.agent;
  }

  #advance(before: unknown, action: number): string {
    const { game } = this.#table;
    const next = game.initial();
    game.copy(before, next);
    game.play(next, action);
    this.#plies.push({ position: this.#state, before, action });
    this.#state = next;
    return "";
  }
}

import { Game2048, type State2048 } from "../games/2048/2048.ts";
import { CHANCE, type Game, OVER } from "../games/game.ts";
import { perft, PerftTooLarge } from "../games/perft.ts";
import { games } from "../games/registry.ts";
import { didYouMean } from "../messages/did-you-mean.ts";
import type { GameConfig } from "../operators/experiment/open-experiment.ts";
import { Random } from "../random.ts";
import { completeOptions } from "../options.ts";
import type { Decision } from "../search/search.ts";
import { GameDaihinmin } from "../games/daihinmin/daihinmin.ts";
import { asDaihinmin, branchingBounds, stateOfHand } from "./referee-daihinmin.ts";
import { as2048, slideOf, stateOfBoard } from "./referee-2048.ts";
import {
  agentConfig,
  forAnalysis,
  RefereeAgent,
  RefereeError,
  type ResolvedNet,
  type ResolveNet,
} from "./referee-agent.ts";

/** The seed of a session whose `new` names none. */
export const REFEREE_SEED = 2048;

/** Positions that `perft` looks into at most, so that no line can keep a session busy for long. */
const PERFT_LIMIT = 2_000_000;

type Command = Readonly<Record<string, unknown>>;
type Response = Readonly<Record<string, unknown>>;

/**
 * One game under the referee's rules: one JSON line in, one JSON line out.
 *
 * A line that cannot be followed is answered with `{"error": ...}` and changes nothing. Every command with examples:
 * `docs/referee.md`. Chance draws at ply n come from the stream (seed, "chance", n) and agents' draws from (seed,
 * "agent", n), so a session is a function of its lines.
 */
export class RefereeSession {
  readonly #name: string;
  readonly #resolveNet: ResolveNet | undefined;
  readonly #agents = new Map<string, RefereeAgent>();
  #game: Game<unknown>;
  /** The game as an experiment file would name it. */
  #config: GameConfig = { rules: "" };
  #seed = REFEREE_SEED;
  #chanceByHand = false;
  /** The position now, and those before each ply: `undo` goes back to them. */
  #state: unknown;
  #past: { readonly state: unknown; readonly mover: number }[] = [];

  /** Starts the game with its default options. Throws RefereeError for an unknown game. */
  constructor(gameName: string, options: { readonly resolveNet?: ResolveNet } = {}) {
    this.#name = gameName;
    this.#resolveNet = options.resolveNet;
    this.#game = this.#openGame({});
    this.#start(this.#game.initial());
  }

  /** Follows one line and says what came of it, as one line without its end. Never throws. */
  respond(line: string): string {
    try {
      return JSON.stringify(this.#follow(line));
    } catch (error) {
      return JSON.stringify({ error: error instanceof Error ? error.message : String(error) });
    }
  }

  #follow(line: string): Response {
    let command: unknown;
    try {
      command = JSON.parse(line);
    } catch {
      throw new RefereeError('not JSON: a line is a command such as {"cmd":"legal"}');
    }
    if (typeof command !== "object" || command === null || Array.isArray(command))
      throw new RefereeError(
        `a line is an object such as {"cmd":"legal"}, and this is ${Array.isArray(command) ? "a list" : JSON.stringify(command)}`,
      );
    const { cmd } = command as Command;
    if (typeof cmd !== "string")
      throw new RefereeError(`"cmd" must be one of: ${this.#commands().join(", ")}`);
    const follow = Object.hasOwn(this.#follows, cmd) ? this.#follows[cmd] : undefined;
    if (follow === undefined)
      throw new RefereeError(
        `unknown command "${cmd}"${didYouMean(cmd, this.#commands())} (commands: ${this.#commands().join(", ")})`,
      );
    return follow(command as Command);
  }

  readonly #follows: Readonly<Record<string, (command: Command) => Response>> = {
    new: (command) => this.#new(command),
    play: (command) => this.#playMove(command),
    legal: () => ({ ...this.#legal(), ...this.#counts() }),
    state: () => this.#stateInFull(),
    undo: () => this.#undo(),
    genmove: (command) => this.#genmove(command),
    analyse: (command) => this.#analyse(command),
    perft: (command) => this.#perft(command),
    set: (command) => this.#set(command),
    slide: (command) => {
      const game = as2048(this.#game, "slide");
      return { ...slideOf(game, this.#state as State2048, command["move"]) };
    },
    branching: (command) => {
      asDaihinmin(this.#game, "branching");
      return branchingBounds(command["longest"]);
    },
  };

  #commands(): string[] {
    const is2048 = this.#game instanceof Game2048;
    const isDaihinmin = this.#game instanceof GameDaihinmin;
    return Object.keys(this.#follows).filter((name) =>
      name === "set"
        ? is2048 || isDaihinmin
        : name === "slide"
          ? is2048
          : name === "branching"
            ? isDaihinmin
            : true,
    );
  }

  #new(command: Command): Response {
    const given = command["options"] ?? {};
    if (typeof given !== "object" || given === null || Array.isArray(given))
      throw new RefereeError('"options" must be an object');
    const { seed = REFEREE_SEED, chance = "drawn", ...options } = given as Record<string, unknown>;
    if (!Number.isSafeInteger(seed) || (seed as number) < 0)
      throw new RefereeError(
        `option "seed" must be a whole number from 0 to ${Number.MAX_SAFE_INTEGER}, not ${JSON.stringify(seed)}`,
      );
    if (chance !== "drawn" && chance !== "given")
      throw new RefereeError(
        'option "chance" must be "drawn" (by the referee) or "given" (by you, as plays)',
      );
    this.#game = this.#openGame(options);
    this.#agents.clear();
    this.#seed = seed as number;
    this.#chanceByHand = chance === "given";
    return { game: this.#name, ...this.#start(this.#game.initial()) };
  }

  #playMove(command: Command): Response {
    const { move } = command;
    const game = this.#game;
    if (typeof move !== "string")
      throw new RefereeError('"play" needs "move": the text of a legal move, see "legal"');
    if (game.toMove(this.#state) === OVER) throw new RefereeError("the game is over: nothing can be played");
    const action = game.notation.parse(this.#state, move);
    if (action === undefined) {
      const { moves } = this.#legal();
      throw new RefereeError(`illegal move "${move}"${didYouMean(move, moves)} (legal: ${abridged(moves)})`);
    }
    return { move, ...this.#advance(action) };
  }

  #legal(): { readonly moves: string[]; readonly count: number } {
    const actions = new Int32Array(this.#game.maxLegal);
    const count = this.#game.legal(this.#state, actions);
    return {
      moves: Array.from(actions.subarray(0, count), (action) => this.#text(action)),
      count,
    };
  }

  /** Of games that can tell: the number of legal moves of every seat, as if each were to move. */
  #counts(): { readonly counts?: number[] } {
    const { figures, players } = this.#game;
    const legalCounts = figures?.legalCounts;
    if (legalCounts === undefined) return {};
    const counts = new Int32Array(players);
    legalCounts(this.#state, counts);
    return { counts: [...counts] };
  }

  #stateInFull(): Response {
    const game = this.#game;
    return {
      ...this.#summary(),
      plies: this.#past.length,
      ...(game instanceof Game2048 ? { board: game.board(this.#state as State2048) } : {}),
      text: game.drawing.text(this.#state),
    };
  }

  /** Takes back the last decision and what chance did after it; where chance is given by hand, the last ply. */
  #undo(): Response {
    let back = this.#past.length - 1;
    if (!this.#chanceByHand) while (back >= 0 && this.#past[back]!.mover === CHANCE) back--;
    if (back < 0) throw new RefereeError("nothing to undo: this is the start");
    this.#state = this.#past[back]!.state;
    this.#past.length = back;
    return this.#summary();
  }

  #genmove(command: Command): Response {
    const { decision, mover } = this.#decide(command, "genmove");
    const move = this.#text(decision.action);
    const value = decision.values[mover]!;
    return { move, value, ...this.#advance(decision.action) };
  }

  #analyse(command: Command): Response {
    const { decision, mover, best } = this.#decide(command, "analyse");
    const moves = Array.from(decision.actions, (action) => this.#text(action));
    const rank = best === "visits" ? decision.visits : decision.actionValues;
    const top = Math.max(...rank);
    return {
      value: decision.values[mover]!,
      values: decision.values,
      best: moves.filter((_, i) => best === "any" || rank[i] === top),
      visits: Object.fromEntries(moves.map((move, i) => [move, decision.visits[i]!])),
      moveValues: Object.fromEntries(moves.map((move, i) => [move, decision.actionValues[i]!])),
    };
  }

  #perft(command: Command): Response {
    const { depth } = command;
    if (!Number.isSafeInteger(depth) || (depth as number) < 0 || (depth as number) > 1000)
      throw new RefereeError('"perft" needs "depth": an integer from 0 to 1000');
    try {
      return { count: perft(this.#game, this.#state, depth as number, PERFT_LIMIT) };
    } catch (error) {
      if (!(error instanceof PerftTooLarge)) throw error;
      throw new RefereeError(
        `depth ${depth as number} is too deep here: more than ${PERFT_LIMIT} positions would be looked into`,
      );
    }
  }

  #set(command: Command): Response {
    const game = this.#game;
    return this.#start(
      game instanceof GameDaihinmin
        ? stateOfHand(command)
        : stateOfBoard(as2048(game, "set"), command["board"]),
    );
  }

  #decide(
    command: Command,
    name: string,
  ): { readonly decision: Decision<unknown>; readonly mover: number; readonly best: RefereeAgent["best"] } {
    const mover = this.#game.toMove(this.#state);
    // The agent's keys may also stand on the line itself.
    const { cmd: _, agent: named, ...keys } = command;
    const given = named ?? (keys["use"] === undefined ? undefined : keys);
    if (given === undefined)
      throw new RefereeError(
        `"${name}" needs "agent": an object such as {"use":"random"}, or a file holding one`,
      );
    if (mover === OVER) throw new RefereeError("the game is over: there is no move to find");
    if (mover === CHANCE) throw new RefereeError('chance moves next: give its outcome with "play"');
    const config = name === "analyse" ? forAnalysis(agentConfig(given)) : agentConfig(given);
    const key = JSON.stringify(config);
    const agent = this.#agents.get(key) ?? RefereeAgent.open(config, this.#game, this.#netResolver());
    this.#agents.set(key, agent);
    const random = Random.named(this.#seed, "agent", this.#past.length);
    const decisions = this.#past.filter((ply) => ply.mover !== CHANCE).length;
    return { decision: agent.decide(this.#state, random, decisions), mover, best: agent.best };
  }

  #start(state: unknown): Response {
    this.#past = [];
    this.#state = state;
    return this.#afterChance();
  }

  #advance(action: number): Response {
    this.#ply(action);
    return this.#afterChance();
  }

  /** Draws what chance does next, unless it is given by hand; says what came, and where the game stands. */
  #afterChance(): Response {
    const game = this.#game;
    const drawn: string[] = [];
    while (!this.#chanceByHand && game.toMove(this.#state) === CHANCE) {
      const random = Random.named(this.#seed, "chance", this.#past.length);
      const outcome = game.chance!.sample(this.#state, random);
      drawn.push(this.#text(outcome));
      this.#ply(outcome);
    }
    return { ...(drawn.length > 0 ? { chance: drawn } : {}), ...this.#summary() };
  }

  #ply(action: number): void {
    const game = this.#game;
    const next = game.initial();
    game.copy(this.#state, next);
    game.play(next, action);
    this.#past.push({ state: this.#state, mover: game.toMove(this.#state) });
    this.#state = next;
  }

  #summary(): Response {
    const mover = this.#game.toMove(this.#state);
    const returns = new Float64Array(this.#game.players);
    this.#game.returns(this.#state, returns);
    return {
      toMove: mover === OVER ? null : mover === CHANCE ? "chance" : mover,
      over: mover === OVER,
      returns: [...returns],
    };
  }

  #text(action: number): string {
    return this.#game.notation.format(this.#state, action);
  }

  #netResolver(): ((net: unknown, game: Game<unknown>) => ResolvedNet) | undefined {
    const resolve = this.#resolveNet;
    return resolve && ((net, game) => resolve(net, game, this.#config));
  }

  #openGame(options: Readonly<Record<string, unknown>>): Game<unknown> {
    const names = games.map(({ name }) => name);
    const definition = games.find(({ name }) => name === this.#name);
    if (definition === undefined)
      throw new RefereeError(
        `unknown game "${this.#name}"${didYouMean(this.#name, names)} (known: ${names.join(", ")})`,
      );
    const completed = completeOptions(definition.options, options);
    if ("wrong" in completed) throw new RefereeError(`${this.#name}: ${completed.wrong}`);
    this.#config = { rules: this.#name, ...completed.options };
    return definition.create(completed.options) as Game<unknown>;
  }
}

function abridged(moves: readonly string[]): string {
  return moves.length <= 40
    ? moves.join(", ")
    : `${moves.slice(0, 40).join(", ")} and ${moves.length - 40} more`;
}

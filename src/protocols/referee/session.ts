import { isTooDeep, TOO_DEEP } from "../../formats/nesting.ts";
import { CHANCE, type Game, OVER } from "../../games/game.ts";
import { perft, PerftTooLarge } from "../../games/perft.ts";
import { type GameConfig, games, openConfiguredGame } from "../../games/registry.ts";
import { abridged } from "../../messages/abridged.ts";
import { didYouMean } from "../../messages/did-you-mean.ts";
import { placedMessage } from "../../messages/outside-place.ts";
import { Random } from "../../random.ts";
import type { Decision } from "../../search/search.ts";
import { type AgentSettings, type AgentSource, forAnalysis, type SessionAgent } from "../session-agent.ts";
import { particulars2048 } from "./2048.ts";
import { particularsDaihinmin } from "./daihinmin.ts";
import { particularsGo } from "./go.ts";
import {
  RefereeError,
  type RefereeParticulars,
  type RefereeRequest,
  type RefereeResponse,
} from "./particulars.ts";

/** The seed of a session whose `new` names none. */
const REFEREE_SEED = 2048;

/** Most agents that are open at a time; the one that was requested longest ago gives its place to another one. */
const MOST_AGENTS = 8;

/** Positions that `perft` looks into at most, so that no line can keep a session busy for long. */
const PERFT_LIMIT = 2_000_000;

const NEEDS_POSITION = '"set" needs "position": the text of a position, as "position" returns it';

/** The games for which the referee offers more. */
const allParticulars: readonly RefereeParticulars[] = [particulars2048, particularsDaihinmin, particularsGo];

/** An open agent, and the version of its weights when it was opened. */
interface OpenedAgent {
  readonly agent: SessionAgent;
  readonly version: string;
}

/** Follows one command. */
type Follow = (request: RefereeRequest) => RefereeResponse;

/**
 * One game under the referee's rules: a request is a line of JSON, and so is its response.
 *
 * A request that cannot be followed gets the response `{"error": ...}`, some with a `code`, and changes nothing.
 * `docs/referee.md` has every command with examples. Chance draws at ply n come from the stream (seed, "chance", n), the
 * draws of agents from (seed, "agent", n): the same requests get the same responses.
 */
export class RefereeSession {
  readonly #name: string;
  readonly #source: AgentSource;
  /** Open agents, by their settings as JSON, the one that was requested last at the end. */
  readonly #agents = new Map<string, OpenedAgent>();
  #game: Game<unknown>;
  /** The game as an experiment file would name it. */
  #config: GameConfig = { rules: "" };
  #seed = REFEREE_SEED;
  #chanceByHand = false;
  /** The state now. */
  #state: unknown;
  /** The states before each ply: `undo` goes back to them. */
  #past: { readonly state: unknown; readonly mover: number }[] = [];

  /** Starts the game with its default options. Throws RefereeError for an unknown game. */
  constructor(gameName: string, source: AgentSource) {
    this.#name = gameName;
    this.#source = source;
    this.#game = this.#openGame({});
    this.#start(this.#game.initial());
  }

  /** Follows the request on one line; returns the response as one line without its end. Never throws. */
  respond(line: string): string {
    try {
      return JSON.stringify(this.#follow(line));
    } catch (error) {
      const code = error instanceof RefereeError ? error.code : undefined;
      return JSON.stringify({
        error: placedMessage(error),
        ...(code === undefined ? {} : { code }),
      });
    }
  }

  #follow(line: string): RefereeResponse {
    let request: unknown;
    try {
      request = JSON.parse(line);
    } catch {
      throw new RefereeError('not JSON: a line is a command such as {"cmd":"legal"}');
    }
    if (typeof request !== "object" || request === null || Array.isArray(request))
      throw new RefereeError(
        `a line is an object such as {"cmd":"legal"}, and this is ${Array.isArray(request) ? "a list" : JSON.stringify(request)}`,
      );
    if (isTooDeep(request)) throw new RefereeError(TOO_DEEP);
    const { cmd } = request as RefereeRequest;
    if (typeof cmd !== "string")
      throw new RefereeError(`"cmd" must be one of: ${this.#commands().join(", ")}`);
    return this.#command(cmd)(request as RefereeRequest);
  }

  /** The command of this name. Throws RefereeError if there is none for this game. */
  #command(name: string): Follow {
    if (Object.hasOwn(this.#follows, name)) return this.#follows[name]!;
    const [owner] = allParticulars.filter(({ commands }) => Object.hasOwn(commands, name));
    if (owner === undefined)
      throw new RefereeError(
        `unknown command "${name}"${didYouMean(name, this.#commands())} (commands: ${this.#commands().join(", ")})`,
      );
    if (!owner.of(this.#game))
      throw new RefereeError(`"${name}" is a command of ${owner.rules}, and this is ${this.#game.name}`);
    return (request) => owner.commands[name]!(this.#game, this.#state, request);
  }

  /** The commands of every game. */
  readonly #follows: Readonly<Record<string, Follow>> = {
    new: (request) => this.#new(request),
    play: (request) => this.#playMove(request),
    legal: () => ({ ...this.#legal(), ...this.#counts() }),
    state: () => this.#stateInFull(),
    undo: () => this.#undo(),
    genmove: (request) => this.#genmove(request),
    analyse: (request) => this.#analyse(request),
    perft: (request) => this.#perft(request),
    position: () => ({ position: this.#game.notation.position(this.#state) }),
    set: (request) => this.#set(request),
  };

  /** What the referee offers for this game beyond the commands of every game. */
  get #particulars(): RefereeParticulars | undefined {
    return allParticulars.find((each) => each.of(this.#game));
  }

  /** The names of the commands for this game. */
  #commands(): string[] {
    const own = this.#particulars;
    return [...Object.keys(this.#follows), ...Object.keys(own?.commands ?? {})];
  }

  #new(request: RefereeRequest): RefereeResponse {
    const given = request["options"] ?? {};
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
    for (const key of this.#agents.keys()) this.#close(key);
    this.#seed = seed as number;
    this.#chanceByHand = chance === "given";
    return { game: this.#name, ...this.#start(this.#game.initial()) };
  }

  #playMove(request: RefereeRequest): RefereeResponse {
    const { move, moves } = request;
    if (moves !== undefined) return this.#playMoves(moves);
    if (typeof move !== "string")
      throw new RefereeError('"play" needs "move": the text of a legal move, see "legal"');
    return { move, ...this.#playText(move) };
  }

  /** Plays all moves of a list, or none if one of them is illegal. */
  #playMoves(moves: unknown): RefereeResponse {
    if (!Array.isArray(moves) || !moves.every((move) => typeof move === "string"))
      throw new RefereeError('"moves" must be a list of texts of moves');
    const before = { state: this.#state, past: [...this.#past] };
    for (const [i, move] of moves.entries())
      try {
        this.#playText(move);
      } catch (error) {
        this.#state = before.state;
        this.#past = before.past;
        const at = `move ${i + 1} of ${moves.length}, "${move}": `;
        if (error instanceof Error) error.message = at + error.message;
        throw error;
      }
    return { moves: moves.length, ...this.#summary() };
  }

  #playText(move: string): RefereeResponse {
    const game = this.#game;
    if (game.toMove(this.#state) === OVER) throw new RefereeError("the game is over: nothing can be played");
    const action = game.notation.parse(this.#state, move);
    if (action === undefined) {
      const { moves } = this.#legal();
      const reason = game.notation.whyIllegal?.(this.#state, move);
      const help = reason === undefined ? didYouMean(move, moves) : `: ${reason}`;
      throw new RefereeError(`illegal move "${move}"${help} (legal: ${abridged(moves)})`);
    }
    return this.#advance(action);
  }

  #legal(): { readonly moves: string[]; readonly count: number } {
    const actions = new Int32Array(this.#game.maxLegal);
    const count = this.#game.legal(this.#state, actions);
    return {
      moves: Array.from(actions.subarray(0, count), (action) => this.#text(action)),
      count,
    };
  }

  /** For games that count them: the number of legal moves of every seat, as if each were to move. */
  #counts(): { readonly counts?: number[] } {
    const { figures, players } = this.#game;
    const legalCounts = figures?.legalCounts;
    if (legalCounts === undefined) return {};
    const counts = new Int32Array(players);
    legalCounts(this.#state, counts);
    return { counts: [...counts] };
  }

  #stateInFull(): RefereeResponse {
    const game = this.#game;
    return {
      ...this.#summary(),
      plies: this.#past.length,
      ...this.#particulars?.state?.(game, this.#state),
      text: game.drawing.text(this.#state),
    };
  }

  /** Takes back the last decision and what chance did after it; if chance is given by hand, the last ply. */
  #undo(): RefereeResponse {
    let back = this.#past.length - 1;
    if (!this.#chanceByHand) while (back >= 0 && this.#past[back]!.mover === CHANCE) back--;
    if (back < 0) throw new RefereeError("nothing to undo: this is the start");
    this.#state = this.#past[back]!.state;
    this.#past.length = back;
    return this.#summary();
  }

  #genmove(request: RefereeRequest): RefereeResponse {
    const { decision, mover } = this.#decide(request, "genmove");
    const move = this.#text(decision.action);
    const value = decision.values[mover]!;
    return { move, value, ...this.#advance(decision.action) };
  }

  #analyse(request: RefereeRequest): RefereeResponse {
    const { decision, mover, best } = this.#decide(request, "analyse");
    const moves = Array.from(decision.actions, (action) => this.#text(action));
    const rank = best === "visits" ? decision.visits : decision.actionValues;
    // A move whose value is not known is best only if the agent plays it and knows none.
    const top = Math.max(...rank.filter((figure) => !Number.isNaN(figure)));
    const isBest = (i: number) =>
      best === "any" || (top === -Infinity ? decision.actions[i] === decision.action : rank[i] === top);
    return {
      value: decision.values[mover]!,
      values: decision.values,
      best: moves.filter((_, i) => isBest(i)),
      visits: Object.fromEntries(moves.map((move, i) => [move, decision.visits[i]!])),
      moveValues: Object.fromEntries(moves.map((move, i) => [move, decision.actionValues[i]!])),
    };
  }

  #perft(request: RefereeRequest): RefereeResponse {
    const { depth } = request;
    if (!Number.isSafeInteger(depth) || (depth as number) < 0 || (depth as number) > 1000)
      throw new RefereeError('"perft" needs "depth": an integer from 0 to 1000');
    try {
      return { count: perft(this.#game, this.#state, depth as number, PERFT_LIMIT) };
    } catch (error) {
      if (!(error instanceof PerftTooLarge)) throw error;
      throw new RefereeError(
        `depth ${depth as number} is too deep here: more than ${PERFT_LIMIT} positions would be visited`,
      );
    }
  }

  #set(request: RefereeRequest): RefereeResponse {
    const { position } = request;
    if (position !== undefined) return this.#start(this.#stateOf(position));
    const own = this.#particulars;
    if (own === undefined) throw new RefereeError(NEEDS_POSITION);
    return this.#start(own.set(this.#game, request));
  }

  /** The state of a position's text. */
  #stateOf(position: unknown): unknown {
    if (typeof position !== "string") throw new RefereeError(NEEDS_POSITION);
    const reading = this.#game.notation.parsePosition(position);
    if ("error" in reading) throw new RefereeError(reading.error.message, reading.error.code);
    return reading.state;
  }

  #decide(
    request: RefereeRequest,
    name: string,
  ): { readonly decision: Decision<unknown>; readonly mover: number; readonly best: SessionAgent["best"] } {
    const mover = this.#game.toMove(this.#state);
    // The agent's keys may also be on the line itself.
    const { cmd: _, agent: named, ...keys } = request;
    const given = named ?? (keys["use"] === undefined ? undefined : keys);
    if (given === undefined)
      throw new RefereeError(
        `"${name}" needs "agent": an object such as {"use":"random"}, or a file holding one`,
      );
    if (mover === OVER) throw new RefereeError("the game is over: there is no move to find");
    if (mover === CHANCE) throw new RefereeError('chance moves next: give its outcome with "play"');
    const read = this.#source.settings(given);
    const settings = name === "analyse" ? forAnalysis(read) : read;
    const agent = this.#agent(settings);
    const random = Random.named(this.#seed, "agent", this.#past.length);
    const decisions = this.#past.filter((ply) => ply.mover !== CHANCE).length;
    return { decision: agent.decide(this.#state, random, decisions), mover, best: agent.best };
  }

  /** The agent of these settings, opened again if its weights have changed on disk. */
  #agent(settings: AgentSettings): SessionAgent {
    const key = JSON.stringify(settings);
    const version = this.#source.weightsVersion(settings);
    let opened = this.#agents.get(key);
    if (opened?.version === version) this.#agents.delete(key);
    else {
      this.#close(key);
      opened = { agent: this.#source.open(settings, this.#game, this.#config), version };
    }
    this.#agents.set(key, opened);
    if (this.#agents.size > MOST_AGENTS) this.#close(this.#agents.keys().next().value!);
    return opened.agent;
  }

  #close(key: string): void {
    this.#agents.get(key)?.agent.close();
    this.#agents.delete(key);
  }

  #start(state: unknown): RefereeResponse {
    this.#past = [];
    this.#state = state;
    return this.#afterChance();
  }

  #advance(action: number): RefereeResponse {
    this.#ply(action);
    return this.#afterChance();
  }

  /** Draws what chance does next, unless it is given by hand; returns the outcomes and the state of the game. */
  #afterChance(): RefereeResponse {
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

  #summary(): RefereeResponse {
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

  #openGame(options: Readonly<Record<string, unknown>>): Game<unknown> {
    const names = games.map(({ name }) => name);
    if (!names.includes(this.#name))
      throw new RefereeError(
        `unknown game "${this.#name}"${didYouMean(this.#name, names)} (known: ${names.join(", ")})`,
      );
    const { config, game } = openConfiguredGame(this.#name, options);
    this.#config = config;
    return game as Game<unknown>;
  }
}

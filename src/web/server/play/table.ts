import { loadAllowedPlugins } from "../../../graph/code/named-plugins.ts";
import { openAgent, type ResolvedNet } from "../../../graph/agents/open-agent.ts";
import { resolveNet } from "../../../graph/agents/open-net.ts";
import { CHANCE, type Game, OVER } from "../../../games/game.ts";
import { type GameConfig, openConfiguredGame } from "../../../games/registry.ts";
import type { AgentSettings, SessionAgent } from "../../../protocols/session-agent.ts";
import { Random } from "../../../random.ts";
import type { AnalysedDecision } from "../../../formats/game-analyses.ts";
import type { Board, BoardPlace, PieceShape } from "../../../figures/boards/board.ts";
import { finiteOrNull } from "../../../formats/finite-or-null.ts";
import { boardOf } from "../board-of.ts";
import { thoughtOf } from "./thought.ts";
import type { MoveShown, PlayedMove, AdviceShown } from "../../views/play-views.ts";
import { opinionOf } from "../../../operators/play/analysed-search.ts";
import { canResign } from "../../../search/choice/resignation.ts";

/** The newest moves that a view lists. */
const LISTED = 400;
/** Moves of a decision that are kept with a stored game. */
const KEPT_MOVES = 12;

/** What a table is set up for. */
export interface TableSetup {
  readonly game: GameConfig;
  /** Files of the plug-ins that define the game or its players. */
  readonly plugins: readonly string[];
  /** All chance and all players draw from it. */
  readonly seed: number;
}

/** What the game at a table is, apart from any position. */
export interface TableGame {
  readonly config: GameConfig;
  readonly seatNames: readonly string[];
  readonly hidden: boolean;
  readonly canResign: boolean;
  readonly bounds: readonly [number | null, number | null];
  readonly pieceShapes?: Readonly<Record<string, PieceShape>>;
}

/** A position at a table, as each seat may see it. Everything in it is data: it travels between processes. */
export interface TablePosition {
  /** All plies so far, chance included. */
  readonly actions: readonly number[];
  /** By decision: the number of plies before it, and the seat. */
  readonly decisions: readonly { readonly ply: number; readonly seat: number }[];
  /** The seat to move; absent when the game is over. */
  readonly toMove?: number;
  readonly returns: readonly number[];
  readonly facts: Readonly<Record<string, number>>;
  /** By seat. In a game that hides nothing there is one for all. */
  readonly views: readonly SeatView[];
  /** The view without a seat. */
  readonly spectator: SeatView;
  /** The legal moves of the seat to move. */
  readonly moves: readonly MoveShown[];
  /** By reason: the cells that no legal move reaches, if the game gives one. */
  readonly refusals: Readonly<Record<string, readonly number[]>>;
}

/** What a seat sees. */
export interface SeatView {
  readonly board?: Board;
  readonly played: readonly PlayedMove[];
}

/** A decision of a player, and the position after it. */
export interface TableDecision {
  readonly position: TablePosition;
  readonly decision: AnalysedDecision;
  readonly seconds: number;
}

/**
 * A game at a table: its rules, its position, and its players, in plain code that may take long. It holds nothing that
 * does not follow from its setup and from the plies of each request, so it can be killed and set up again at any moment.
 */
export class PlayTable {
  readonly game: Game<unknown>;
  readonly #config: GameConfig;
  readonly #seed: number;
  readonly #state: unknown;
  /** The state before the last decision, and the place of this decision. */
  readonly #before: unknown;
  #lastPlace: BoardPlace | undefined;
  #actions: number[] = [];
  #decisions: { ply: number; seat: number }[] = [];
  /** By decision: its text for each seat, the last one for spectators; undefined if it cannot know it. */
  #texts: (string | undefined)[][] = [];
  readonly #legal: Int32Array;
  readonly #agents = new Map<string, SessionAgent>();
  readonly #nets = new Map<string, ResolvedNet>();

  /** Throws what says why the game cannot be opened. */
  constructor({ game, plugins, seed }: TableSetup) {
    if (plugins.length > 0) loadAllowedPlugins([...plugins], "this game");
    const { rules, ...options } = game;
    const opened = openConfiguredGame(rules, options);
    this.game = opened.game as Game<unknown>;
    this.#config = opened.config;
    this.#seed = seed;
    this.#state = this.game.initial();
    this.#before = this.game.initial();
    this.#legal = new Int32Array(this.game.maxLegal);
  }

  /** What the game is. */
  describe(): TableGame {
    const { drawing, information, players, returnBounds } = this.game;
    return {
      config: this.#config,
      seatNames: Array.from({ length: players }, (_, seat) => drawing.seats?.[seat] ?? ""),
      hidden: information !== undefined,
      canResign: canResign(this.game),
      bounds: [finiteOrNull(returnBounds[0]), finiteOrNull(returnBounds[1])],
      ...(drawing.pieceShapes === undefined ? {} : { pieceShapes: drawing.pieceShapes }),
    };
  }

  /** The position after these plies, and after those of chance that follow. */
  show(actions: readonly number[]): TablePosition {
    this.#follow(actions);
    return this.#position();
  }

  /** Plays a legal move after these plies; undefined if it is not legal. */
  move(actions: readonly number[], action: number): TablePosition | undefined {
    this.#follow(actions);
    if (!this.#legalNow().includes(action)) return undefined;
    this.#play(action);
    this.#playChance();
    return this.#position();
  }

  /** Lets a player decide after these plies. Throws what says why it cannot. */
  decide(actions: readonly number[], settings: AgentSettings): TableDecision {
    const began = performance.now();
    const { agent, decision, ply, seat } = this.#think(actions, settings);
    const net = agent.netView?.(this.#state);
    const seconds = (performance.now() - began) / 1000;
    const order = this.#order(decision).slice(0, KEPT_MOVES);
    const kept: AnalysedDecision = {
      ply,
      seat,
      action: decision.action,
      legal: decision.actions.length,
      visits: Math.round(decision.visits.reduce((sum, count) => sum + count, 0)),
      values: [...decision.values],
      ...(net === undefined ? {} : { opinion: opinionOf(net.values, net.priors, decision, []) }),
      moves: order.map((i) => ({
        action: decision.actions[i]!,
        visits: Math.round(decision.visits[i]!),
        prior: net?.priors[i] ?? Number.NaN,
        value: decision.actionValues[i]!,
      })),
    };
    this.#play(kept.action);
    this.#playChance();
    return { position: this.#position(), decision: kept, seconds };
  }

  /** What a player thinks after these plies, in place of the seat to move. Nothing is played. */
  advise(actions: readonly number[], settings: AgentSettings): AdviceShown {
    const { agent, decision, ply, seat } = this.#think(actions, settings);
    return thoughtOf(this.game, this.#state, { agent, decision, ply, seat, order: this.#order(decision) });
  }

  #think(actions: readonly number[], settings: AgentSettings) {
    this.#follow(actions);
    const seat = this.game.toMove(this.#state);
    const agent = this.#agentAt(seat, settings);
    const ply = this.#actions.length;
    const random = Random.named(this.#seed, "page", "agent", seat, ply);
    return { agent, ply, seat, decision: agent.decide(this.#state, random, this.#decisions.length) };
  }

  /** The indices of the actions of a decision: the chosen one first, then by visits, then by value. */
  #order({ action, actions, visits, actionValues }: ReturnType<SessionAgent["decide"]>): number[] {
    const known = actionValues.map((value) => (Number.isNaN(value) ? -Infinity : value));
    return Array.from(actions, (_, i) => i).sort(
      (a, b) =>
        Number(actions[b] === action) - Number(actions[a] === action) ||
        visits[b]! - visits[a]! ||
        known[b]! - known[a]! ||
        a - b,
    );
  }

  /** The player of a seat, which has seen all plies so far. */
  #agentAt(seat: number, settings: AgentSettings): SessionAgent {
    const key = `${seat} ${JSON.stringify(settings)}`;
    let agent = this.#agents.get(key);
    if (agent !== undefined) return agent;
    agent = openAgent(settings, this.game, (net) => {
      const named = JSON.stringify(net);
      const resolved = this.#nets.get(named) ?? resolveNet(net, this.game, this.#config);
      this.#nets.set(named, resolved);
      return resolved;
    });
    this.#agents.set(key, agent);
    const state = this.game.initial();
    agent.begin(state);
    for (const action of this.#actions) {
      agent.observe(state, action);
      this.game.play(state, action);
    }
    return agent;
  }

  /** Goes to the position after some plies: from the present one if that is on the way, else from the start. */
  #follow(actions: readonly number[]): void {
    const known = this.#actions;
    if (known.length > actions.length || known.some((action, i) => action !== actions[i])) this.#restart();
    for (const action of actions.slice(this.#actions.length)) this.#play(action);
    this.#playChance();
  }

  #restart(): void {
    this.#actions = [];
    this.#decisions = [];
    this.#texts = [];
    this.#lastPlace = undefined;
    const start = this.game.initial();
    this.game.copy(start, this.#state);
    for (const agent of this.#agents.values()) agent.begin(start);
  }

  #play(action: number): void {
    const seat = this.game.toMove(this.#state);
    if (seat !== CHANCE) {
      this.#texts.push(this.#textsOf(action));
      this.#decisions.push({ ply: this.#actions.length, seat });
      this.#lastPlace = this.game.drawing.place?.(this.#state, action);
      this.game.copy(this.#state, this.#before);
    }
    for (const agent of this.#agents.values()) agent.observe(this.#state, action);
    this.game.play(this.#state, action);
    this.#actions.push(action);
  }

  #playChance(): void {
    while (this.game.toMove(this.#state) === CHANCE) {
      const random = Random.named(this.#seed, "page", "chance", this.#actions.length);
      this.#play(this.game.chance!.sample(this.#state, random));
    }
  }

  #legalNow(): Int32Array {
    if (this.game.toMove(this.#state) < 0) return this.#legal.subarray(0, 0);
    return this.#legal.subarray(0, this.game.legal(this.#state, this.#legal));
  }

  /** The text of a move for each seat, and for spectators: only if the viewer can distinguish it from all others. */
  #textsOf(action: number): (string | undefined)[] {
    const { information, notation, players } = this.game;
    const text = notation.format(this.#state, action);
    const seats = Array.from({ length: players }, (_, seat) => seat);
    if (information?.observed === undefined) return [...seats.map(() => text), text];
    const legal = Array.from(this.#legalNow());
    const texts = seats.map((seat) => {
      const seen = information.observed!(this.#state, action, seat);
      const others = legal.filter((each) => information.observed!(this.#state, each, seat) === seen);
      return others.length === 1 ? text : undefined;
    });
    return [...texts, texts.every((each) => each !== undefined) ? text : undefined];
  }

  #position(): TablePosition {
    const { drawing, figures, information, notation, players } = this.game;
    const mover = this.game.toMove(this.#state);
    const returns = new Float64Array(players);
    this.game.returns(this.#state, returns);
    // After the end nothing is hidden any more.
    const hides = information !== undefined && mover !== OVER;
    const seats = Array.from({ length: players }, (_, seat) => seat);
    const open = this.#view(undefined, players);
    const moves = Array.from(this.#legalNow(), (action) => {
      const place = drawing.place?.(this.#state, action);
      return {
        action,
        text: notation.format(this.#state, action),
        ...(place === undefined ? {} : { place }),
      };
    });
    return {
      actions: [...this.#actions],
      decisions: [...this.#decisions],
      ...(mover < 0 ? {} : { toMove: mover }),
      returns: [...returns],
      facts: figures?.facts?.(this.#state) ?? {},
      views: hides ? seats.map((seat) => this.#view(seat, seat)) : [open],
      spectator: hides ? this.#view(-1, players) : open,
      moves,
      refusals: mover < 0 ? {} : this.#refusals(moves),
    };
  }

  #refusals(moves: readonly MoveShown[]): Record<string, number[]> {
    const { drawing } = this.game;
    const board = drawing.refusal === undefined ? undefined : drawing.board?.(this.#state);
    if (board?.kind !== "grid") return {};
    const reached = new Set(moves.flatMap(({ place }) => place?.reach ?? place?.cells ?? []));
    const refusals: Record<string, number[]> = {};
    for (let cell = 0; cell < board.columns * board.rows; cell++) {
      const reason = reached.has(cell) ? undefined : drawing.refusal!(this.#state, cell);
      if (reason !== undefined) (refusals[reason] ??= []).push(cell);
    }
    return refusals;
  }

  /** What a seat sees: -1 sees no hand, undefined sees all. `viewer` is the index of its texts. */
  #view(seat: number | undefined, viewer: number): SeatView {
    const first = Math.max(0, this.#decisions.length - LISTED);
    const played = this.#decisions.slice(first).map(({ seat: mover }, i): PlayedMove => {
      const text = this.#texts[first + i]![viewer];
      return { number: first + i + 1, seat: mover, ...(text === undefined ? {} : { text }) };
    });
    // A picture shows everything.
    const shown = this.game.drawing.board !== undefined || seat === undefined;
    const known = this.#texts.at(-1)?.[viewer] !== undefined;
    const last = known ? { place: this.#lastPlace, before: this.#before } : undefined;
    return { ...(shown ? { board: boardOf(this.game, this.#state, seat, last) } : {}), played };
  }
}

import type { AnalysedDecision } from "../../../formats/game-analyses.ts";
import type { PlayView, PlayAct, SeatTaken, AdviceShown } from "../../views/play-views.ts";
import { RequestRefused } from "../responses.ts";
import { titleOf, variantOf } from "./known-games.ts";
import { GameJournal, type JournalledGame } from "./game-journal.ts";
import type { PlaySeat } from "./play-seat.ts";
import { levelsOf, type PagePlayer, settingsAt } from "./player.ts";
import { storePlayedGame } from "./store-game.ts";
import { TableHost, TableStopped } from "./table-host.ts";
import type { TableGame, TablePosition } from "./table.ts";

/** A game under way. */
export class PlaySession {
  readonly id: string;
  /** The time of the last request or look, in milliseconds of the process. */
  used = performance.now();
  readonly #root: string;
  readonly #seed: number;
  #player: PagePlayer;
  #simulations: number | undefined;
  readonly #table: TableHost;
  readonly #game: TableGame;
  readonly #seats: PlaySeat[];
  /** By visitor: the seat whose hand is shown to it. */
  readonly #looks = new Map<string, number>();
  readonly #watchers = new Map<(view: PlayView) => void, string>();
  #position: TablePosition;
  /** What players have thought of, by the ply of the decision. */
  readonly #decisions = new Map<number, AnalysedDecision>();
  /** By number of simulations: the moves, and the seconds that they took. */
  readonly #pace = new Map<number | undefined, { moves: number; seconds: number }>();
  #thinkingSince: number | undefined;
  #failure: string | undefined;
  #gaveUp: number | undefined;
  /** Another player has taken over while the one before was thinking. */
  #relieved = false;
  #stored: PlayView["stored"];
  /** The number of decisions before the game began: they cannot be taken back. */
  readonly #begun: number;
  readonly #journal: GameJournal;

  private constructor(
    id: string,
    root: string,
    seed: number,
    chosen: {
      readonly player: PagePlayer;
      readonly simulations: number | undefined;
      readonly seats: PlaySeat[];
      readonly begun?: number;
      readonly known?: JournalledGame;
    },
    opened: { readonly table: TableHost; readonly game: TableGame; readonly position: TablePosition },
  ) {
    this.id = id;
    this.#root = root;
    this.#seed = seed;
    this.#player = chosen.player;
    this.#simulations = chosen.simulations;
    this.#seats = chosen.seats;
    this.#table = opened.table;
    this.#game = opened.game;
    this.#position = opened.position;
    this.#begun = chosen.begun ?? opened.position.decisions.length;
    this.#journal = new GameJournal(root, id, { seed, begun: this.#begun }, chosen.known);
    if (chosen.known === undefined) return;
    for (const decision of chosen.known.decisions) this.#decisions.set(decision.ply, decision);
    this.#gaveUp = chosen.known.gaveUp ?? undefined;
    this.#stored = chosen.known.stored ?? undefined;
  }

  /** A game of an earlier server, by its journal. Throws RequestRefused. */
  static async restore(id: string, root: string, known: JournalledGame): Promise<PlaySession> {
    const { actions, begun, player, seed, seats } = known;
    const table = new TableHost({ game: player.game, plugins: player.plugins, seed });
    try {
      const game = await table.open();
      const position = await table.ask("show", { actions });
      const chosen = { player, simulations: known.simulations ?? undefined, seats: [...seats], begun, known };
      const session = new PlaySession(id, root, seed, chosen, { table, game, position });
      void session.#letPlayerMove();
      return session;
    } catch (error) {
      table.stop();
      throw new RequestRefused(409, `The game cannot continue: ${(error as Error).message}`);
    }
  }

  /** Sets a game up. `seats` assigns the seats, once the game is known. Throws RequestRefused. */
  static async start({
    begun,
    id,
    player,
    root,
    seats,
    seed,
    simulations,
  }: {
    readonly id: string;
    readonly root: string;
    readonly seed: number;
    readonly player: PagePlayer;
    readonly simulations: number | undefined;
    readonly seats: (count: number) => PlaySeat[];
    /** Plies that were played before the game begins. */
    readonly begun: readonly number[];
  }): Promise<PlaySession> {
    const table = new TableHost({ game: player.game, plugins: player.plugins, seed });
    try {
      const game = await table.open();
      // A person who has looked at a stored game has seen all hands.
      if (game.hidden && begun.length > 0)
        throw new RequestRefused(409, "A game with hidden hands cannot continue from a stored one.");
      const position = await table.ask("show", { actions: begun });
      if (position.toMove === undefined) throw new RequestRefused(409, "The game is over there.");
      const taken = seats(game.seatNames.length);
      const session = new PlaySession(
        id,
        root,
        seed,
        { player, simulations, seats: taken },
        { table, game, position },
      );
      void session.#letPlayerMove();
      return session;
    } catch (error) {
      table.stop();
      if (error instanceof RequestRefused) throw error;
      throw new RequestRefused(409, (error as Error).message);
    }
  }

  /** Whether a page watches the game. */
  get watched(): boolean {
    return this.#watchers.size > 0;
  }

  /** Whether its process runs, and whether it is at work. */
  get awake(): boolean {
    return this.#table.awake;
  }
  get busy(): boolean {
    return this.#thinkingSince !== undefined || this.#table.busy;
  }
  get over(): boolean {
    return this.#position.toMove === undefined || this.#gaveUp !== undefined;
  }

  /** Ends its process; the game can continue later. */
  sleep(): void {
    this.#table.stop();
  }

  /** Calls `listener` with what a visitor may see, now and after each change; returns a function that ends it. */
  watch(visitor: string, listener: (view: PlayView) => void): () => void {
    this.used = performance.now();
    this.#watchers.set(listener, visitor);
    listener(this.view(visitor));
    return () => {
      this.used = performance.now();
      this.#watchers.delete(listener);
    };
  }

  /** Does what a visitor wishes. Throws RequestRefused. */
  async act(visitor: string, act: PlayAct): Promise<void> {
    this.used = performance.now();
    switch (act.do) {
      case "move":
        return await this.#move(visitor, act);
      case "undo":
        return await this.#undo(visitor, act.ply);
      case "level": {
        this.#demandSeat(visitor);
        if (!levelsOf(this.#player).includes(act.simulations))
          throw new RequestRefused(400, "The player has no such number of simulations.");
        this.#simulations = act.simulations;
        return this.#notify();
      }
      case "stop":
        this.#demandSeat(visitor);
        if (this.#thinkingSince !== undefined) this.#table.stop();
        return;
      case "again":
        this.#demandSeat(visitor);
        if (this.#failure !== undefined) void this.#letPlayerMove();
        return;
      case "give-up":
        return this.#giveUp(visitor);
      case "sit": {
        // A request may have anything in place of the number.
        const seat = Number.isInteger(act.seat) ? this.#seats[act.seat] : undefined;
        if (seat?.by !== "person" || seat.visitor !== "")
          throw new RequestRefused(409, "This seat is taken.");
        this.#seats[act.seat] = { by: "person", visitor };
        return this.#notify();
      }
      case "look":
        if (!this.#own(visitor).includes(act.seat)) throw new RequestRefused(403, "This seat is not yours.");
        this.#looks.set(visitor, act.seat);
        return this.#notify();
      default:
        throw new RequestRefused(400, "The request names no known action.");
    }
  }

  /** Continues with another player. Throws RequestRefused. */
  changePlayer(visitor: string, player: PagePlayer): void {
    this.#demandSeat(visitor);
    if (
      JSON.stringify([player.game, player.plugins]) !==
      JSON.stringify([this.#player.game, this.#player.plugins])
    )
      throw new RequestRefused(409, "This player plays another game.");
    this.#player = player;
    this.#simulations = player.offer.simulations;
    this.#relieved = this.#thinkingSince !== undefined;
    if (this.#relieved) this.#table.stop();
    else void this.#letPlayerMove();
  }

  /** The player's advice to the visitor who is to move. Throws RequestRefused. */
  async advise(visitor: string): Promise<AdviceShown> {
    this.used = performance.now();
    this.#demandTurn(visitor);
    const settings = settingsAt(this.#player, this.#simulations);
    try {
      return await this.#table.ask("advise", { actions: this.#position.actions, settings });
    } catch (error) {
      throw new RequestRefused(409, `${this.#player.offer.name} cannot advise: ${(error as Error).message}`);
    }
  }

  /** The game as a visitor may see it. */
  view(visitor: string): PlayView {
    const { actions, decisions, facts, moves, refusals, spectator, toMove, views } = this.#position;
    const own = this.#own(visitor);
    const hides = views.length > 1;
    const { over } = this;
    const seenBy = hides ? this.#seenBy(visitor, own) : undefined;
    const seen = hides ? (seenBy === undefined ? spectator : views[seenBy]!) : views[0]!;
    const mine = toMove !== undefined && own.includes(toMove) && !over;
    const waiting = mine && hides && seenBy !== toMove;
    const pace = this.#pace.get(this.#simulations);
    const { bounds, hidden, pieceShapes, seatNames } = this.#game;
    const { from, key, kind, name } = this.#player.offer;
    return {
      id: this.id,
      rules: this.#player.game.rules,
      title: titleOf(this.#player.game.rules),
      variant: variantOf(this.#player.game),
      player: { key, name, from, kind },
      ...(this.#simulations === undefined ? {} : { simulations: this.#simulations }),
      levels: levelsOf(this.#player),
      ...(pace === undefined ? {} : { secondsAMove: pace.seconds / pace.moves }),
      seats: this.#seats.map((seat): SeatTaken =>
        seat.by === "player"
          ? seat
          : { by: "person", you: seat.visitor === visitor, open: seat.visitor === "" },
      ),
      seatNames,
      ...(pieceShapes === undefined ? {} : { pieceShapes }),
      ply: actions.length,
      decisions: decisions.length,
      state: over
        ? "over"
        : this.#failure !== undefined
          ? "failed"
          : this.#thinkingSince !== undefined
            ? "thinking"
            : "waiting",
      ...(toMove === undefined || over ? {} : { toMove }),
      ...(this.#thinkingSince === undefined
        ? {}
        : { thinkingFor: (performance.now() - this.#thinkingSince) / 1000 }),
      ...(this.#failure === undefined ? {} : { message: this.#failure }),
      ...(seen.board === undefined ? {} : { board: seen.board }),
      ...(seenBy === undefined ? {} : { seenBy }),
      hidden,
      ...(waiting ? { waitsFor: toMove } : {}),
      moves: mine && !waiting ? moves : [],
      refusals: mine && !waiting ? refusals : {},
      played: seen.played,
      canUndo: !over && this.#undoTo(visitor) !== undefined,
      ...(over ? { returns: this.#returns() } : {}),
      ...(this.#gaveUp === undefined ? {} : { gaveUp: this.#gaveUp }),
      bounds,
      ...(over ? { facts } : {}),
      ...(this.#stored === undefined ? {} : { stored: this.#stored }),
    };
  }

  /** The seat through whose eyes a visitor looks: the one that it asked for, or its only one. */
  #seenBy(visitor: string, own: readonly number[]): number | undefined {
    const asked = this.#looks.get(visitor);
    if (asked !== undefined && own.includes(asked)) return asked;
    return own.length === 1 ? own[0] : undefined;
  }

  #own(visitor: string): number[] {
    return this.#seats.flatMap((seat, i) => (seat.by === "person" && seat.visitor === visitor ? [i] : []));
  }

  #demandSeat(visitor: string): void {
    if (this.#own(visitor).length === 0) throw new RequestRefused(403, "You have no seat in this game.");
  }

  #demandTurn(visitor: string): void {
    const { toMove } = this.#position;
    if (this.over || toMove === undefined || !this.#own(visitor).includes(toMove))
      throw new RequestRefused(409, "It is not your turn.");
  }

  async #move(visitor: string, { action, ply }: PlayAct & { readonly do: "move" }): Promise<void> {
    this.#demandTurn(visitor);
    const { actions } = this.#position;
    if (ply !== actions.length) throw new RequestRefused(409, "The game has changed meanwhile.");
    const next = await this.#asked(this.#table.ask("move", { actions, action }));
    if (next === null) throw new RequestRefused(409, "This move is not legal.");
    if (this.#position.actions !== actions) throw new RequestRefused(409, "The game has changed meanwhile.");
    this.#position = next;
    this.#storeIfOver();
    this.#notify();
    void this.#letPlayerMove();
  }

  /** The number of plies before the newest decision of a visitor; undefined if it may not take it back. */
  #undoTo(visitor: string): number | undefined {
    const own = this.#own(visitor);
    // What another person has played is not taken back for them.
    if (this.#seats.some((seat) => seat.by === "person" && seat.visitor !== visitor)) return undefined;
    return this.#position.decisions.slice(this.#begun).findLast(({ seat }) => own.includes(seat))?.ply;
  }

  async #undo(visitor: string, ply: number): Promise<void> {
    this.#demandSeat(visitor);
    if (this.over) throw new RequestRefused(409, "The game is over.");
    const to = this.#undoTo(visitor);
    if (to === undefined) throw new RequestRefused(409, "There is no move of yours to take back.");
    if (ply !== this.#position.actions.length)
      throw new RequestRefused(409, "The game has changed meanwhile.");
    // A player that thinks would answer a position that has been taken back.
    if (this.#thinkingSince !== undefined) this.#table.stop();
    this.#position = await this.#asked(
      this.#table.ask("show", { actions: this.#position.actions.slice(0, to) }),
    );
    for (const each of this.#decisions.keys()) if (each >= to) this.#decisions.delete(each);
    this.#failure = undefined;
    this.#notify();
  }

  /** What a table answers. Throws RequestRefused if its process fails. */
  async #asked<T>(answer: Promise<T>): Promise<T> {
    try {
      return await answer;
    } catch (error) {
      throw new RequestRefused(409, `The table has failed: ${(error as Error).message}. Try again.`);
    }
  }

  /** Lets the player decide until a person is to move. */
  async #letPlayerMove(): Promise<void> {
    if (this.#thinkingSince !== undefined) return;
    this.#failure = undefined;
    while (!this.over && this.#seats[this.#position.toMove!]!.by === "player") {
      const simulations = this.#simulations;
      const { actions } = this.#position;
      this.#thinkingSince = performance.now();
      this.#notify();
      try {
        const settings = settingsAt(this.#player, simulations);
        const { decision, position, seconds } = await this.#table.ask("decide", { actions, settings });
        // Somebody has taken a move back meanwhile.
        if (this.#position.actions !== actions) break;
        this.#position = position;
        this.#decisions.set(decision.ply, decision);
        const pace = this.#pace.get(simulations) ?? { moves: 0, seconds: 0 };
        this.#pace.set(simulations, { moves: pace.moves + 1, seconds: pace.seconds + seconds });
      } catch (error) {
        if (this.#position.actions !== actions || this.over) break;
        if (this.#relieved) {
          this.#relieved = false;
          continue;
        }
        const seconds = (performance.now() - this.#thinkingSince) / 1000;
        this.#failure =
          error instanceof TableStopped
            ? `${this.#player.offer.name} was stopped after ${seconds.toFixed(seconds < 10 ? 1 : 0)} s.`
            : `${this.#player.offer.name} has failed: ${(error as Error).message}`;
        break;
      }
    }
    this.#thinkingSince = undefined;
    this.#storeIfOver();
    this.#notify();
  }

  #giveUp(visitor: string): void {
    this.#demandSeat(visitor);
    if (this.over) throw new RequestRefused(409, "The game is over.");
    const own = this.#own(visitor);
    const { toMove } = this.#position;
    this.#gaveUp = toMove !== undefined && own.includes(toMove) ? toMove : own[0]!;
    if (this.#thinkingSince !== undefined) this.#table.stop();
    this.#storeIfOver();
    this.#notify();
  }

  /** The returns; if the rules let a player resign, the seat that gave up has the least return and all others the greatest. */
  #returns(): readonly number[] {
    const { bounds, canResign } = this.#game;
    if (this.#gaveUp === undefined || !canResign) return this.#position.returns;
    return this.#seats.map((_, seat) => (seat === this.#gaveUp ? bounds[0]! : bounds[1]!));
  }

  /** Stores the game once it is over. */
  #storeIfOver(): void {
    if (!this.over || this.#stored !== undefined || this.#position.decisions.length === 0) return;
    const { actions, decisions, facts } = this.#position;
    try {
      this.#stored = storePlayedGame(this.#root, {
        player: this.#player,
        agent: settingsAt(this.#player, this.#simulations),
        config: this.#game.config,
        seed: this.#seed,
        seats: this.#seats.map((seat) => (seat.by === "player" ? "player" : "person")),
        actions,
        decisions: decisions.map(({ ply }) => this.#decisions.get(ply)),
        returns: this.#returns(),
        facts,
        ...(this.#gaveUp === undefined
          ? {}
          : { gaveUp: { seat: this.#gaveUp, final: this.#game.canResign } }),
      });
    } catch (error) {
      this.#failure = `The game could not be stored: ${(error as Error).message}`;
    }
  }

  #notify(): void {
    const { actions } = this.#position;
    this.#journal.record(actions, this.#decisions, {
      player: this.#player,
      simulations: this.#simulations ?? null,
      seats: this.#seats,
      gaveUp: this.#gaveUp ?? null,
      stored: this.#stored ?? null,
    });
    for (const [listener, visitor] of this.#watchers) listener(this.view(visitor));
  }
}

import { Random } from "../../../random.ts";
import { usualAnalysis } from "../../play/analysed-search.ts";
import type { ArenaSettings } from "./arena-settings.ts";
import { EarlierSelves } from "./earlier-selves.ts";
import type { GivenOpening, PlannedGame } from "../../play/game-task.ts";
import { readBook } from "../../play/openings/openings.ts";
import { blockOf, drawnBlock, type Lineup } from "./pairing.ts";
import type { StageView } from "../../operator.ts";
import type { OpenExperiment } from "../../experiment/open-experiment.ts";

/** More blocks of games than a round can have. */
const MOST_BLOCKS = 2 ** 32;

/**
 * The games of an arena. Each is a function of the experiment and the game's number alone.
 *
 * Game numbers go through all rounds, `perRound` per round, even if a sequential test ends a round earlier.
 */
export class ArenaSchedule {
  readonly #opened: OpenExperiment;
  readonly #stage: string;
  readonly #settings: ArenaSettings;
  #book: readonly (readonly number[])[] | undefined;
  /** The earlier selves that play; absent if none do. */
  readonly earlier: EarlierSelves | undefined;
  /** Maximum number of games in a round. */
  readonly perRound: number;
  /** By number of participants: the lineups of a block in the fixed order. */
  readonly #blocks = new Map<number, Block>();
  #drawn: { readonly key: string; readonly lineups: readonly Lineup[] } | undefined;

  /** The schedule of a stage. Only `task` reads a file. */
  constructor(opened: OpenExperiment, stage: string, offered: StageView["offered"]) {
    this.#opened = opened;
    this.#stage = stage;
    const settings = (this.#settings = opened.experiment.graph[stage] as unknown as ArenaSettings);
    const { agents, earlier, every, games } = settings;
    this.perRound = opened.game.players === 1 ? games * agents.length : games;
    this.earlier = earlier && new EarlierSelves(earlier, every, offered("after", "weights")?.filling ?? 0);
  }

  /** The names of the players in a round, in the order that the indices in `seats` refer to: earlier selves follow their agent. */
  participants(round: number): readonly string[] {
    const { agents } = this.#settings;
    if (this.earlier === undefined) return agents;
    const selves = this.earlier.names(round);
    return agents.flatMap((agent) => (agent === this.earlier!.agent ? [agent, ...selves] : [agent]));
  }

  /** Games of a round after which every participant has sat in each seat equally often; 1 in one-player games. */
  blockLength(round: number): number {
    return Math.max(1, this.#block(round).lineups.length);
  }

  /** Reads the book of openings, if there is one, before a game asks for it. Throws BookUnusable. */
  readBook(): readonly (readonly number[])[] | undefined {
    const path = this.#settings.openings?.book;
    return path === undefined ? undefined : (this.#book ??= readBook(this.#opened.game, path));
  }

  /** The participants in the seats of game `index` of the stage. */
  seats(index: number): readonly string[] {
    const round = Math.floor(index / this.perRound);
    return this.#seated(round, this.#seating(round, index % this.perRound));
  }

  /**
   * Game `index` of the stage. In one-player games the games of all agents in a round have the same names, so that
   * every agent gets the same draws of chance. Throws BookUnusable if the book of openings cannot be read.
   */
  task(index: number, generation: number): PlannedGame {
    const { games } = this.#settings;
    const round = Math.floor(index / this.perRound);
    const number = index % this.perRound;
    const solo = this.#opened.game.players === 1;
    const lineup = this.#seating(round, number);
    const deal = this.sharedDeal(index);
    const chance = deal === undefined ? {} : { chance: [this.#stage, round, "deal", deal] };
    const opening = this.#opening(round, solo ? number % games : number, lineup.group);
    return {
      stage: this.#stage,
      name: [this.#stage, round, solo ? number % games : number],
      index,
      generation,
      seats: this.#seated(round, lineup),
      measured: true,
      ...(this.analysed(index) ? { analyse: usualAnalysis } : {}),
      ...chance,
      ...(opening === undefined ? {} : { opening }),
    };
  }

  /** The number, within its round, of the set of games with the draws of chance of game `index`; undefined if it has its own. */
  sharedDeal(index: number): number | undefined {
    if (this.#settings.deals !== "shared" || this.#opened.game.players === 1) return undefined;
    const round = Math.floor(index / this.perRound);
    const number = index % this.perRound;
    return this.#group(round, number, this.#lineup(round, number).group);
  }

  /**
   * The number, within the stage, of the block of games that depend on game `index`: those in which the same participants change
   * seats, from one opening or with one deal if these are shared. In one-player games each game is a block.
   */
  dependent(index: number): number {
    if (this.#opened.game.players === 1) return index;
    const round = Math.floor(index / this.perRound);
    const number = index % this.perRound;
    return MOST_BLOCKS * round + this.#group(round, number, this.#lineup(round, number).group);
  }

  /** Whether game `index` of the stage is one of those that are analysed. */
  analysed(index: number): boolean {
    const { analyse, games } = this.#settings;
    return (index % this.perRound) % games < analyse;
  }

  #block(round: number): Block {
    const participants = this.participants(round).length;
    let block = this.#blocks.get(participants);
    if (block === undefined) {
      const { players } = this.#opened.game;
      const lineups = players === 1 ? [] : blockOf(this.#settings.seats, participants, players);
      block = { lineups, groups: 1 + Math.max(0, ...lineups.map(({ group }) => group)) };
      this.#blocks.set(participants, block);
    }
    return block;
  }

  #seated(round: number, { seats }: Lineup): string[] {
    const participants = this.participants(round);
    return seats.map((participant) => participants[participant]!);
  }

  /** In one-player games the agents play one after the other. */
  #seating(round: number, number: number): Lineup {
    return this.#opened.game.players === 1
      ? { seats: [Math.floor(number / this.#settings.games)], group: 0 }
      : this.#lineup(round, number);
  }

  #lineup(round: number, number: number): Lineup {
    const { lineups } = this.#block(round);
    const block = Math.floor(number / lineups.length);
    const place = number % lineups.length;
    const { seating, seats } = this.#settings;
    if (seating === "rotated") return lineups[place]!;
    const key = `${round} ${block}`;
    if (this.#drawn?.key !== key) {
      const { experiment, game } = this.#opened;
      const random = Random.named(experiment.seed, this.#stage, round, "seating", block);
      const participants = this.participants(round).length;
      this.#drawn = { key, lineups: drawnBlock(seats, participants, game.players, random) };
    }
    return this.#drawn.lineups[place]!;
  }

  /** The number, within its round, of a set of games in which the same participants change seats. */
  #group(round: number, number: number, group: number): number {
    return Math.floor(number / this.blockLength(round)) * this.#block(round).groups + group;
  }

  #opening(round: number, number: number, group: number): GivenOpening | undefined {
    const { openings } = this.#settings;
    if (openings === undefined) return undefined;
    const shared = openings.shared && this.#opened.game.players > 1;
    const opening = shared ? this.#group(round, number, group) : number;
    const book = this.readBook();
    if (book !== undefined) return { actions: book[opening % book.length]! };
    return { plies: openings.plies!, name: [this.#stage, round, "opening", opening] };
  }
}

/** A block of lineups, and the number of its groups. */
interface Block {
  readonly lineups: readonly Lineup[];
  readonly groups: number;
}

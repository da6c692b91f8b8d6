import { Random } from "../../random.ts";
import { usualAnalysis } from "../play/analysed-search.ts";
import type { ArenaSettings } from "./arena-settings.ts";
import type { GivenOpening, PlannedGame } from "../play/game-task.ts";
import { readBook } from "../play/openings.ts";
import { blockOf, drawnBlock, type Lineup } from "./pairing.ts";
import type { OpenExperiment } from "../experiment/open-experiment.ts";

/**
 * The games of an arena. Each is a function of the experiment and the game's number alone.
 *
 * Game numbers go through all rounds, `perRound` per round, even if a sequential test ends a round earlier.
 */
export class ArenaSchedule {
  readonly #opened: OpenExperiment;
  readonly #stage: string;
  readonly #settings: ArenaSettings;
  readonly #book: readonly (readonly number[])[] | undefined;
  /** Maximum number of games in a round. */
  readonly perRound: number;
  /** Games after which every agent has sat in each seat equally often; 1 in one-player games. */
  readonly blockLength: number;
  readonly #fixed: readonly Lineup[];
  readonly #groups: number;
  #drawn: { readonly key: string; readonly lineups: readonly Lineup[] } | undefined;

  /** Reads the book of openings, if there is one. Throws BookUnusable. */
  constructor(opened: OpenExperiment, stage: string) {
    this.#opened = opened;
    this.#stage = stage;
    const settings = (this.#settings = opened.experiment.graph[stage] as unknown as ArenaSettings);
    const { agents, games, openings, seats } = settings;
    const { players } = opened.game;
    this.#book = openings?.book === undefined ? undefined : readBook(opened.game, openings.book);
    this.perRound = players === 1 ? games * agents.length : games;
    this.#fixed = players === 1 ? [] : blockOf(seats, agents.length, players);
    this.blockLength = Math.max(1, this.#fixed.length);
    this.#groups = 1 + Math.max(0, ...this.#fixed.map(({ group }) => group));
  }

  /**
   * Game `index` of the stage. In one-player games the games of all agents in a round have the same names, so that
   * every agent gets the same draws of chance.
   */
  task(index: number, generation: number): PlannedGame {
    const { agents, games } = this.#settings;
    const round = Math.floor(index / this.perRound);
    const number = index % this.perRound;
    const solo = this.#opened.game.players === 1;
    const lineup = solo ? { seats: [Math.floor(number / games)], group: 0 } : this.#lineup(round, number);
    const chance =
      this.#settings.deals === "shared" && !solo
        ? { chance: [this.#stage, round, "deal", this.#group(number, lineup.group)] }
        : {};
    const opening = this.#opening(round, solo ? number % games : number, lineup.group);
    return {
      stage: this.#stage,
      name: [this.#stage, round, solo ? number % games : number],
      index,
      generation,
      seats: lineup.seats.map((agent) => agents[agent]!),
      ...(this.analysed(index) ? { analyse: usualAnalysis } : {}),
      ...chance,
      ...(opening === undefined ? {} : { opening }),
    };
  }

  /** Whether game `index` of the stage is one of those that are analysed. */
  analysed(index: number): boolean {
    const { analyse, games } = this.#settings;
    return (index % this.perRound) % games < analyse;
  }

  #lineup(round: number, number: number): Lineup {
    const block = Math.floor(number / this.blockLength);
    const place = number % this.blockLength;
    const { agents, seating, seats } = this.#settings;
    if (seating === "rotated") return this.#fixed[place]!;
    const key = `${round} ${block}`;
    if (this.#drawn?.key !== key) {
      const { experiment, game } = this.#opened;
      const random = Random.named(experiment.seed, this.#stage, round, "seating", block);
      this.#drawn = { key, lineups: drawnBlock(seats, agents.length, game.players, random) };
    }
    return this.#drawn.lineups[place]!;
  }

  /** The number, within its round, of a set of games in which the same agents change seats. */
  #group(number: number, group: number): number {
    return Math.floor(number / this.blockLength) * this.#groups + group;
  }

  #opening(round: number, number: number, group: number): GivenOpening | undefined {
    const { openings } = this.#settings;
    if (openings === undefined) return undefined;
    const shared = openings.shared && this.#opened.game.players > 1;
    const opening = shared ? this.#group(number, group) : number;
    if (this.#book !== undefined) return { actions: this.#book[opening % this.#book.length]! };
    return { plies: openings.plies!, name: [this.#stage, round, "opening", opening] };
  }
}

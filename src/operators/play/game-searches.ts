import { guidedPlayouts, type PlayoutGuide } from "../../games/guided-playouts.ts";
import type { NetRole } from "../../search/definition.ts";
import { createSearch, findSearch } from "../../search/registry.ts";
import type { Search } from "../../search/search.ts";
import { isOtherProgram, kindsOf } from "../experiment/agent-kinds.ts";
import { givenNets, guideOf, searchOptionsOf } from "../experiment/agent-net.ts";
import { type AgentConfig, gameOf, type OpenExperiment } from "../experiment/open-experiment.ts";
import { searchClock } from "../experiment/search-clock.ts";
import { participantNamed } from "../experiment/participant.ts";
import type { GameTask } from "./game-task.ts";
import { ProgramPlayers } from "./program-players.ts";

/** By role of a net of a participant: the number of the weights that it plays with. */
export type SeatWeights = Readonly<Partial<Record<NetRole, number>>>;

/** What games may change of a participant's search: a search is made for one value of each. */
interface OfGame {
  /** The number of its simulations, if it is not that of its settings. */
  readonly simulations: number | undefined;
  /** The version of its net, if its options follow schedules. */
  readonly version: number | undefined;
}

/**
 * The searches of one thread's games. Searches keep their trees between moves, so every place has its own searches; other
 * programs go from game to game.
 */
export class GameSearches {
  readonly #opened: OpenExperiment;
  readonly #guide: (weights: number) => PlayoutGuide<unknown>;
  readonly #searches = new Map<string, { readonly search: Search<unknown> } & OfGame>();
  readonly #programs = new ProgramPlayers();
  /** By key of a search: the number of the weights that draw the moves of its playouts in its present game. */
  readonly #guidedBy = new Map<string, number>();

  /** `guide` draws the moves of playouts with the weights with a number. */
  constructor(opened: OpenExperiment, guide: (weights: number) => PlayoutGuide<unknown>) {
    this.#opened = opened;
    this.#guide = guide;
  }

  /** Whether a game may begin now: see `ProgramPlayers`. */
  admits(task: GameTask): boolean {
    return this.#programs.admits(this.#programsOf(task));
  }

  /** A game begins at a place. */
  begin(place: number, task: GameTask): void {
    this.#programs.begin(place, this.#programsOf(task));
  }

  /** The game at a place has ended. */
  end(place: number): void {
    this.#programs.end(place);
  }

  /**
   * The search of the participant in a seat of a game at a place. Its requests name the weights, so an agent and its earlier selves
   * share searches, unless options follow schedules.
   */
  at(
    { seats, simulations, versions }: GameTask,
    seat: number,
    place: number,
    weights: SeatWeights,
  ): Search<unknown> {
    const name = seats[seat]!;
    const config = this.#configOf(name);
    const own = this.#key(name, seat);
    if (isOtherProgram(config))
      return this.#programs.take(place, own, participantNamed(name).agent, () => this.#create(name));
    const key = `${own}/${place}`;
    const guide = guideOf(config, this.#opened.nets);
    if (guide !== undefined) this.#guidedBy.set(key, weights[guide.role]!);
    const known = this.#searches.get(key);
    const ofGame: OfGame = {
      simulations: simulations?.[participantNamed(name).agent],
      version: hasSchedule(config) ? versions[seat]!.net : undefined,
    };
    if (known !== undefined && known.version === ofGame.version && known.simulations === ofGame.simulations)
      return known.search;
    const search = this.#create(
      name,
      guide === undefined ? undefined : () => this.#guide(this.#guidedBy.get(key)!),
      ofGame,
    );
    this.#searches.set(key, { search, ...ofGame });
    return search;
  }

  /** A new search for a participant; `guide` draws the moves of its playouts. */
  #create(
    name: string,
    guide?: () => PlayoutGuide<unknown>,
    { simulations, version }: Partial<OfGame> = {},
  ): Search<unknown> {
    const config = this.#configOf(name);
    const game = gameOf(this.#opened, config);
    return createSearch(
      config.use,
      guide === undefined ? game : guidedPlayouts(game, guide),
      { ...searchOptionsOf(config), ...(simulations === undefined ? {} : { simulations }) },
      kindsOf(config),
      givenNets(config, this.#opened.nets),
      searchClock(config, this.#opened.nets),
      version,
    );
  }

  /** Number of programs that play in a game. */
  #programsOf({ seats }: GameTask): number {
    const keys = seats.flatMap((name, seat) =>
      isOtherProgram(this.#configOf(name)) ? [this.#key(name, seat)] : [],
    );
    return new Set(keys).size;
  }

  /** Names the search of a seat among those of its game. One process of another program may play all seats of its agent. */
  #key(name: string, seat: number): string {
    const { agent } = participantNamed(name);
    return searchOptionsOf(this.#configOf(name))["perSeat"] === false ? agent : `${agent}/${seat}`;
  }

  #configOf(participant: string): AgentConfig {
    return this.#opened.experiment.agents[participantNamed(participant).agent]!;
  }
}

/** Whether an option of an agent's search changes with the version of its net. */
function hasSchedule(config: AgentConfig): boolean {
  const { scheduled = [] } = findSearch(config.use, kindsOf(config));
  return scheduled.some((name) => Array.isArray(config[name]));
}

import type { Evaluator } from "../../games/evaluation.ts";
import type { Game } from "../../games/game.ts";
import { guidedPlayouts } from "../../games/guided-playouts.ts";
import { encodeGameRecord } from "../../formats/game-records.ts";
import { Random } from "../../random.ts";
import type { Requesting } from "../../search/drive.ts";
import {
  type EpisodeRequest,
  type Episode,
  type EpisodeOptions,
  episode,
  type Seat,
} from "../../search/episode.ts";
import type { Expected } from "../../search/expected-game.ts";
import { createSearch } from "../../search/registry.ts";
import type { Search } from "../../search/search.ts";
import { encodeGameExamples } from "../replay/game-examples.ts";
import { lambdaExamples } from "../replay/lambda-examples.ts";
import { type Example, ExampleCodec } from "../replay/position-examples.ts";
import { countDecision, countEvaluations, type SharedCounts } from "../run/stage-activity.ts";
import { gameFigures } from "./game-figures.ts";
import type { GameWorkerData } from "./game-players.ts";
import type { GameReport, GameTask } from "./game-task.ts";
import { GameAnalyser } from "./game-analyser.ts";
import { playOpening } from "./openings.ts";
import { kindsOf } from "../experiment/agent-kinds.ts";
import { guidesPlayouts } from "../experiment/agent-net.ts";
import {
  type AgentConfig,
  type Experiment,
  gameOf,
  networkOf,
  openExperiment,
  type OpenExperiment,
} from "../experiment/open-experiment.ts";
import { valuedByNet } from "../evaluation/net-values.ts";
import { SlotEvaluator } from "../evaluation/slot-evaluator.ts";
import type { DrawsMoves, SharedTables } from "../../models/tables.ts";

/**
 * Plays games in one thread: seats the agents, evaluates the requests of their searches, and writes the records.
 *
 * Searches keep their trees between moves, so every place has its own searches. A place has one game at a time.
 */
export class GameTable {
  readonly #opened: OpenExperiment;
  readonly #nets: readonly string[];
  readonly #tables = new Map<string, Evaluator<unknown>>();
  /** By net: the policy that draws the moves of playouts. */
  readonly #guides = new Map<string, DrawsMoves<unknown>>();
  readonly #slots = new Map<string, SlotEvaluator<unknown>>();
  readonly #searches = new Map<string, Search<unknown>>();
  readonly #codec: ExampleCodec<unknown> | undefined;
  readonly #counts: Readonly<Record<string, SharedCounts>>;
  /** Counters of responses from caches, and the part of their sum that has been reported. */
  readonly #hits: readonly BigInt64Array[];
  #toldHits = 0;

  /**
   * Opens the experiment; the nets of these evaluators are computed there, others are looked up in tables. `counts` has the
   * counters of stages; stages without counters are not counted.
   */
  constructor(
    experiment: Experiment,
    evaluators: GameWorkerData["evaluators"],
    counts: Readonly<Record<string, SharedCounts>> = {},
  ) {
    this.#counts = counts;
    this.#opened = openExperiment(experiment);
    this.#nets = Object.keys(experiment.nets);
    const { game } = this.#opened;
    for (const [net, { endpoint, options }] of Object.entries(evaluators))
      this.#slots.set(net, new SlotEvaluator(game, networkOf(this.#opened, net), endpoint, options));
    this.#hits = Object.values(evaluators).flatMap(({ endpoint, options }) =>
      options.cache > 0 ? [endpoint.hits] : [],
    );
    this.#codec = game.nets?.packing === undefined ? undefined : new ExampleCodec(game);
  }

  /** Uses these tables of a net from now on, for values or for the moves of playouts. */
  useTables(net: string, tables: SharedTables): void {
    const open = this.#opened.nets.get(net)!;
    if (open.kind !== "tables") return;
    if (open.evaluator !== undefined) this.#tables.set(net, open.evaluator(tables));
    if (open.playouts !== undefined) this.#guides.set(net, open.playouts(tables));
  }

  /** Plays the game of a task at a place; yields the requests of its searches. */
  *start(task: GameTask, place: number): Requesting<unknown, GameReport> {
    const learned = task.examples?.use;
    const keep = {
      visits: learned === "td" || learned === "alphazero",
      samples: learned === "search-samples",
    };
    const analyser = task.analyse && new GameAnalyser(this.#opened.game, task.analyse);
    const counts = this.#counts[task.stage];
    const options = counts === undefined ? { keep } : { keep, decided: () => countDecision(counts) };
    const playing = this.#play(task, place, options, analyser);
    const begun = this.#awaitsEvaluations(task) ? undefined : process.threadCpuUsage?.();
    let evaluations = 0;
    let step = playing.next();
    for (; step.done !== true; step = playing.next()) {
      evaluations += step.value.request.count;
      if (counts !== undefined) countEvaluations(counts, step.value.request.count);
      yield step.value;
    }
    let learnedFrom = step.value;
    if (task.examples?.use === "td" && task.examples.values === "net")
      learnedFrom = { ...learnedFrom, decisions: yield* this.#valuedByNet(task.seats[0]!, learnedFrom) };
    const used = begun && process.threadCpuUsage(begun);
    return {
      ...this.#report(task, step.value, analyser),
      samples: this.#examples(learnedFrom, task),
      evaluations,
      ...(used === undefined ? {} : { seconds: (used.user + used.system) / 1e6 }),
      ...this.#cacheHits(),
    };
  }

  /** The decisions of a game with the values of an agent's net. */
  #valuedByNet(agent: string, { actions, decisions }: Episode<unknown>) {
    const net = this.#opened.experiment.agents[agent]!.net!;
    return valuedByNet(this.#gameOf(agent), actions, decisions, this.#nets.indexOf(net));
  }

  /** Whether a game waits for evaluations, while its thread plays other games. */
  #awaitsEvaluations({ seats }: GameTask): boolean {
    const { agents } = this.#opened.experiment;
    return seats.some((agent) => this.#slots.has(agents[agent]!.net ?? ""));
  }

  /** Number of responses from caches since the previous report; absent where there is no cache. */
  #cacheHits(): { cacheHits?: number } {
    if (this.#hits.length === 0) return {};
    const hits = this.#hits.reduce((sum, count) => sum + Number(count[0]), 0);
    const cacheHits = hits - this.#toldHits;
    this.#toldHits = hits;
    return { cacheHits };
  }

  /** Plays a recorded game again from its seed. The result has the first difference, if there is one. */
  *replay(task: GameTask, expected: Expected): Requesting<unknown, Episode<unknown>> {
    return yield* this.#play(task, 0, { expected });
  }

  /** Adds a request of a game of this group; true if it is evaluated already. */
  add({ evaluator, request }: EpisodeRequest<unknown>, group: number): boolean {
    const net = this.#nets[evaluator]!;
    const slots = this.#slots.get(net);
    if (slots !== undefined) return slots.add(request, group);
    this.#tables.get(net)!.evaluate(request);
    return true;
  }

  /** Submits the requests of a group. */
  submit(group: number): void {
    for (const slots of this.#slots.values()) slots.submit(group);
  }

  /** Blocks until the requests of a group are evaluated. */
  collect(group: number): void {
    for (const slots of this.#slots.values()) slots.collect(group);
  }

  #play(task: GameTask, place: number, options: EpisodeOptions, analyser?: GameAnalyser<unknown>) {
    const { experiment, game } = this.#opened;
    const draws = (...purpose: (string | number)[]) =>
      Random.named(experiment.seed, ...task.name, ...purpose);
    const seats = task.seats.map((agent, seat): Seat<unknown> => {
      const config = experiment.agents[agent]!;
      const search = this.#search(agent, config, place, seat);
      return {
        search: analyser?.analysed(search, this.#hasPolicy(config)) ?? search,
        random: draws("agent", agent, seat),
        evaluator: config.net === undefined ? -1 : this.#nets.indexOf(config.net),
      };
    });
    const { plies, opening } = task;
    return episode(game, seats, Random.named(experiment.seed, ...(task.chance ?? task.name), "chance"), {
      ...options,
      ...(plies === undefined ? {} : { plies }),
      ...(opening === undefined ? {} : { opening: playOpening(game, experiment.seed, opening) }),
    });
  }

  #search(agent: string, config: AgentConfig, place: number, seat: number): Search<unknown> {
    // One process of an outside program may play all seats of its agent in a game.
    const key = config["perSeat"] === false ? `${agent}/${place}` : `${agent}/${place}/${seat}`;
    let search = this.#searches.get(key);
    if (search === undefined) {
      const { use, net, ...options } = config;
      const game = this.#gameOf(agent);
      const guided = net !== undefined && guidesPlayouts(this.#opened.nets.get(net)!);
      search = createSearch(
        use,
        guided ? guidedPlayouts(game, (state, random) => this.#guides.get(net)!.draw(state, random)) : game,
        options,
        kindsOf(config),
      );
      this.#searches.set(key, search);
    }
    return search;
  }

  #hasPolicy({ net }: AgentConfig): boolean {
    return net !== undefined && this.#opened.nets.get(net)!.hasPolicy;
  }

  /** The game as an agent plays it. */
  #gameOf(agent: string): Game<unknown> {
    return gameOf(this.#opened, this.#opened.experiment.agents[agent]!);
  }

  #report(
    task: GameTask,
    played: Episode<unknown>,
    analyser: GameAnalyser<unknown> | undefined,
  ): Omit<GameReport, "cacheHits" | "evaluations" | "samples" | "seconds"> {
    const { returns, facts, decisions, actions } = played;
    const failure = played.failure === undefined ? {} : { failure: played.failure };
    const record = encodeGameRecord({
      game: task.index,
      generation: task.generation,
      seats: task.seats,
      actions,
      values: Float64Array.from(decisions.flatMap(({ values }) => values)),
      returns,
      facts,
      ...failure,
    });
    const first = decisions[0];
    return {
      record,
      returns,
      plies: actions.length,
      facts,
      startValue: first?.values[first.seat] ?? 0,
      ...gameFigures(played, task.seats, (agent) =>
        this.#opened.experiment.agents[agent]!.net === undefined ? undefined : this.#gameOf(agent),
      ),
      ...(analyser === undefined ? {} : { analysis: analyser.analysis(task.index, decisions) }),
      ...failure,
    };
  }

  #examples(played: Episode<unknown>, { examples: config, seats, learner }: GameTask): Uint8Array {
    if (config === undefined) return new Uint8Array(0);
    const game = this.#gameOf(learner ?? seats[0]!);
    if (config.use === "alphazero") return encodeGameExamples(game, played, config);
    if (this.#codec === undefined) return new Uint8Array(0);
    const examples: readonly Example<unknown>[] =
      config.use === "td"
        ? lambdaExamples(game, played.actions, played.decisions, config.lambda)
        : played.samples;
    return this.#codec.encodeAll(examples);
  }
}

import type { Evaluator } from "../../games/evaluation.ts";
import type { Game, Solve } from "../../games/game.ts";
import { stateOfText } from "../../games/position-text.ts";
import type { PlayoutGuide } from "../../games/guided-playouts.ts";
import { encodeGameRecord } from "../../formats/game-records.ts";
import { hasOutsideFiles } from "../../messages/outside-place.ts";
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
import { RecordedPlayer } from "../../search/recorded-player.ts";
import { encodeGameExamples } from "./examples/game-examples.ts";
import { lambdaExamples } from "./examples/lambda-examples.ts";
import { type Example, ExampleCodec } from "./examples/position-examples.ts";
import { countDecision, countEvaluations, type SharedCounts } from "../run/shared-counts.ts";
import { decisionSums } from "./decision-sums.ts";
import { EffortMeter } from "./effort-meter.ts";
import { GameSearches, type SeatWeights } from "./game-searches.ts";
import { gameFigures } from "./game-figures.ts";
import type { GameWorkerData } from "./game-players.ts";
import type { GameReport, GameTask, GameWithTables, TablesVersion } from "./game-task.ts";
import { GameAnalyser } from "./game-analyser.ts";
import { inGame } from "./outside-failure.ts";
import { playOpening } from "./openings/openings.ts";
import { type ValueProbe, valueProbe } from "./value-probe.ts";
import { type UsedWeights, WeightsInUse } from "./weights-in-use.ts";
import { isOtherProgram } from "../experiment/agent-kinds.ts";
import { participantNamed } from "../experiment/participant.ts";
import { netNames, netsOf, valueNetOf } from "../experiment/agent-net.ts";
import {
  type AgentConfig,
  calledNet,
  type Experiment,
  gameOf,
  networkOf,
  openExperiment,
  type OpenExperiment,
} from "../experiment/open-experiment.ts";
import { valuedByNet } from "./evaluation/net-values.ts";
import { SlotEvaluator } from "./evaluation/slot-evaluator.ts";
import type { NetVersion } from "../run/weights/weights-board.ts";
import type { SharedTables } from "../../models/tables.ts";

/** The number in place of weights for a player without the net that would have them. */
const NO_WEIGHTS = -1;

/** The number of the weights whose values a participant plays by. */
function valuing({ net, valueNet }: SeatWeights): number {
  return valueNet ?? net ?? NO_WEIGHTS;
}

/**
 * Plays games in one thread: seats the agents, evaluates the requests of their searches, and writes the records.
 *
 * A place has one game at a time.
 */
export class GameTable {
  readonly #opened: OpenExperiment;
  /** By net on tables: values and playouts by its current tables. */
  readonly #tables = new Map<string, Evaluator<unknown>>();
  readonly #guides = new Map<string, PlayoutGuide<unknown>>();
  /** The weights of the games under way; searches name them by number. */
  readonly #weights = new WeightsInUse();
  readonly #slots = new Map<string, SlotEvaluator<unknown>>();
  readonly #searches: GameSearches;
  /** By agent: solvers of the game as it plays it. */
  readonly #solvers = new Map<string, Solve<unknown>>();
  readonly #codec: ExampleCodec<unknown> | undefined;
  readonly #counts: Readonly<Record<string, SharedCounts>>;
  /** Counters of responses from caches, and the part of their sum that has been reported. */
  readonly #hits: readonly BigInt64Array[];
  #reportedHits: number;

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
    this.#searches = new GameSearches(this.#opened, (weights) => this.#guide(weights));
    const { game } = this.#opened;
    for (const [net, { endpoint, options }] of Object.entries(evaluators))
      this.#slots.set(
        net,
        new SlotEvaluator(game, networkOf(this.#opened, net), endpoint, options, (version) =>
          calledNet(this.#opened, net, version),
        ),
      );
    this.#hits = Object.values(evaluators).flatMap(({ endpoint, options }) =>
      options.cache > 0 ? [endpoint.hits] : [],
    );
    // A thread that replaces a crashed one continues with its counters.
    this.#reportedHits = this.#allHits();
    this.#codec = game.nets?.packing === undefined ? undefined : new ExampleCodec(game);
  }

  /** Uses these tables of a net from now on, for values or for the moves of playouts. */
  useTables(net: string, tables: SharedTables): void {
    const { evaluator, guide } = this.#openTables(net, tables);
    if (evaluator !== undefined) this.#tables.set(net, evaluator);
    if (guide !== undefined) this.#guides.set(net, guide);
  }

  /** Whether a game may begin now: games with other programs wait until enough of these are free. */
  admits({ task }: GameWithTables): boolean {
    return this.#searches.admits(task);
  }

  /**
   * Plays the game of a task, which is admitted, at a place; yields the requests of its searches. `tables` are those of
   * earlier selves.
   */
  start(game: GameWithTables, place: number): Requesting<unknown, GameReport> {
    this.#searches.begin(place, game.task);
    return this.#start(game, place);
  }

  *#start({ task, tables }: GameWithTables, place: number): Requesting<unknown, GameReport> {
    const weights = this.#acquire(task, tables);
    const moves: number[] = [];
    let report: GameReport;
    try {
      report = yield* this.#playAndReport(task, weights, place, moves);
    } catch (error) {
      throw inGame(error, this.#opened, task, moves);
    }
    for (const number of weights.flatMap((own) => Object.values(own))) this.#weights.release(number);
    this.#searches.end(place);
    return report;
  }

  *#playAndReport(
    task: GameTask,
    weights: readonly SeatWeights[],
    place: number,
    moves: number[],
  ): Requesting<unknown, GameReport> {
    const learned = task.examples?.use;
    const keep = {
      visits: learned === "td" || learned === "alphazero",
      samples: learned === "search-samples",
    };
    const analyser = task.analyse && new GameAnalyser(this.#opened.game, task.analyse);
    const counts = this.#counts[task.stage];
    const meter = task.measured && this.#meter(task, weights, place);
    const options: EpisodeOptions = {
      keep,
      ...(meter === undefined ? {} : { deciding: (seat) => meter.deciding(seat) }),
      decided: ({ limit }) => {
        meter?.decided(limit);
        if (counts !== undefined) countDecision(counts);
      },
      // For the message, if a plug-in throws.
      ...(hasOutsideFiles() ? { played: (action) => moves.push(action) } : {}),
    };
    const playing = this.#play(task, weights, place, options, analyser);
    let evaluations = 0;
    let step = playing.next();
    for (; step.done !== true; step = playing.next()) {
      evaluations += step.value.request.count;
      meter?.evaluates(step.value.request.count);
      if (counts !== undefined) countEvaluations(counts, step.value.request.count);
      yield step.value;
      meter?.evaluated(step.value.request);
    }
    const effort = meter?.end();
    const { learnedSeat } = task;
    const played = step.value;
    const own = played.decisions.filter(({ seat }) => learnedSeat === undefined || seat === learnedSeat);
    let learnedFrom = { ...played, decisions: own };
    if (task.examples?.use === "td" && task.examples.values === "net") {
      const seat = learnedSeat ?? 0;
      const decisions = yield* this.#valuedByNet(task.seats[seat]!, valuing(weights[seat]!), learnedFrom);
      learnedFrom = { ...played, decisions };
    }
    const probe = yield* this.#probe(task, weights, { ...played, decisions: own }, evaluations);
    return {
      ...this.#report(task, played, analyser),
      samples: this.#examples(learnedFrom, task),
      ...this.#decisionSums(played, task, probe),
      evaluations,
      ...(effort === undefined ? {} : { effort }),
      ...this.#cacheHits(),
    };
  }

  /** The decisions of a game with the values of the weights with a number, for the game as a participant plays it. */
  #valuedByNet(participant: string, weights: number, { actions, decisions }: Episode<unknown>) {
    return valuedByNet(this.#gameOf(participant), actions, decisions, weights);
  }

  /** A closer look at a decision of the net that learns from a game; undefined for most games. */
  *#probe(
    task: GameTask,
    weights: readonly SeatWeights[],
    { actions, decisions }: Episode<unknown>,
    evaluations: number,
  ): Requesting<unknown, ValueProbe | undefined> {
    const { examples, learnedSeat = 0, name } = task;
    const { player, teacher } = learnedPlayer(task);
    const config = this.#configOf(player);
    const { net } = weights[learnedSeat]!;
    if (examples?.use !== "alphazero" || teacher || net === undefined) return undefined;
    const valueNet = valueNetOf(config);
    if (!this.#hasPolicy(config) || valueNet === undefined || !this.#opened.nets.get(valueNet)!.hasValue)
      return undefined;
    return yield* valueProbe(
      {
        game: this.#gameOf(player),
        actions,
        decisions,
        start: startOf(task),
        evaluations,
        policy: net,
        value: valuing(weights[learnedSeat]!),
      },
      Random.named(this.#opened.experiment.seed, ...name, "probe"),
    );
  }

  #meter(task: GameTask, weights: readonly SeatWeights[], place: number): EffortMeter {
    return new EffortMeter(
      task.seats.map((name, seat) => ({
        search: this.#searches.at(task, seat, place, weights[seat]!),
        awaits: netNames(this.#configOf(name)).some((net) => this.#slots.has(net)),
      })),
    );
  }

  /** Number of responses from caches since the previous report; absent if there is no cache. */
  #cacheHits(): { cacheHits?: number } {
    if (this.#hits.length === 0) return {};
    const hits = this.#allHits();
    const cacheHits = hits - this.#reportedHits;
    this.#reportedHits = hits;
    return { cacheHits };
  }

  #allHits(): number {
    return this.#hits.reduce((sum, count) => sum + Number(count[0]), 0);
  }

  /**
   * Plays a recorded game again from its seed. The result has the first difference, if there is one. No program is started:
   * the moves of other programs are those of the record.
   */
  *replay({ task, tables }: GameWithTables, expected: Expected): Requesting<unknown, Episode<unknown>> {
    return yield* this.#play(task, this.#acquire(task, tables), 0, { expected });
  }

  /** The weights that a request is for. */
  weightsOf({ evaluator }: EpisodeRequest<unknown>): NetVersion {
    return this.#weights.at(evaluator);
  }

  /** Adds a request of a game of this group; true if it is evaluated already. */
  add({ evaluator, request }: EpisodeRequest<unknown>, group: number): boolean {
    const weights = this.#weights.at(evaluator);
    const slots = this.#slots.get(weights.net);
    if (slots !== undefined) return slots.add(request, weights.version, group);
    (weights.evaluator ?? this.#tables.get(weights.net)!).evaluate(request);
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

  /** By seat: the numbers of the weights that its participant plays with. */
  #acquire({ seats, versions }: GameTask, tables: readonly TablesVersion[]): SeatWeights[] {
    return seats.map((name, seat) =>
      Object.fromEntries(
        netsOf(this.#configOf(name)).map(({ role, net }) => [
          role,
          this.#acquireOne({ net, version: versions[seat]![role]! }, tables),
        ]),
      ),
    );
  }

  #acquireOne({ net, version }: NetVersion, tables: readonly TablesVersion[]): number {
    // Current tables are looked up when they are needed: learners continue to change them.
    const own = tables.find((each) => each.net === net && each.version === version);
    return this.#weights.acquire({ net, version }, own !== undefined, () => ({
      net,
      version,
      ...(own === undefined ? {} : this.#openTables(net, own.tables)),
    }));
  }

  #openTables(net: string, tables: SharedTables): Pick<UsedWeights, "evaluator" | "guide"> {
    const open = this.#opened.nets.get(net)!;
    if (open.kind !== "tables") return {};
    return { evaluator: open.evaluator?.(tables), guide: open.playouts?.(tables) };
  }

  #play(
    task: GameTask,
    weights: readonly SeatWeights[],
    place: number,
    options: EpisodeOptions,
    analyser?: GameAnalyser<unknown>,
  ) {
    const { experiment, game } = this.#opened;
    const draws = (...purpose: (string | number)[]) =>
      Random.named(experiment.seed, ...task.name, ...purpose);
    const seats = task.seats.map((name, seat): Seat<unknown> => {
      const config = this.#configOf(name);
      // A program that plays again could do anything, so its recorded moves are played in its place.
      const search =
        options.expected !== undefined && isOtherProgram(config)
          ? new RecordedPlayer(game, options.expected.actions)
          : this.#searches.at(task, seat, place, weights[seat]!);
      return {
        search: analyser?.analysed(search, this.#hasPolicy(config)) ?? search,
        random: draws("agent", name, seat),
        evaluator: weights[seat]!.net ?? NO_WEIGHTS,
        valueEvaluator: valuing(weights[seat]!),
      };
    });
    const { plies, opening } = task;
    const start = startOf(task);
    return episode(game, seats, Random.named(experiment.seed, ...(task.chance ?? task.name), "chance"), {
      ...options,
      resigns: task.measured === true,
      ...(plies === undefined ? {} : { plies }),
      ...(opening === undefined ? {} : { opening: playOpening(game, experiment.seed, opening) }),
      ...(start === undefined ? {} : { start: stateOfText(game, start) }),
    });
  }

  /** What draws the moves of playouts with the weights with a number. */
  #guide(weights: number): PlayoutGuide<unknown> {
    const { guide, net } = this.#weights.at(weights);
    return guide ?? this.#guides.get(net)!;
  }

  #configOf(participant: string): AgentConfig {
    return this.#opened.experiment.agents[participantNamed(participant).agent]!;
  }

  #hasPolicy({ net }: AgentConfig): boolean {
    return net !== undefined && this.#opened.nets.get(net)!.hasPolicy;
  }

  /** The game as a participant plays it. */
  #gameOf(participant: string): Game<unknown> {
    return gameOf(this.#opened, this.#configOf(participant));
  }

  #report(
    task: GameTask,
    played: Episode<unknown>,
    analyser: GameAnalyser<unknown> | undefined,
  ): Omit<GameReport, "cacheHits" | "decisionSums" | "effort" | "evaluations" | "samples"> {
    const { returns, facts, decisions, actions } = played;
    const failure = played.failure === undefined ? {} : { failure: played.failure };
    const dispute = played.dispute === undefined ? {} : { dispute: played.dispute };
    const resigned = played.resigned === undefined ? {} : { resigned: played.resigned };
    const record = encodeGameRecord({
      game: task.index,
      generation: task.generation,
      seats: task.seats,
      actions,
      values: Float64Array.from(decisions.flatMap(({ values }) => values)),
      returns,
      facts,
      ...failure,
      ...dispute,
      ...resigned,
    });
    const first = decisions[0];
    return {
      record,
      returns,
      plies: actions.length,
      facts,
      startValue: first?.values[first.seat] ?? 0,
      ...gameFigures(
        played,
        task.seats,
        (name) => (valueNetOf(this.#configOf(name)) === undefined ? undefined : this.#gameOf(name)),
        startOf(task),
      ),
      ...(analyser === undefined ? {} : { analysis: analyser.analysis(task.index, decisions) }),
      ...failure,
    };
  }

  /** What the decisions add to the figures of a generation, if a policy is learned. */
  #decisionSums(
    played: Episode<unknown>,
    task: GameTask,
    probe: ValueProbe | undefined,
  ): Pick<GameReport, "decisionSums"> {
    if (task.examples?.use !== "alphazero") return {};
    const { player, teacher } = learnedPlayer(task);
    const learned = { seat: task.learnedSeat, teacher, start: startOf(task), probe };
    return { decisionSums: decisionSums(played, this.#gameOf(player), learned) };
  }

  /** The solver of the game as a participant plays it. */
  #solverOf(participant: string, game: Game<unknown>): Solve<unknown> {
    const { agent } = participantNamed(participant);
    let solve = this.#solvers.get(agent);
    if (solve === undefined) this.#solvers.set(agent, (solve = game.solver!()));
    return solve;
  }

  #examples(played: Episode<unknown>, { examples: config, seats, learner }: GameTask): Uint8Array {
    if (config === undefined) return new Uint8Array(0);
    const game = this.#gameOf(learner ?? seats[0]!);
    if (config.use === "alphazero")
      return encodeGameExamples(
        game,
        played,
        config,
        config.values && this.#solverOf(learner ?? seats[0]!, game),
      );
    if (this.#codec === undefined) return new Uint8Array(0);
    const examples: readonly Example<unknown>[] =
      config.use === "td"
        ? lambdaExamples(game, played.actions, played.decisions, config.lambda)
        : played.samples;
    return this.#codec.encodeAll(examples);
  }
}

/** The participant whose decisions are learned from, and whether it teaches in place of the agent that learns. */
function learnedPlayer({ learnedSeat = 0, learner, seats }: GameTask): {
  readonly player: string;
  readonly teacher: boolean;
} {
  const player = seats[learnedSeat]!;
  return { player, teacher: learner !== undefined && participantNamed(player).agent !== learner };
}

/** The text of the position that a game begins with; undefined if it begins as the rules say. */
export function startOf({ opening }: GameTask): string | undefined {
  return opening !== undefined && "actions" in opening ? opening.start : undefined;
}

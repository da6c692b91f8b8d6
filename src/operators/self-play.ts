import * as Effect from "effect/Effect";
import * as Stream from "effect/Stream";
import { Type } from "../schema.ts";
import { valuesOfLesser } from "../search/depth-first/downgrade.ts";
import { decodeGameRecord } from "../formats/game-records.ts";
import { type ExamplesConfig, examplesSchema, layoutOf } from "./replay/examples.ts";
import { forecastBounds } from "./play/forecast-tally.ts";
import { retriesSchema } from "./play/game-players.ts";
import { GameTally } from "./play/game-tally.ts";
import type { GameReport, GameTask } from "./play/game-task.ts";
import { MOST_GAMES } from "./experiment/most-games.ts";
import { gamesInFlight, inFlightSchema } from "./run/parallelism.ts";
import type { PlayedGame } from "./run/items.ts";
import { type Complaint, complainUnknown, operator, type SettingsOf, type StageEnv } from "./operator.ts";
import { type RunError, RunFailed } from "./run/run-error.ts";
import type { StoredExamples } from "./run/run-files.ts";
import { type AgentConfig, gameOf } from "./experiment/open-experiment.ts";
import { monitorSchema, ValueMonitor } from "./tables/value-monitor.ts";
import type { GenerationReader } from "./training/weights-board.ts";

const settings = {
  agent: Type.String({ description: "The agent in every seat (a name under agents)." }),
  games: Type.Integer({ minimum: 1, maximum: MOST_GAMES, description: "Games of the whole run." }),
  generation: Type.Integer({
    minimum: 1,
    maximum: MOST_GAMES,
    description: "Games played with one version of the weights; the trainer learns once per generation.",
  }),
  warmStart: Type.Optional(
    Type.Object(
      {
        agent: Type.String({ description: "The agent in every seat of these games; it has no net." }),
        games: Type.Integer({ minimum: 1, maximum: MOST_GAMES, description: "How many of the first games." }),
      },
      {
        additionalProperties: false,
        description:
          "Has the first games played by a search without a net, such as one by playouts: an untrained net then learns from a player that knows what a game comes to (warm start: Wang, Preuss and Plaat 2020; Anthony, Tian and Barber 2017). Values learned from these games are their results alone.",
      },
    ),
  ),
  examples: examplesSchema,
  inFlight: inFlightSchema,
  retries: retriesSchema,
  monitor: monitorSchema,
};

type Settings = SettingsOf<typeof settings>;

/** Plays games of one agent against itself on worker threads, generation by generation. */
export const selfPlay = operator({
  use: "self-play",
  description:
    "Plays games of an agent against itself on worker threads, and makes training examples of them.",
  example: "games: { use: self-play, agent: learner, games: 1000, generation: 100, examples: { use: td } }",
  settings,
  inputs: {},
  output: "games",
  check: (settings: Settings, { opened }) => {
    const { agents } = opened.experiment;
    const complaints: Complaint[] = complainUnknown("agent", "agent", settings.agent, agents);
    if (settings.games % settings.generation !== 0)
      complaints.push({
        key: "generation",
        message: `${settings.games} games are no whole number of generations of ${settings.generation}`,
      });
    const { examples, warmStart } = settings;
    if (warmStart !== undefined) complaints.push(...complainWarmStart(warmStart, settings, agents));
    if (examples.use === "td" && examples.values === "net" && agents[settings.agent]?.net === undefined)
      complaints.push({ key: "examples/values", message: `the agent "${settings.agent}" has no net` });
    const lesser =
      examples.use === "td" && examples.values !== "net"
        ? valuesOfLesser(settings.agent, agents[settings.agent] ?? {})
        : undefined;
    if (lesser !== undefined)
      complaints.push({ key: "examples/values", message: `${lesser}, or take values: net` });
    if (layoutOf(examples) === "positions" && opened.game.nets?.packing === undefined)
      complaints.push({ message: `the game ${opened.game.name} cannot pack its states for learning` });
    return complaints;
  },
  bounds: (settings: Settings, { opened }) => [
    `at most ${gamesInFlight(opened, settings.inFlight)} games under way or waiting to be read`,
  ],
  agents: ({ agent, warmStart }: Settings) => [agent, ...(warmStart === undefined ? [] : [warmStart.agent])],
  offers: ({ agent, examples, games, generation }: Settings) => ({ agent, examples, games, generation }),
  replay: (_settings, { view, record }, play) =>
    play(
      {
        stage: view.name,
        name: [view.name, record.game],
        index: record.game,
        generation: record.generation,
        seats: record.seats,
      },
      "version",
    ),
  build: (settings: Settings, _inputs, env) =>
    Effect.sync(() => {
      const source = new Source(settings, env);
      return Stream.concat(source.stored(), source.played()).pipe(
        Stream.ensuring(Effect.sync(() => source.ended())),
      );
    }),
});

/** What is wrong with games by an agent that is not the learner. */
function complainWarmStart(
  { agent, games }: NonNullable<Settings["warmStart"]>,
  settings: Settings,
  agents: Readonly<Record<string, AgentConfig>>,
): Complaint[] {
  const complaints: Complaint[] = complainUnknown("warmStart/agent", "agent", agent, agents);
  if (agents[agent]?.net !== undefined)
    complaints.push({
      key: "warmStart/agent",
      message: `the agent "${agent}" has a net, and these games are played before it has learned: name one without`,
    });
  if (games > settings.games)
    complaints.push({ key: "warmStart/games", message: `the whole run has ${settings.games} games only` });
  if (settings.examples.use !== "alphazero")
    complaints.push({
      key: "warmStart",
      message: `only examples "alphazero" can be made of another agent's games, not "${settings.examples.use}"`,
    });
  return complaints;
}

/** The examples with the result alone as value: a search without a net may count in other units than the learner's. */
function withResultAlone(examples: ExamplesConfig): ExamplesConfig {
  return examples.use === "alphazero" ? { ...examples, resultWeight: 1 } : examples;
}

class Source {
  readonly #settings: Settings;
  readonly #env: StageEnv;
  readonly #nets: readonly string[];
  readonly #monitor: ValueMonitor;
  readonly #tally: GameTally;
  readonly #synchronous: boolean;
  readonly #reader: GenerationReader | undefined;
  /** Indices of games that an earlier part of the run has stored. */
  readonly #known = new Set<number>();
  #finished = 0;

  constructor(settings: Settings, env: StageEnv) {
    this.#settings = settings;
    this.#env = env;
    this.#synchronous = env.opened.experiment.schedule === "synchronous";
    const net = env.opened.experiment.agents[settings.agent]!.net;
    this.#nets = net === undefined ? [] : [net];
    this.#reader = this.#synchronous ? env.board.reader(this.#nets) : undefined;
    this.#monitor = new ValueMonitor(env.stage, settings.monitor, env.opened.game.figures?.optimum);
    const counted = gameOf(env.opened, env.opened.experiment.agents[settings.agent]!);
    this.#tally = new GameTally(env.stage, settings.games, env.emit, forecastBounds(counted));
  }

  /** Games of an earlier part of the run, from the oldest generation whose examples are still kept. */
  stored(): Stream.Stream<PlayedGame> {
    const { files, stage } = this.#env;
    const { generation: perGeneration } = this.#settings;
    const generations = files.exampleGenerations(stage);
    const first = generations[0] ?? 0;
    const games = files.recordedGames(
      stage,
      first * perGeneration +
        generations.reduce((sum, generation) => sum + files.countExamples(stage, generation), 0),
    );
    const last = generations.at(-1);
    if (last !== undefined) files.truncateExamples(stage, last, games.length - last * perGeneration);
    for (const bytes of games) {
      const record = decodeGameRecord(bytes, stage);
      this.#known.add(record.game);
      this.#monitor.add(record.values[0] ?? 0, record.returns[0]!);
    }
    this.#finished = games.length;
    this.#reader?.played(Math.floor(games.length / perGeneration));
    this.#tally.resume(games.length);
    const examples = function* (): Generator<StoredExamples, void, undefined> {
      for (const generation of generations) yield* files.readExamples(stage, generation);
    };
    // One at a time, so that no more of them is in memory than the readers keep.
    return Stream.fromIterable({ [Symbol.iterator]: examples }, { chunkSize: 1 }).pipe(
      Stream.map((stored, position) => this.#item(first * perGeneration + position, stored)),
    );
  }

  /** The games still to be played, in order when the schedule is synchronous. */
  played(): Stream.Stream<PlayedGame, RunError> {
    const { games, inFlight } = this.#settings;
    return Stream.range(0, games - 1).pipe(
      Stream.filter((index) => !this.#known.has(index)),
      Stream.mapEffect((index) => this.#play(index), {
        concurrency: gamesInFlight(this.#env.opened, inFlight),
        unordered: !this.#synchronous,
      }),
      Stream.mapEffect((report) => this.#keep(report)),
      Stream.interruptWhen(this.#env.stop.wait),
    );
  }

  /** No more games come, whatever the reason. */
  ended(): void {
    this.#reader?.played(Infinity);
  }

  #play(index: number) {
    const { agent: learner, generation, examples, warmStart, retries } = this.#settings;
    const warm = warmStart !== undefined && index < warmStart.games;
    const agent = warm ? warmStart.agent : learner;
    const { board, host, opened, stage } = this.#env;
    // Asynchronous sources take whatever weights there are; synchronous ones wait for those of their generation.
    const version = this.#synchronous ? Math.floor(index / generation) : 0;
    const task = (): GameTask => ({
      stage,
      name: [stage, index],
      index,
      generation: this.#synchronous ? version : Math.max(0, ...this.#nets.map((net) => board.version(net))),
      seats: Array.from({ length: opened.game.players }, () => agent),
      examples: warm ? withResultAlone(examples) : examples,
      ...(warm ? { learner } : {}),
    });
    return Effect.andThen(
      board.reached(this.#nets, version),
      Effect.suspend((): Effect.Effect<GameReport, RunError> =>
        this.#synchronous && this.#nets.some((net) => board.version(net) > version)
          ? Effect.fail(
              new RunFailed({
                stage,
                reason: `game ${index} of generation ${version} is missing from the records, and learning has gone on since: the log of games is damaged and the game cannot be played again as it was`,
              }),
            )
          : Effect.flatMap(host.play(task(), retries), (report) =>
              report.failure === undefined
                ? Effect.succeed(report)
                : Effect.fail(
                    new RunFailed({
                      stage,
                      reason: `"${agent}" could not go on in game ${index}: ${report.failure.message}`,
                    }),
                  ),
            ),
      ),
    );
  }

  #keep(report: GameReport) {
    return Effect.suspend(() => {
      const { files, stage, emit } = this.#env;
      const number = this.#finished++;
      const generation = Math.floor(number / this.#settings.generation);
      // Examples first: a game that has its record has its examples too.
      const item = this.#item(number, files.appendExamples(stage, generation, report.samples));
      files.appendGame(stage, report.record);
      if (item.closes) {
        files.closeGeneration(stage, item.generation);
        this.#reader?.played(item.generation + 1);
      }
      this.#tally.add(report);
      if (this.#env.opened.game.players > 1) return Effect.succeed(item);
      this.#monitor.add(report.startValue, report.returns[0]!);
      const due = item.closes || this.#finished % 100 === 0;
      return due ? Effect.as(this.#monitor.judge(this.#finished, emit), item) : Effect.succeed(item);
    });
  }

  #item(number: number, { samples, reread }: StoredExamples): PlayedGame {
    const { games, generation, examples } = this.#settings;
    return {
      source: this.#env.stage,
      index: number,
      generation: Math.floor(number / generation),
      closes: (number + 1) % generation === 0,
      last: number + 1 === games,
      layout: layoutOf(examples),
      samples,
      reread,
    };
  }
}

import { Effect, Stream } from "effect";
import Type from "typebox";
import type { AgentResult } from "../events/event.ts";
import { decodeGameRecord, type StoredGame } from "../formats/game-records.ts";
import { meanEstimate } from "../stats/intervals.ts";
import { retriesSchema } from "./game-players.ts";
import type { GameTask } from "./game-task.ts";
import { gamesInFlight, inFlightSchema } from "./parallelism.ts";
import type { MatchRound, WeightsVersion } from "./items.ts";
import { type Complaint, complainUnknown, operator, type SettingsOf, type StageEnv } from "./operator.ts";
import type { Setting } from "./setting.ts";

const settings = {
  agents: Type.Array(Type.String(), { minItems: 1, description: "Who plays (names under agents)." }),
  games: Type.Integer({
    minimum: 1,
    description: "Games in a round: for each agent in one-player games, in all in others.",
  }),
  every: Type.Integer({
    minimum: 0,
    default: 1,
    description:
      "Versions of the weights from one round to the next; the last version is always measured, with 0 it alone.",
  }),
  inFlight: inFlightSchema,
  retries: retriesSchema,
};

type Settings = SettingsOf<typeof settings>;

/** Plays evaluation matches between agents, again and again as learning goes on. */
export const arena = operator({
  use: "arena",
  description:
    "Plays evaluation matches as learning goes on. One-player games: every agent plays the same games (the same chance draws as far as play allows). Several players: the agents change seats from game to game.",
  example: "curve: { use: arena, after: weights, agents: [learner], games: 100 }",
  settings,
  inputs: {
    after: {
      kind: "weights",
      description:
        "The learner whose versions are measured; without it one round is played with the weights given",
      optional: true,
    },
  },
  output: "results",
  check: (settings: Settings, { setting }) => {
    const { agents } = setting.experiment;
    const complaints: Complaint[] = settings.agents.flatMap((agent, i) =>
      complainUnknown(`agents/${i}`, "agent", agent, agents),
    );
    const { players } = setting.game;
    if (new Set(settings.agents).size < settings.agents.length)
      complaints.push({ key: "agents", message: "an agent is named twice" });
    if (players > 1 && settings.agents.length > players)
      complaints.push({
        key: "agents",
        message: `${settings.agents.length} agents for a game of ${players} players`,
      });
    return complaints;
  },
  bounds: (settings: Settings, { setting }) => [
    `at most ${gamesInFlight(setting, settings.inFlight)} games under way`,
  ],
  build: (settings: Settings, { after }, env) =>
    Effect.sync(() => {
      const match = new Match(settings, env);
      if (after === undefined)
        return Stream.fromEffect(match.round({ version: 0, learned: 0, unit: "games" })).pipe(
          Stream.interruptWhen(env.stop.wait),
        );
      return after.pipe(
        Stream.filter(({ final, partial, version }) => final || (!partial && version % settings.every === 0)),
        Stream.mapEffect((version) => match.round(version)),
        Stream.interruptWhen(env.stop.wait),
      );
    }),
});

class Match {
  readonly #settings: Settings;
  readonly #env: StageEnv;
  readonly #perRound: number;
  readonly #solo: boolean;
  readonly #nets: readonly string[];
  /** Games that an earlier part of the run has recorded. */
  readonly #stored: readonly Uint8Array[];

  constructor(settings: Settings, env: StageEnv) {
    this.#settings = settings;
    this.#env = env;
    this.#solo = env.setting.game.players === 1;
    this.#perRound = this.#solo ? settings.games * settings.agents.length : settings.games;
    const { agents } = env.setting.experiment;
    this.#nets = settings.agents.flatMap((agent) => agents[agent]!.net ?? []);
    this.#stored = env.files.recordedGames(env.stage);
  }

  /** Plays one round, or what an earlier part of the run has left of it, and tells the result. */
  round({ version, learned, unit }: Pick<WeightsVersion, "version" | "learned" | "unit">) {
    return Effect.gen({ self: this }, function* () {
      const { every } = this.#settings;
      const round = every === 0 ? 0 : Math.ceil(version / every);
      const { board, emit, files, players, setting, stage } = this.#env;
      yield* board.reached(this.#nets, 0);
      const first = round * this.#perRound;
      const games: StoredGame[] = this.#stored
        .slice(first, first + this.#perRound)
        .map((bytes) => decodeGameRecord(bytes, stage));
      yield* Stream.range(games.length, this.#perRound - 1).pipe(
        Stream.mapEffect(
          (number) => players.play(this.#task(round, number, learned), this.#settings.retries),
          {
            concurrency: gamesInFlight(setting, this.#settings.inFlight),
          },
        ),
        Stream.runForEach((report) =>
          Effect.sync(() => {
            files.appendGame(stage, report.record);
            games.push(decodeGameRecord(report.record, stage));
            emit({
              type: "progress",
              stage,
              done: games.length,
              total: this.#perRound,
              unit: "games",
              latest: this.#running(games),
            });
          }),
        ),
      );
      const agents = this.#settings.agents.map((agent) => result(agent, games));
      emit({ type: "match", stage, learned, unit, agents });
      return {
        learned,
        means: Object.fromEntries(agents.map(({ agent, mean }) => [agent, mean])),
      } satisfies MatchRound;
    });
  }

  #task(round: number, number: number, learned: number): GameTask {
    const { agents, games } = this.#settings;
    const { stage, setting } = this.#env;
    const index = round * this.#perRound + number;
    const { players } = setting.game;
    const seats = this.#solo
      ? [agents[Math.floor(number / games)]!]
      : Array.from({ length: players }, (_, seat) => agents[(seat + number) % agents.length]!);
    return { stage, name: arenaGameName(setting, stage, index), index, generation: learned, seats };
  }

  #running(games: readonly StoredGame[]): string {
    return this.#settings.agents
      .map((agent) => result(agent, games))
      .filter(({ games: count }) => count > 0)
      .map(
        ({ agent, mean }) =>
          `${agent} ${mean.toLocaleString("en-US", { maximumFractionDigits: mean < 10 ? 3 : 0 })}`,
      )
      .join(", ");
  }
}

/**
 * The name of an arena game's random streams. In one-player games the agents of a round share their games' names, so
 * that every agent meets the same draws of chance.
 */
export function arenaGameName(
  { experiment, game }: Setting,
  stage: string,
  index: number,
): (string | number)[] {
  const { agents, games } = experiment.graph[stage] as unknown as Settings;
  const perRound = game.players === 1 ? games * agents.length : games;
  const number = index % perRound;
  return [stage, Math.floor(index / perRound), game.players === 1 ? number % games : number];
}

/** An agent's result over the games it sat in; its return is the mean over its seats. */
function result(agent: string, games: readonly StoredGame[]): AgentResult {
  const returns: number[] = [];
  const facts: Record<string, number[]> = {};
  for (const game of games) {
    const own = game.returns.filter((_, seat) => game.seats[seat] === agent);
    if (own.length === 0) continue;
    returns.push(own.reduce((sum, value) => sum + value, 0) / own.length);
    for (const [fact, value] of Object.entries(game.facts)) (facts[fact] ??= []).push(value);
  }
  if (returns.length === 0) return { agent, games: 0, mean: 0, interval: [0, 0], returns, facts };
  const { value: mean, interval } = meanEstimate(returns);
  return { agent, games: returns.length, mean, interval, returns, facts };
}

import * as Effect from "effect/Effect";
import * as Stream from "effect/Stream";
import { decodeGameRecord } from "../formats/game-records.ts";
import { valuesOfLesser } from "../search/depth-first/downgrade.ts";
import { samplesNothing } from "../search/softmax/softmax-samples.ts";
import { batchEvaluator, evaluatorSettingsOf } from "./play/evaluation/batch-evaluator.ts";
import { netNames, valueNetOf } from "./experiment/agent-net.ts";
import type { AgentConfig, OpenExperiment } from "./experiment/open-experiment.ts";
import { operator } from "./operator.ts";
import { type Complaint, complainUnknown } from "./run/complaint.ts";
import { lagOf } from "./play/generation-lag.ts";
import { SelfPlayGames } from "./learning/self-play/self-play-games.ts";
import {
  complainOpenings,
  drawnDecisions,
  SelfPlayOpenings,
} from "./learning/self-play/self-play-openings.ts";
import { BookUnusable } from "./play/openings/openings.ts";
import { type SelfPlaySettings, selfPlaySettings } from "./learning/self-play/self-play-settings.ts";
import { RunFailed } from "./run/run-error.ts";
import { layoutOf } from "./play/examples/examples.ts";
import { scheduleComplaint } from "../schedule.ts";
import { gamesInFlight } from "./run/parallelism.ts";
import { equalRounds } from "./run/stage-work.ts";

/** Plays games of one agent against itself on worker threads, generation by generation. */
export const selfPlay = operator({
  use: "self-play",
  description:
    "Plays games of an agent against itself, or also against its earlier selves, on worker threads and turns them into training examples.",
  example: "games: { use: self-play, agent: learner, games: 1000, generation: 100, examples: { use: td } }",
  settings: selfPlaySettings,
  inputs: {},
  output: "games",
  check: (settings: SelfPlaySettings, { opened }) => {
    const { agents } = opened.experiment;
    const complaints: Complaint[] = complainUnknown("agent", "agent", settings.agent, agents);
    if (settings.games % settings.generation !== 0)
      complaints.push({
        key: "generation",
        message: `${settings.games} games cannot be divided into generations of ${settings.generation}`,
      });
    const { examples, openings, pool, warmStart } = settings;
    if (openings !== undefined) complaints.push(...complainOpenings(openings, opened));
    if (pool !== undefined) complaints.push(...complainPool(pool, settings, opened));
    if (warmStart !== undefined) complaints.push(...complainWarmStart(warmStart, settings, agents));
    if (
      examples.use === "td" &&
      examples.values === "net" &&
      valueNetOf(agents[settings.agent] ?? {}) === undefined
    )
      complaints.push({ key: "examples/values", message: `the agent "${settings.agent}" has no net` });
    const lesser =
      examples.use === "td" && examples.values !== "net"
        ? valuesOfLesser(settings.agent, agents[settings.agent] ?? {})
        : undefined;
    if (lesser !== undefined)
      complaints.push({ key: "examples/values", message: `${lesser}, or take values: net` });
    const unsampled =
      examples.use === "search-samples" && Object.hasOwn(agents, settings.agent)
        ? samplesNothing(settings.agent, agents[settings.agent]!)
        : undefined;
    if (unsampled !== undefined) complaints.push({ key: "examples", message: unsampled });
    const weights = examples.use === "alphazero" ? scheduleComplaint(examples.resultWeight) : undefined;
    if (weights !== undefined) complaints.push({ key: "examples/resultWeight", message: weights });
    if (examples.use === "alphazero" && examples.values !== undefined && opened.game.solver === undefined)
      complaints.push({
        key: "examples/values",
        message: `${opened.game.name} has no solver: leave values out`,
      });
    if (layoutOf(examples) === "positions" && opened.game.nets?.packing === undefined)
      complaints.push({
        message: `the game ${opened.game.name} cannot pack its states for these examples: give it nets.packing, or take examples: { use: alphazero } (docs/plugins.md)`,
      });
    return complaints;
  },
  bounds: (settings: SelfPlaySettings, { opened }) => [
    `at most ${gamesInFlight(opened, settings.inFlight)} games under way or waiting to be read`,
    ...(lagOf(opened.experiment.schedule) === 0
      ? []
      : [`at most ${settings.generation} finished games wait while the generation before is learned from`]),
  ],
  readsAgain: ({ openings = [] }: SelfPlaySettings) => openings.flatMap(({ book }) => book ?? []),
  scheduled: true,
  agents: ({ agent, warmStart }: SelfPlaySettings) => [
    agent,
    ...(warmStart === undefined ? [] : [warmStart.agent]),
  ],
  work: ({ agent, games, openings = [], warmStart }: SelfPlaySettings) => ({
    unit: "games",
    total: games,
    purpose: "learn",
    ...drawnDecisions(openings),
    deciders:
      warmStart === undefined
        ? { [agent]: 1 }
        : { [warmStart.agent]: warmStart.games / games, [agent]: 1 - warmStart.games / games },
    ...(warmStart === undefined
      ? {}
      : {
          rounds: equalRounds(1, [
            { units: warmStart.games, deciders: { [warmStart.agent]: 1 } },
            { units: games - warmStart.games, deciders: { [agent]: 1 } },
          ]),
        }),
  }),
  foresees: async (settings: SelfPlaySettings, view) => {
    const { selfPlayForesight } = await import("./measuring/foresight/self-play-foresight.ts");
    return selfPlayForesight(settings, view);
  },
  offers: ({ agent, examples, games, generation }: SelfPlaySettings, { opened }) => ({
    agent,
    examples,
    games,
    generation,
    // Asynchronous games belong to no generation that could be the last.
    ...(opened.experiment.schedule === "asynchronous" ? {} : { endsEarly: true as const }),
  }),
  replay: (settings: SelfPlaySettings, { files, view, record }, play) => {
    const opening = openingsOf(settings, view.opened, view.name)?.of(
      record.game,
      (game) => decodeGameRecord(files.recordedGames(view.name)[game]!, view.name).actions,
    );
    return play(
      {
        stage: view.name,
        name: [view.name, record.game],
        index: record.game,
        generation: record.generation,
        seats: record.seats,
        ...(opening === undefined ? {} : { opening }),
      },
      "version",
    );
  },
  build: (settings: SelfPlaySettings, _inputs, env) =>
    Effect.try({
      try: () => new SelfPlayGames(settings, env, openingsOf(settings, env.opened, env.stage)),
      catch: (error) => {
        if (error instanceof BookUnusable) return new RunFailed({ stage: env.stage, reason: error.message });
        throw error;
      },
    }).pipe(
      Effect.map((source) =>
        Stream.concat(source.stored(), source.played()).pipe(
          Stream.mapEffect((game) => source.decided(game)),
          Stream.ensuring(Effect.sync(() => source.ended())),
        ),
      ),
    ),
});

/** The openings of a stage's games, if there are any. Throws BookUnusable. */
function openingsOf(
  { generation, openings }: SelfPlaySettings,
  opened: OpenExperiment,
  stage: string,
): SelfPlayOpenings | undefined {
  const lag = lagOf(opened.experiment.schedule);
  return openings && new SelfPlayOpenings({ opened, stage, openings, generation, lag });
}

/** Complaints about a pool of earlier selves. */
function complainPool(
  { size }: NonNullable<SelfPlaySettings["pool"]>,
  { agent, examples }: SelfPlaySettings,
  { experiment, game, nets }: OpenExperiment,
): Complaint[] {
  const net = experiment.agents[agent]?.net;
  if (!Object.hasOwn(experiment.agents, agent)) return [];
  if (game.players === 1)
    return [{ key: "pool", message: `no seat is left for an earlier self in ${game.name}` }];
  if (net === undefined)
    return [{ key: "pool", message: `the agent "${agent}" has no net, so it has no earlier selves` }];
  if (examples.use === "search-samples")
    return [
      {
        key: "pool",
        message: `examples "${examples.use}" do not record which player's search they are from; choose other examples, or leave pool out`,
      },
    ];
  const { versions } = evaluatorSettingsOf(experiment, net);
  const atOnce = size + 1 + lagOf(experiment.schedule);
  if (nets.get(net)?.kind === "network" && atOnce > versions)
    return [
      {
        key: "pool/size",
        message: `the games are played with up to ${atOnce} versions of "${net}" at once, and its evaluator holds ${versions}; make the pool smaller, or give it more: evaluator: { use: ${batchEvaluator.use}, net: ${net}, versions: ${atOnce} }`,
      },
    ];
  return [];
}

/** Complaints about a warm start. */
function complainWarmStart(
  { agent, games }: NonNullable<SelfPlaySettings["warmStart"]>,
  settings: SelfPlaySettings,
  agents: Readonly<Record<string, AgentConfig>>,
): Complaint[] {
  const complaints: Complaint[] = complainUnknown("warmStart/agent", "agent", agent, agents);
  if (netNames(agents[agent] ?? {}).length > 0)
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

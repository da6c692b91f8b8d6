import type { Diagnosis } from "../diagnosis/diagnosis.ts";
import { CHANCE, type Game, OVER } from "../games/game.ts";
import { planesOf } from "../models/definition.ts";
import {
  type AgentConfig,
  netOptionsOf,
  type OpenExperiment,
} from "../operators/experiment/open-experiment.ts";
import { netNames } from "../operators/experiment/agent-net.ts";
import { Random } from "../random.ts";
import type { Schedule } from "../schedule.ts";
import type { CheckedGraph, CheckedStage } from "./check-graph.ts";
import { learnedNet } from "./learned-net.ts";
import { escapePointer } from "./yaml-source.ts";

/** Matches of fewer games are played for their moves and not for their result. */
const LEAST_GAMES = 8;

/** Random games whose positions are looked at, the plies of each, and the fewest positions that show something, and the most. */
const GAMES = 200;
const MOST_PLIES = 200;
const LEAST_POSITIONS = 50;
const MOST_POSITIONS = 600;

/** Of the positions of random play, the share that a net must distinguish. */
const LEAST_DISTINCT = 0.8;

/**
 * A rate of a hundredth of the greatest one or less has vanished, if it comes in the first tenth of the steps: AlphaZero came to it after
 * 43% of them.
 */
const VANISHED = 1 / 100;
const SHORTLY = 0.1;

/** The numbers of the planes of a position that are looked at: the planes of a large board are many. */
const MOST_NUMBERS = 100_000;

/** What will keep the stages of an experiment from learning, as far as its file, its game and its nets alone show it; `where` is a JSON pointer. */
export function fileDiagnoses({ opened, stages }: CheckedGraph): Diagnosis[] {
  return [...blindNets(opened, stages), ...stages.flatMap((stage) => ofStage(stage, opened, stages))];
}

function ofStage(stage: CheckedStage, opened: OpenExperiment, stages: readonly CheckedStage[]): Diagnosis[] {
  const { operator } = stage;
  if (operator.output === "games") return [...sameGames(stage, opened), ...otherNet(stage, opened, stages)];
  if (learnedNet(stage) !== undefined) return [...unlearnedValues(stage), ...vanishingRate(stage)];
  return operator.resultEvent === "match" ? sameMatches(stage, opened) : [];
}

/** Training whose loss leaves the values out. */
function unlearnedValues({ config, name }: CheckedStage): Diagnosis[] {
  const { valueWeight } = (config["loss"] ?? {}) as { readonly valueWeight?: number };
  if (valueWeight !== 0) return [];
  return [
    {
      name: "values-of-noise",
      where: `/graph/${escapePointer(name)}`,
      says: "the loss leaves the values out, so searches follow values that nothing has learned",
      cure: `Give values a weight (graph.${name}.loss.valueWeight: 1)`,
    },
  ];
}

/** Training whose rate is next to nothing in nearly all of its steps. */
function vanishingRate({ config, name, operator, view }: CheckedStage): Diagnosis[] {
  const rate = config["rate"] as Schedule | undefined;
  const total = operator.work?.(config, view)?.total;
  if (!Array.isArray(rate) || total === undefined || !Number.isFinite(total)) return [];
  const most = Math.max(...rate.map(({ value }) => value));
  const vanished = rate.findIndex(({ value }) => value <= most * VANISHED);
  if (vanished < 1) return [];
  const from = rate[vanished - 1]!.until!;
  if (from > SHORTLY * total) return [];
  return [
    {
      name: "frozen-net",
      where: `/graph/${escapePointer(name)}/rate`,
      says: `after ${from} of ${total} steps the rate is ${rate[vanished]!.value}, next to nothing beside ${most}, and from there on the weights hardly change`,
      cure: "Count until in steps of the optimiser, not in generations or games",
    },
  ];
}

/** Self-play of an agent that draws nothing, from the start of a game without chance. */
function sameGames(
  { config, name, operator }: CheckedStage,
  { experiment, game }: OpenExperiment,
): Diagnosis[] {
  const { agent, generation, openings, pool } = config as Readonly<Record<string, unknown>>;
  if (!("generation" in operator.settings) || typeof agent !== "string") return [];
  if (game.chance !== undefined || isGiven(openings) || isGiven(pool) || generation === 1) return [];
  if (!drawsNothing(experiment.agents[agent])) return [];
  return [
    {
      name: "repeated-games",
      where: `/graph/${escapePointer(name)}`,
      says: `the agent "${agent}" draws nothing, so the ${String(generation)} games of a generation are one game`,
      cure: `Give it a temperature (agents.${agent}.temperature: [{ value: 1 }]), or the stage openings (openings: [{ plies: 4 }])`,
    },
  ];
}

/** A match of agents that draw nothing, from the start of a game without chance. */
function sameMatches({ config, name }: CheckedStage, { experiment, game }: OpenExperiment): Diagnosis[] {
  const { agents, games, openings } = config as {
    readonly agents?: readonly string[];
    readonly games?: number;
    readonly openings?: unknown;
  };
  if (game.chance !== undefined || isGiven(openings) || games === undefined || games < LEAST_GAMES) return [];
  if (
    agents === undefined ||
    agents.length < 2 ||
    !agents.every((agent) => drawsNothing(experiment.agents[agent]))
  )
    return [];
  return [
    {
      name: "repeated-games",
      where: `/graph/${escapePointer(name)}`,
      says: `the agents draw nothing, so most of the ${games} games repeat one another and their intervals are too narrow`,
      cure: "Begin games with random plies (openings: { plies: 4 })",
    },
  ];
}

/** Whether a search by a net plays the same moves in the same positions of one version; false if that is not known. */
function drawsNothing(agent: AgentConfig | undefined): boolean {
  if (agent === undefined) return false;
  const { noise, playoutCap, playouts, temperature, use } = agent as Readonly<Record<string, unknown>>;
  if (isGiven(playoutCap) || isGiven(playouts)) return false;
  const none =
    Array.isArray(temperature) && temperature.every(({ value }: { value: unknown }) => value === 0);
  if (use === "puct-max-n") return !isGiven(noise) && (none || !isGiven(temperature));
  return use === "gumbel" && none;
}

/** Whether a setting that may be left out is given. */
function isGiven(setting: unknown): boolean {
  return setting !== undefined && setting !== null;
}

/** Self-play with a net that nothing learns, while what reads its games learns another one. */
function otherNet(
  { config, name }: CheckedStage,
  { experiment }: OpenExperiment,
  stages: readonly CheckedStage[],
): Diagnosis[] {
  const agent = typeof config["agent"] === "string" ? experiment.agents[config["agent"]] : undefined;
  if (agent === undefined) return [];
  const nets = netNames(agent);
  const learned = stages.flatMap((stage) => learnedNet(stage) ?? []);
  if (
    nets.length === 0 ||
    nets.some((net) => learned.includes(net) || experiment.nets[net]?.weights !== undefined)
  )
    return [];
  const trained = stages.find((stage) => learnedNet(stage) !== undefined && readsFrom(stage, name, stages));
  if (trained === undefined) return [];
  return [
    {
      name: "frozen-net",
      where: `/graph/${escapePointer(trained.name)}`,
      says: `it trains "${learnedNet(trained)}", and self-play plays with "${nets.join('", "')}", which stays as it was drawn`,
      cure: `Name one net in both (graph.${trained.name}.net, agents.${config["agent"] as string}.net)`,
    },
  ];
}

/** Whether a stage reads another one, also by way of others. */
function readsFrom({ inputs }: CheckedStage, name: string, stages: readonly CheckedStage[]): boolean {
  return Object.values(inputs).some(
    (from) =>
      from === name ||
      readsFrom(
        stages.find((stage) => stage.name === from)!,
        name,
        stages,
      ),
  );
}

/** Learned nets whose planes are the same for positions that differ. */
function blindNets({ experiment, game, nets }: OpenExperiment, stages: readonly CheckedStage[]): Diagnosis[] {
  const learned = new Set(stages.map(learnedNet));
  return [...nets].flatMap(([name, { kind }]): Diagnosis[] => {
    if (kind !== "network" || !learned.has(name) || game.nets === undefined) return [];
    const { planes } = netOptionsOf(experiment.nets[name]!);
    const seen = distinctPlanes(game, typeof planes === "string" ? planes : null);
    if (seen === undefined || seen.apart >= LEAST_DISTINCT * seen.positions) return [];
    return [
      {
        name: "blind-net",
        where: `/nets/${escapePointer(name)}`,
        says: `its planes distinguish only ${seen.apart} of ${seen.positions} different positions of random play: it cannot know what it is to evaluate`,
        cure: "Look at what planes.write of the game writes: the stones of the mover, those of the others, and all that the rules depend on",
      },
    ];
  });
}

/** Different positions of random play, and how many of them planes distinguish; undefined if there are too few. */
function distinctPlanes<S>(
  game: Game<S>,
  name: string | null,
): { readonly positions: number; readonly apart: number } | undefined {
  const planes = planesOf(game, "net", name);
  const [height, width, channels] = planes.shape;
  const numbers = height * width * channels;
  // The score so far is a part of the positions of one-player games, and values of what is to come need not know it.
  if (numbers > MOST_NUMBERS || game.players === 1) return undefined;
  const row = new Float32Array(numbers);
  const bytes = new Uint8Array(row.buffer);
  const random = Random.named("positions of planes", game.name);
  const actions = new Int32Array(game.maxLegal);
  const positions = new Set<string>();
  const seen = new Set<string>();
  for (let i = 0; i < GAMES && positions.size < MOST_POSITIONS; i++) {
    const state = game.initial();
    for (let ply = 0; ply < MOST_PLIES && game.toMove(state) !== OVER; ply++) {
      const chance = game.toMove(state) === CHANCE;
      const count = game.legal(state, actions);
      // Planes need not distinguish what leaves no choice.
      if (!chance && count > 1) {
        const text = game.notation.position(state);
        if (!positions.has(text)) {
          positions.add(text);
          planes.write(state, row, 0);
          seen.add(Buffer.from(bytes).toString("latin1"));
        }
      }
      game.play(state, chance ? game.chance!.sample(state, random) : actions[random.below(count)]!);
    }
  }
  return positions.size < LEAST_POSITIONS ? undefined : { positions: positions.size, apart: seen.size };
}

import { newestFacts, type RunState, secondsLeft } from "../events/run-state.ts";
import { graphLinks } from "../graph/graph-links.ts";
import type { Experiment } from "../operators/experiment/open-experiment.ts";
import { toFill } from "../operators/learning/replay/window.ts";

/** Games that a run must have played before it learns from its buffer. */
export interface Filling {
  readonly done: number;
  readonly total: number;
  /** At the present speed; absent if that is not known yet. */
  readonly secondsLeft?: number;
}

/** A buffer of an experiment: the stage that fills it, the one that learns from it, and the games that are needed first. */
interface Buffer {
  readonly games: string;
  readonly learner: string;
  readonly total: number;
}

/** By experiment: its buffer. A page asks each second. */
const buffers = new WeakMap<Experiment, Buffer | "none">();

function bufferOf(experiment: Experiment): Buffer | "none" {
  const { graph } = experiment;
  const { streams } = graphLinks(experiment);
  const replay = streams.find(({ kind }) => kind === "replay");
  const games = streams.find(({ kind, to }) => kind === "games" && to === replay?.from);
  if (replay === undefined || games === undefined) return "none";
  const generation = Number(graph[games.from]!["generation"]);
  if (!(generation > 0)) return "none";
  const total = generation * (1 + toFill(Number(graph[replay.from]!["fill"] ?? 0), generation));
  return { games: games.from, learner: replay.to, total };
}

/** How far a run is with filling its buffer; undefined if it has no buffer to fill, or has begun to learn from it. */
export function fillingOf(experiment: Experiment, state: RunState): Filling | undefined {
  const buffer = buffers.get(experiment) ?? bufferOf(experiment);
  buffers.set(experiment, buffer);
  if (buffer === "none" || state.ended !== undefined) return undefined;
  const { games, learner, total } = buffer;
  const learned = (stage: string) => state.stages[stage]?.progress?.done ?? 0;
  const facts = newestFacts(state);
  if (
    learned(learner) > 0 ||
    facts.some((event) => event.type === "training" || (event.type === "checkpoint" && event.learned > 0))
  )
    return undefined;
  const stage = state.stages[games];
  const recorded = facts.find((event) => event.type === "games" && event.stage === games);
  const done = Math.max(learned(games), recorded?.type === "games" ? recorded.done : 0);
  if (done >= total) return undefined;
  const left =
    stage?.progress === undefined
      ? undefined
      : secondsLeft({ ...stage, progress: { ...stage.progress, total } }, state.elapsed);
  return { done, total, ...(left === undefined ? {} : { secondsLeft: left }) };
}

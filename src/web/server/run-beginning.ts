import { newestFacts, type RunState, secondsLeft } from "../../events/run-state.ts";
import { markup } from "../../figures/markup.ts";
import { fixed } from "../../figures/number-text.ts";
import { graphLinks } from "../../graph/graph-links.ts";
import type { Experiment } from "../../operators/experiment/open-experiment.ts";
import { toFill } from "../../operators/replay/window.ts";
import type { ShownProgress } from "../views/run-views.ts";

/** Games that a run must have played before it learns from its buffer. */
export interface Filling {
  readonly done: number;
  readonly total: number;
  /** At the present speed; absent where that is not known yet. */
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

/** How far a run is with filling its buffer; undefined where it has no buffer to fill, or has begun to learn from it. */
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
  const told = facts.find((event) => event.type === "games" && event.stage === games);
  const done = Math.max(learned(games), told?.type === "games" ? told.done : 0);
  if (done >= total) return undefined;
  const left =
    stage?.progress === undefined
      ? undefined
      : secondsLeft({ ...stage, progress: { ...stage.progress, total } }, state.elapsed);
  return { done, total, ...(left === undefined ? {} : { secondsLeft: left }) };
}

/** What a run that fills its buffer does, in a sentence, as markup. `about` writes a time. */
export function fillingSentence(
  name: string,
  { done, secondsLeft: left, total }: Filling,
  about: (seconds: number) => string,
): string {
  const when =
    left === undefined
      ? markup`training begins after <b>${fixed(total, 0)}</b> games`
      : markup`training begins in about <b>${about(left)}</b>`;
  return markup`<b>${name}</b> is filling its buffer with ${fixed(done, 0)} of ${fixed(total, 0)} games: ${when}.`
    .text;
}

/** How far a run is that has no result yet, in a sentence, as markup. */
export function beginningSentence(name: string, { now, share }: ShownProgress): string {
  const at =
    now === undefined
      ? markup`<b>${Math.floor(100 * share)}%</b> of its time`
      : markup`<b>${fixed(now.done, 0)}</b> of ${fixed(now.total, 0)} ${now.unit}`;
  return markup`<b>${name}</b> is at ${at}; no match was played yet.`.text;
}

/** Whether a run has told nothing since its start, or waits for the machines of its fleet. */
export function isWaiting({ flows, stages, ...state }: RunState): boolean {
  const nobody = Object.values(flows).some(
    (flow) => flow.type === "fleet-flow" && flow.joiners === 0 && flow.waiting > 0,
  );
  const told = newestFacts(state).some(({ type }) => type !== "run-started" && type !== "note");
  return nobody || (!told && Object.keys(stages).length === 0 && Object.keys(flows).length === 0);
}

import type { MatchResult } from "../events/event.ts";
import { factsOfType, newestFacts, type RunState } from "../events/run-state.ts";
import { type Content, markup } from "../figures/markup.ts";
import { ago, fixed, percentTick } from "../figures/number-text.ts";
import { resultTexts } from "../figures/result-texts.ts";
import type { Experiment } from "../operators/experiment/open-experiment.ts";
import type { RunData } from "../report/run-data.ts";
import { resultSentence } from "../report/sections/headline.ts";
import { type CurvePoint, curvesOf } from "./comparison/run-curves.ts";
import { fillingOf } from "./filling.ts";
import { lastResult, type LastResult } from "./last-result.ts";
import { isAtWork, type RunCondition } from "./run-condition.ts";
import { type KnownProgress, progressOf } from "./run-progress.ts";

/** What a status is made from. It is read when it is asked for: states change each second, facts seldom. */
export interface StatusSource {
  readonly state: RunState;
  /** Undefined if the folder cannot be used. */
  readonly experiment: Experiment | undefined;
  /** The games that a stage has recorded. */
  readonly recorded: (stage: string) => number;
}

/** The state of a run for people, at one moment: its condition, progress, newest result and the sentence on it. */
export class RunStatus {
  readonly #of: StatusSource;
  #result: { readonly newest: LastResult | undefined } | undefined;
  #sentence: string | undefined;

  constructor(source: StatusSource) {
    this.#of = source;
  }

  /** `hasProcess`: whether a process of this machine is at work on it. */
  condition(hasProcess: boolean): Exclude<RunCondition, "damaged"> {
    const { state } = this.#of;
    if (!hasProcess) return state.ended?.outcome ?? "silent";
    if (this.#filling !== undefined) return "filling";
    return isWaiting(state) ? "waiting" : "running";
  }

  /** How far it is; undefined if that is not known. */
  get progress(): KnownProgress | undefined {
    const { experiment, recorded, state } = this.#of;
    return experiment && progressOf(experiment, state, recorded);
  }

  /** Its newest result; undefined if nothing was measured. */
  get result(): LastResult | undefined {
    const { experiment, state } = this.#of;
    this.#result ??= { newest: experiment && lastResult(factsOfType(state, "match"), experiment) };
    return this.#result.newest;
  }

  /** The learning curve to its newest result. */
  get curve(): readonly CurvePoint[] {
    const { experiment, state } = this.#of;
    const { result } = this;
    if (experiment === undefined || result === undefined) return [];
    const curves = curvesOf(factsOfType(state, "match"), experiment).filter(
      ({ points }) => points.length > 1,
    );
    const own = curves.find(({ agent, stage }) => agent === result.agent && stage === result.stage);
    // A stage that measures once, at the end, has no curve: then that of the stage that measured along the way.
    return (own ?? curves[0])?.points ?? [];
  }

  /**
   * The sentence of its newest result, as markup with `b`, `i` and `small`; until there is one, of how far it is. `data` is what its
   * report is made from.
   */
  sentence(name: string, condition: RunCondition, data: () => RunData): string {
    if (condition === "finished" || this.result !== undefined) return this.#resultSentence(data);
    const filling = isAtWork(condition) ? this.#filling : undefined;
    if (filling !== undefined) return fillingSentence(name, filling);
    const { progress } = this;
    const hasPlayed = factsOfType(this.#of.state, "match").length > 0;
    return progress === undefined || hasPlayed
      ? this.#resultSentence(data)
      : beginningSentence(name, progress);
  }

  get #filling() {
    const { experiment, state } = this.#of;
    return experiment && fillingOf(experiment, state);
  }

  #resultSentence(data: () => RunData): string {
    return (this.#sentence ??= this.#newestSentence(data));
  }

  #newestSentence(data: () => RunData): string {
    const { result } = this;
    const { state } = this.#of;
    const match = factsOfType(state, "match").findLast(
      (each) => each.stage === result?.stage && each.learned === result.learned,
    );
    // Strength against earlier selves is said in ratings; and what failed is said as the report says it.
    const isRated = newestFacts(state).some(({ type }) => type === "version-ratings");
    const isFailed = match?.contest !== undefined && match.agents.every(({ games }) => games === 0);
    return result === undefined || match === undefined || isRated || isFailed
      ? markup`${resultSentence(data())}`.text
      : shortSentence(result, match);
  }
}

/** Whether a run has emitted nothing since its start, or waits for the machines of its fleet. */
function isWaiting({ flows, stages, ...state }: RunState): boolean {
  const lacksMachines = Object.values(flows).some(
    (flow) => flow.type === "fleet-flow" && flow.joiners === 0 && flow.waiting > 0,
  );
  const hasBegun = newestFacts(state).some(({ type }) => type !== "run-started" && type !== "note");
  return lacksMachines || (!hasBegun && Object.keys(stages).length === 0 && Object.keys(flows).length === 0);
}

/** A time left as finely as it is read: pages get it again when it changes, and not each second. In seconds. */
export function coarse(seconds: number): number {
  const step = seconds < 60 ? 5 : seconds < 3600 ? 60 : 600;
  return step * Math.ceil(seconds / step);
}

function fillingSentence(
  name: string,
  { done, secondsLeft, total }: NonNullable<ReturnType<typeof fillingOf>>,
): string {
  const when =
    secondsLeft === undefined
      ? markup`training begins after <b>${fixed(total, 0)}</b> games`
      : markup`training begins in about <b>${ago(coarse(secondsLeft))}</b>`;
  return markup`<b>${name}</b> is filling its buffer with ${fixed(done, 0)} of ${fixed(total, 0)} games: ${when}.`
    .text;
}

function beginningSentence(name: string, { now, share }: KnownProgress): string {
  const at =
    now === undefined
      ? markup`<b>${Math.floor(100 * share)}%</b> of its time`
      : markup`<b>${fixed(now.done, 0)}</b> of ${fixed(now.total, 0)} ${now.unit}`;
  return markup`<b>${name}</b> is at ${at}; no match was played yet.`.text;
}

function shortSentence(
  result: LastResult,
  { contest, agents }: Pick<MatchResult, "agents" | "contest">,
): string {
  const { agent, games, learned, measure, unit } = result;
  const { interval, value } = resultTexts(result);
  const one = learned === 1 ? unit.slice(0, -1) : unit;
  const after = learned > 0 ? markup`After ${fixed(learned, 0)} ${one} ` : "";
  const amount = markup`<b>${value}</b>${interval === "" ? "" : markup` <small>${interval}</small>`}`;
  if (measure === "mean score")
    return markup`${after}<b>${agent}</b> scores ${amount}, the mean of ${fixed(games, 0)} ${games === 1 ? "game" : "games"}.`
      .text;
  const others = agents.filter((each) => each.agent !== agent && each.games > 0);
  const fair = contest?.standings.find((each) => each.agent === agent)?.fair;
  const against: Content =
    others.length === 1
      ? markup` against <b>${others[0]!.agent}</b>`
      : fair === undefined
        ? ""
        : `; among equals it would be ${percentTick(Math.round(1000 * fair) / 1000)}`;
  return markup`${after}<b>${agent}</b> wins ${amount} of its games${against}.`.text;
}

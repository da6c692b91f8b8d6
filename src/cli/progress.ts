import type { Contest, MatchResult, RunEvent, StagePace, StageProgress } from "../events/event.ts";
import type { EventsSkipped } from "../events/waiting-events.ts";
import { rateText, StagePaceText } from "./stage-pace.ts";

/**
 * The least time between two plain lines of one stage when it has something new, and when it has nothing new but works
 * or waits. Both grow to a tenth of the time that the run is told, up to `SELDOM_MS`: a run of days leaves a readable log.
 */
const PLAIN_MS = 5000;
const SILENT_MS = 9500;
const SELDOM_MS = 60_000;
/** The least time between two lines of a stage that waits for one and the same thing. */
const WAITING_MS = 120_000;
/** The least time between two paintings of the live lines. */
const LIVE_MS = 100;
/** A shorter interval gives no speed: results that wait for their order arrive all at once. */
const RATE_MS = 100;

interface StageState {
  /** The latest count, the count when it began, and the time then; absent until the stage has counted something. */
  counted?: { event: StageProgress; readonly first: number; readonly begun: number };
  readonly pace: StagePaceText;
  toldAt: number;
  /** What the stage was last told to wait for. */
  toldWait: string | undefined;
}

/**
 * Shows the progress of a run: on a terminal one live line for each stage, elsewhere plain lines at intervals.
 *
 * `learn   1,200/3,000 games  40%  102/s  ETA 0:18  score 34,567`
 */
export class Progress {
  readonly #out: NodeJS.WriteStream;
  readonly #live: boolean;
  readonly #stages = new Map<string, StageState>();
  readonly #begun = performance.now();
  #painted = 0;
  #paintedAt = 0;

  constructor(out: NodeJS.WriteStream) {
    this.#out = out;
    this.#live = out.isTTY;
  }

  /** Takes in one event. */
  listen(event: RunEvent | EventsSkipped): void {
    switch (event.type) {
      case "progress":
        this.#progress(event);
        break;
      case "pace":
        this.#pace(event);
        break;
      case "run-started":
        this.#say(
          [
            event.resumed ? "resumed" : "started",
            `seed ${event.seed}`,
            `${event.workers} worker thread${event.workers === 1 ? "" : "s"}`,
            ...(event.compute === "" ? [] : [event.compute]),
          ].join(", "),
        );
        break;
      case "match":
        if (event.contest !== undefined) {
          this.#contest(event, event.contest);
          break;
        }
        for (const { agent, games, mean, interval, facts } of event.agents) {
          const best = Object.entries(facts).map(
            ([fact, values]) => `${fact} up to ${number(Math.max(...values))}`,
          );
          const range = interval.every(Number.isFinite)
            ? ` [${number(interval[0])}, ${number(interval[1])}]`
            : "";
          this.#say(
            [
              `${event.stage}:${afterLearning(event)} ${agent} scores ${number(mean)}${range} in ${games} games`,
              ...best,
            ].join(", "),
          );
        }
        break;
      case "note":
        this.#say(`${event.level === "warning" ? "warning: " : ""}${event.message}`);
        break;
      case "skipped":
        this.#say(`(${number(event.count)} event${event.count === 1 ? " is" : "s are"} not shown)`);
        break;
      default:
    }
  }

  #contest(match: MatchResult, { games, standings, test }: Contest): void {
    const { stage } = match;
    const after = afterLearning(match);
    const won = standings.map(({ agent, wins }) => `${agent} won ${(100 * wins.value).toFixed(1)}%`);
    const verdict = test === undefined ? [] : [`the test says ${test.verdict}`];
    this.#say(`${stage}: ${number(games)} games${after}: ${[...won, ...verdict].join(", ")}`);
  }

  /** Leaves the live lines standing. */
  end(): void {
    if (this.#live) this.#paint();
    this.#painted = 0;
  }

  #progress(event: StageProgress): void {
    const now = performance.now();
    const stage = this.#stage(event.stage, now);
    // A stage whose count falls has begun another round.
    if (stage.counted === undefined || event.done < stage.counted.event.done)
      stage.counted = { event, first: event.done, begun: now };
    const news = event.done > stage.counted.event.done;
    stage.counted.event = event;
    if (this.#live) {
      if (now - this.#paintedAt >= LIVE_MS) this.#paint();
    } else if (
      (news && now - stage.toldAt >= this.#interval(PLAIN_MS, now)) ||
      (event.done === event.total && event.total > 0)
    )
      this.#tell(event.stage, stage, now);
  }

  #pace(event: StagePace): void {
    const now = performance.now();
    const stage = this.#stage(event.stage, now);
    stage.pace.add(event);
    if (this.#live) {
      if (now - this.#paintedAt >= LIVE_MS) this.#paint();
      return;
    }
    const known = event.waitsFor !== undefined && event.waitsFor === stage.toldWait;
    const interval = known ? WAITING_MS : this.#interval(SILENT_MS, now);
    if (now - stage.toldAt >= interval) this.#tell(event.stage, stage, now);
  }

  #stage(name: string, now: number): StageState {
    let stage = this.#stages.get(name);
    if (stage === undefined) {
      stage = { pace: new StagePaceText(), toldAt: now, toldWait: undefined };
      this.#stages.set(name, stage);
    }
    return stage;
  }

  /** The least time between two plain lines now, from the one at the start. */
  #interval(atFirst: number, now: number): number {
    return Math.max(atFirst, Math.min(SELDOM_MS, (now - this.#begun) / 10));
  }

  #tell(name: string, stage: StageState, now: number): void {
    stage.toldAt = now;
    stage.toldWait = stage.pace.waitsFor;
    this.#out.write(`${line(name, stage, now)}\n`);
  }

  #say(text: string): void {
    this.#clear();
    this.#out.write(`${text}\n`);
    if (this.#live) this.#paint();
  }

  #clear(): void {
    if (this.#painted > 0) this.#out.write(`\u001b[${this.#painted}A\u001b[0J`);
    this.#painted = 0;
  }

  #paint(): void {
    const now = performance.now();
    this.#clear();
    const width = this.#out.columns ?? 80;
    for (const [name, stage] of this.#stages)
      this.#out.write(`${line(name, stage, now).slice(0, width - 1)}\n`);
    this.#painted = this.#stages.size;
    this.#paintedAt = now;
  }
}

function line(stage: string, { counted, pace }: StageState, now: number): string {
  const parts = [stage.padEnd(10)];
  if (counted !== undefined) {
    const { begun, event, first } = counted;
    const { done, total, unit, latest } = event;
    const rate = now - begun < RATE_MS ? 0 : (1000 * (done - first)) / (now - begun);
    parts.push(
      `${number(done)}/${number(total)} ${unit}`,
      `${Math.floor((100 * done) / total)}%`,
      ...(rate > 0 ? [`${rateText(rate)}/s`] : []),
      ...(rate > 0 && done < total ? [`ETA ${clock((total - done) / rate)}`] : []),
      ...(latest === undefined ? [] : [latest]),
    );
  }
  if (counted === undefined || counted.event.done < counted.event.total || pace.waitsFor !== undefined)
    parts.push(...pace.parts());
  return parts.join("  ");
}

function clock(seconds: number): string {
  const whole = Math.round(seconds);
  const two = (n: number) => String(n).padStart(2, "0");
  const hours = Math.floor(whole / 3600);
  const rest = `${two(Math.floor(whole / 60) % 60)}:${two(whole % 60)}`;
  return hours > 0 ? `${hours}:${rest}` : rest;
}

function number(value: number): string {
  return value.toLocaleString("en-US", { maximumFractionDigits: Math.abs(value) < 10 ? 3 : 0 });
}

/** The amount of learning before a match; empty if there was none. */
function afterLearning({ learned, unit }: Pick<MatchResult, "learned" | "unit">): string {
  return learned > 0 ? ` after ${number(learned)} ${unit}` : "";
}

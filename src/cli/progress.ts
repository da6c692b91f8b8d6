import type { Contest, MatchResult, RunEvent, StageProgress } from "../events/event.ts";

/** The least time between two plain lines of one stage, and between two paintings of the live lines. */
const PLAIN_MS = 5000;
const LIVE_MS = 100;
/** A shorter interval gives no speed: results that wait for their order arrive all at once. */
const RATE_MS = 100;

interface StageState {
  event: StageProgress;
  /** The count at the beginning of this part of the run. */
  readonly first: number;
  readonly begun: number;
  toldAt: number;
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
  #painted = 0;
  #paintedAt = 0;

  constructor(out: NodeJS.WriteStream) {
    this.#out = out;
    this.#live = out.isTTY;
  }

  /** Takes in one event. */
  listen(event: RunEvent): void {
    switch (event.type) {
      case "progress":
        this.#progress(event);
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
    let stage = this.#stages.get(event.stage);
    // A stage whose count falls has begun another round.
    if (stage === undefined || event.done < stage.event.done) {
      stage = { event, first: event.done, begun: now, toldAt: stage?.toldAt ?? (this.#live ? 0 : now) };
      this.#stages.set(event.stage, stage);
    }
    stage.event = event;
    if (this.#live) {
      if (now - this.#paintedAt >= LIVE_MS) this.#paint();
    } else if (now - stage.toldAt >= PLAIN_MS || event.done === event.total) {
      stage.toldAt = now;
      this.#out.write(`${line(stage, now)}\n`);
    }
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
    for (const stage of this.#stages.values()) this.#out.write(`${line(stage, now).slice(0, width - 1)}\n`);
    this.#painted = this.#stages.size;
    this.#paintedAt = now;
  }
}

function line({ event, first, begun }: StageState, now: number): string {
  const { stage, done, total, unit, latest } = event;
  const rate = now - begun < RATE_MS ? 0 : (1000 * (done - first)) / (now - begun);
  const left = (total - done) / rate;
  const parts = [
    stage.padEnd(10),
    `${number(done)}/${number(total)} ${unit}`,
    `${Math.floor((100 * done) / total)}%`,
    ...(rate > 0 ? [`${rate >= 10 ? Math.round(rate) : rate.toPrecision(2)}/s`] : []),
    ...(rate > 0 && done < total ? [`ETA ${clock(left)}`] : []),
    ...(latest === undefined ? [] : [latest]),
  ];
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

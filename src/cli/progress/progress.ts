import { diagnosisText } from "../../messages/diagnosis-text.ts";
import type { ObservedEvent } from "../../events/bus.ts";
import type {
  MatchResult,
  RunProgress,
  RunStarted,
  StagePace,
  StageProgress,
  VersionRatings,
} from "../../events/event.ts";
import type { FleetFlow } from "../../events/flow-event.ts";
import { initialState, type RunState, type StageState } from "../../events/run-state.ts";
import { playedItself } from "../../report/matches.ts";
import type { Output } from "./output.ts";
import { fittedParts } from "./fitted-parts.ts";
import { fleetLine, fleetParts } from "./fleet-line.ts";
import { numberText, stageLine, stageParts, waitsFor, wholeLine, wholeParts } from "./stage-line.ts";
import { counted } from "../../messages/counted.ts";

/**
 * The least time between two plain lines of one stage when it has something new, and when it has nothing new but works
 * or waits. Both grow to a tenth of the time of the run, up to `SELDOM`: a run of days leaves a readable log. In
 * seconds.
 */
const PLAIN = 5;
const SILENT = 9.5;
const SELDOM = 60;
/** The least time between two lines of a stage that waits for one and the same thing. In seconds. */
const WAITING = 120;

/** What was last shown of a stage. */
interface ShownStage {
  at: number;
  done: number;
  wait: string | undefined;
}

/** Shows the progress of a run: on a terminal one live line for each stage, elsewhere plain lines at intervals. */
export class Progress {
  readonly #out: Output;
  readonly #stages = new Map<string, ShownStage>();
  #state = initialState;
  #begun: number | undefined;
  /** When the whole run was last shown. */
  #wholeAt: number | undefined;
  /** When the fleet was last shown. */
  #fleetAt: number | undefined;
  /** Number of live lines on the terminal. */
  #painted = 0;

  constructor(out: Output) {
    this.#out = out;
  }

  /** Whether there are live lines. */
  get live(): boolean {
    return this.#out.isTTY;
  }

  /** Reports one event in lines that stay. The promise is settled when they are written. */
  listen(event: ObservedEvent, state: RunState): Promise<void> | undefined {
    this.#state = state;
    this.#begun ??= state.elapsed;
    switch (event.type) {
      case "progress":
      case "pace":
        return this.live ? undefined : this.#plain(event, state);
      case "run-progress":
        return this.live ? undefined : this.#plainWhole(event, state);
      case "fleet-flow":
        return this.live ? undefined : this.#plainFleet(event, state);
      case "run-started":
        return this.say(startText(event));
      case "match":
        // A resumed run plays the rounds since its last checkpoint again.
        return state.repeats ? undefined : this.say(matchText(event));
      case "version-ratings":
        return state.repeats || event.versions.length < 2 ? undefined : this.say(ratingsText(event));
      case "diagnosis":
        return this.say(`warning: ${event.stage}: ${diagnosisText(event)}`);
      case "note":
        return this.say(`${event.level === "warning" ? "warning: " : ""}${event.message}`);
      case "skipped":
        return this.say(`(${numberText(event.count)} event${event.count === 1 ? " is" : "s are"} not shown)`);
      default:
        return undefined;
    }
  }

  /** Writes the live lines again, with the figures of now. */
  paint(state: RunState): Promise<void> {
    this.#state = state;
    return this.#out.write(this.#cleared() + this.#liveLines());
  }

  /** Writes a text above the live lines. */
  say(text: string): Promise<void> {
    return this.#out.write(`${this.#cleared()}${text}\n${this.live ? this.#liveLines() : ""}`);
  }

  /** Leaves the live lines in place, with the figures of the end. */
  end(state: RunState): Promise<void> {
    const written = this.live ? this.paint(state) : Promise.resolve();
    this.#state = initialState;
    this.#painted = 0;
    return written;
  }

  #plain(event: StageProgress | StagePace, state: RunState): Promise<void> | undefined {
    const name = event.stage;
    const stage = state.stages[name]!;
    let shown = this.#stages.get(name);
    if (shown === undefined) {
      // Silence counts from the start of the run: its first seconds have no event of a stage that only waits or plays.
      shown = { at: this.#begun!, done: stage.progress?.done ?? 0, wait: undefined };
      this.#stages.set(name, shown);
    }
    if (!this.#due(event, stage, shown, state.elapsed)) return undefined;
    shown.at = state.elapsed;
    shown.done = stage.progress?.done ?? 0;
    shown.wait = waitsFor(stage);
    return this.#out.write(`${stageLine(name, stage, state.elapsed)}\n`);
  }

  #plainWhole(progress: RunProgress, { elapsed }: RunState): Promise<void> | undefined {
    if (elapsed - (this.#wholeAt ?? this.#begun!) < this.#interval(SILENT, elapsed)) return undefined;
    this.#wholeAt = elapsed;
    return this.#out.write(`${wholeLine(progress)}\n`);
  }

  #plainFleet(flow: FleetFlow, { elapsed }: RunState): Promise<void> | undefined {
    // Each joiner that comes or goes gets its own line, so figures are enough now and then.
    if (flow.joiners === 0 || elapsed - (this.#fleetAt ?? this.#begun!) < this.#interval(SILENT, elapsed))
      return undefined;
    this.#fleetAt = elapsed;
    return this.#out.write(`${fleetLine(flow)}\n`);
  }

  /** Whether a stage is shown now, in plain lines. */
  #due(event: StageProgress | StagePace, stage: StageState, shown: ShownStage, now: number): boolean {
    const since = now - shown.at;
    if (event.type === "progress") {
      if (event.done === event.total && event.total > 0) return true;
      return event.done !== shown.done && since >= this.#interval(PLAIN, now);
    }
    const known = event.waitsFor !== undefined && waitsFor(stage) === shown.wait;
    return since >= (known ? WAITING : this.#interval(SILENT, now));
  }

  /** The least time between two plain lines now, from the one at the start. */
  #interval(atFirst: number, now: number): number {
    return Math.max(atFirst, Math.min(SELDOM, (now - this.#begun!) / 10));
  }

  /** The text that takes the live lines away. */
  #cleared(): string {
    const text = this.#painted > 0 ? `\u001b[${this.#painted}A\u001b[0J` : "";
    this.#painted = 0;
    return text;
  }

  /** The text of the live lines. */
  #liveLines(): string {
    const { elapsed, ended, flows, progress, stages } = this.#state;
    // Some terminals give no width, or 0.
    const width = this.#out.columns || 80;
    const parts = Object.entries(stages).map(([name, stage]) => stageParts(name, stage, elapsed));
    for (const flow of Object.values(flows)) if (flow.type === "fleet-flow") parts.push(fleetParts(flow));
    // Until something new is known, the progress is that of an earlier part of the run.
    if (progress !== undefined && ended === undefined) parts.push(wholeParts(progress));
    const lines = parts.map((line) => `${fittedParts(line, width - 1)}\n`);
    this.#painted = lines.length;
    return lines.join("");
  }
}

function startText({ compute, resumed, seed, workers }: RunStarted): string {
  const started = `${resumed ? "resumed" : "started"}, seed ${seed}, ${counted(workers, "worker thread")}`;
  return compute === "" ? started : `${started}; nets: ${compute}`;
}

/** The result of a match in words: a line for each agent, or one for all in a game of several players. */
function matchText({ agents, contest, learned, stage, unit }: MatchResult): string {
  const after = learned > 0 ? ` after ${numberText(learned)} ${unit}` : "";
  if (contest !== undefined) {
    const { games, standings, test } = contest;
    const itself = playedItself({ agents, contest });
    const won = standings
      .filter(({ wins }) => wins.games > 0)
      .map(({ agent, wins }) =>
        itself ? `${agent} played itself` : `${agent} won ${(100 * wins.value).toFixed(1)}%`,
      );
    if (games === 0) won.push("no game counts");
    const verdict = test === undefined ? [] : [`the test says ${test.verdict}`];
    return `${stage}: ${numberText(games)} games${after}: ${[...won, ...verdict].join(", ")}`;
  }
  const lines = agents.map(({ agent, games, mean, interval, facts }) => {
    const best = Object.entries(facts).map(
      ([fact, values]) =>
        `${fact} up to ${numberText(values.reduce((most, value) => Math.max(most, value), -Infinity))}`,
    );
    const range = interval.every(Number.isFinite)
      ? ` [${numberText(interval[0])}, ${numberText(interval[1])}]`
      : "";
    const scores = `${stage}:${after} ${agent} scores ${numberText(mean)}${range} in ${games} games`;
    return [scores, ...best].join(", ");
  });
  return lines.join("\n");
}

/** How strong the newest version of an agent is relative to the oldest one. */
function ratingsText({ agent, learned, stage, unit, versions }: VersionRatings): string {
  const [first, last] = [versions[0]!, versions.at(-1)!];
  const [low, high] = last.interval.map((end) => numberText(Math.round(end)));
  return `${stage}: after ${numberText(learned)} ${unit} version ${last.version} of ${agent} is ${numberText(Math.round(last.elo))} Elo [${low}, ${high}] relative to version ${first.version}`;
}

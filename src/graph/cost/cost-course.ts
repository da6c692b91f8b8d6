import type { RunEvent } from "../../events/event.ts";
import { type Done, secondsPerUnit } from "../../operators/cost/growth.ts";
import type { StageWork } from "../../operators/run/stage-work.ts";
import { costOf, type RunCost, type Speeds } from "./cost.ts";

/** What is left of a run: the cost of what is still to be done, and what is done as a share of the time of the whole. */
export interface CostLeft {
  readonly left: RunCost;
  readonly whole: RunCost;
}

/** Fewest units of work after the first that tell a speed. */
const FEWEST = 4;
/** Maximum number of moments kept of a stage. */
const MOST_MOMENTS = 200;
/** What a stage told longer ago does not count as its work now. In seconds. */
const RECENT = 1.5;
/** Nothing is known of speeds. */
const UNKNOWN: Speeds = { agents: new Map(), decisions: new Map(), stages: new Map() };

/** What is known of a stage's course. */
class StageCourse {
  /** Seconds of the machine that the stage has had, its share where several stages work at once. */
  seconds = 0;
  /** Units done before this round, and in it. */
  #before = 0;
  #done = 0;
  #first: { readonly seconds: number; readonly units: number } | undefined;
  #moments: Done[] = [];

  get units(): number {
    return this.#before + this.#done;
  }

  /** Takes in the count of a stage; one that falls has begun another round. */
  count(done: number): void {
    if (done < this.#done) this.#before += this.#done;
    this.#done = done;
    const first = (this.#first ??= { seconds: this.seconds, units: this.units });
    const moment = { seconds: this.seconds - first.seconds, units: this.units - first.units };
    // Time is counted from the first finished unit on: units that run side by side all end late, at nearly the same time.
    if (first.units === 0 && this.units > 0 && this.#moments.length === 0 && moment.seconds > 0) {
      this.#first = { seconds: this.seconds, units: this.units };
      this.#moments = [{ seconds: 0, units: 0 }];
      return;
    }
    if (moment.units <= (this.#moments.at(-1)?.units ?? 0)) return;
    this.#moments.push(moment);
    if (this.#moments.length > MOST_MOMENTS) this.#moments = this.#moments.filter((_, i) => i % 2 === 1);
  }

  /** Seconds per unit, up to a total; undefined while too little is done. */
  perUnit(total: number): number | undefined {
    const last = this.#moments.at(-1);
    return last === undefined || last.units < FEWEST || last.seconds <= 0
      ? undefined
      : secondsPerUnit(this.#moments, total);
  }
}

/**
 * Learns from the events of a run, flows among them, what the whole run costs on this machine. A second in which several
 * stages work is shared out among them.
 */
export class CostCourse {
  readonly #works: ReadonlyMap<string, StageWork>;
  readonly #cores: number;
  readonly #speeds: Speeds;
  readonly #courses = new Map<string, StageCourse>();
  /** By stage: the share of its latest interval in which it worked, and when that was told. */
  readonly #working = new Map<string, { readonly share: number; readonly at: number }>();

  /** `speeds` were measured before the run; they count for stages that have not done enough yet. */
  constructor(works: ReadonlyMap<string, StageWork>, cores: number, speeds: Speeds = UNKNOWN) {
    this.#works = works;
    this.#cores = cores;
    this.#speeds = speeds;
    for (const stage of works.keys()) this.#courses.set(stage, new StageCourse());
  }

  /** Takes in an event of the run, at a time in seconds that the run has been running. */
  listen(event: RunEvent, elapsed: number): void {
    if (event.type === "progress") this.#courses.get(event.stage)?.count(event.done);
    if (event.type !== "stage-flow" || event.seconds <= 0) return;
    const course = this.#courses.get(event.stage);
    if (course === undefined) return;
    this.#working.set(event.stage, { share: event.worked / event.seconds, at: elapsed });
    let working = 0;
    for (const { at, share } of this.#working.values()) if (elapsed - at <= RECENT) working += share;
    course.seconds += event.worked / Math.max(1, working);
  }

  /** The cost of the whole run and of the rest of it, as far as it is known now. */
  estimate(): CostLeft {
    const stages = new Map(this.#speeds.stages);
    const left = new Map<string, StageWork>();
    for (const [stage, work] of this.#works) {
      const course = this.#courses.get(stage)!;
      const measured = course.perUnit(work.total);
      if (measured !== undefined) stages.set(stage, measured);
      left.set(stage, { ...work, total: Math.max(0, work.total - course.units) });
    }
    const speeds = { ...this.#speeds, stages };
    return { whole: costOf(this.#works, speeds, this.#cores), left: costOf(left, speeds, this.#cores) };
  }
}

import type {
  MomentaryEvent,
  RecordedEvent,
  RunEnded,
  RunProgress,
  RunStarted,
  StagePace,
  StageProgress,
} from "./event.ts";
import { type FlowEvent, flowSubject, isFlow } from "./flow-event.ts";
import { GrowingList } from "./growing-list.ts";

/**
 * The state of a run after its events. Progress line, report and pages show it.
 *
 * A state never changes: {@link reduce} makes the next one. So an observer that joins late takes the state of that moment
 * and continues with the events after it.
 */
export interface RunState {
  /** The first event of this part of the run; undefined before it. */
  readonly started: RunStarted | undefined;
  /** The last event of the run, or of its latest part; undefined while it runs. */
  readonly ended: RunEnded | undefined;
  /** The latest event's number in its part of the run, and its time in seconds that the run has been running. */
  readonly seq: number;
  readonly elapsed: number;
  /** Stages that have emitted events in this part of the run, in the order in which they began. */
  readonly stages: Readonly<Record<string, StageState>>;
  /** The newest progress of the whole run; undefined in runs of earlier versions, and in the first second. */
  readonly progress: (RunProgress & Pick<RecordedEvent, "time">) | undefined;
  /** The newest of each kind of flow, by {@link flowSubject}. */
  readonly flows: Readonly<Record<string, RecordedFlow>>;
  /** Facts that count, by type and stage; {@link factsOf} lists them. */
  readonly facts: Readonly<Record<string, FactLine>>;
  /** Whether the latest event is a fact that an earlier part of the run has emitted with the same content. */
  readonly repeats: boolean;
  /** Number of parts: 1 for a run that was never resumed. */
  readonly parts: number;
  /** Number of facts so far. */
  readonly factCount: number;
}

/** What a stage does. */
export interface StageState {
  /** Its latest progress; undefined until it has counted something. */
  readonly progress: StageProgress | undefined;
  /** The time of that progress. */
  readonly at: number;
  /** The count and the time at its first progress of this round and this part of the run. */
  readonly since: { readonly done: number; readonly elapsed: number };
  /** The count and the time at its first advance after `since`: what comes before is also start-up and waiting. Absent: none yet. */
  readonly advanced?: { readonly done: number; readonly elapsed: number };
  /** Its newest paces, at most {@link PACES}, since it last began or ended to wait. */
  readonly paces: readonly StagePace[];
}

/** A flow with its time. */
type RecordedFlow = FlowEvent & Pick<RecordedEvent, "elapsed">;

/** An event that is neither momentary nor a flow. */
type Fact = Exclude<RecordedEvent, Pick<MomentaryEvent | FlowEvent, "type">>;

interface OrderedFact {
  readonly event: Fact;
  /** Its place among all facts of the run. */
  readonly order: number;
}

/** The facts of one type about one stage. */
interface FactLine {
  readonly counting: GrowingList<OrderedFact>;
  /** The part of the run that emitted the latest fact. */
  readonly part: number;
  /** Facts of earlier parts that this part of the run repeats: their work was lost, and is done again. */
  readonly undone: readonly Fact[];
}

/** Number of paces that rates are taken over: about so many seconds. */
const PACES = 10;
/** A shorter interval gives no speed: results that wait for their order arrive all at once. In seconds. */
const SHORTEST = 0.1;
/** The time left is shown after so many seconds of steady work, or of a round from its start, or after this share of the round. */
const EVIDENT = 3;
const EVIDENT_FROM_START = 60;
const EVIDENT_SHARE = 0.1;

/** The state of a run before its first event. */
export const initialState: RunState = {
  started: undefined,
  ended: undefined,
  seq: 0,
  elapsed: 0,
  stages: {},
  progress: undefined,
  flows: {},
  facts: {},
  repeats: false,
  parts: 0,
  factCount: 0,
};

/** The state after one more event. */
export function reduce(before: RunState, event: RecordedEvent): RunState {
  const state: RunState = { ...before, seq: event.seq ?? before.seq, elapsed: event.elapsed, repeats: false };
  if (isFlow(event)) return { ...state, flows: { ...state.flows, [flowSubject(event)]: event } };
  switch (event.type) {
    case "progress":
      return withStage(state, event.stage, (stage) => progressed(stage, event, state.elapsed));
    case "pace":
      return withStage(state, event.stage, (stage) => ({ ...stage, paces: paced(stage.paces, event) }));
    case "run-progress":
      return { ...state, progress: event };
    case "run-started":
      return withFact(
        {
          ...state,
          started: event,
          ended: undefined,
          stages: {},
          // The part that begins has not measured its time left yet.
          progress: state.progress && shareOf(state.progress),
          flows: {},
          parts: state.parts + 1,
        },
        event,
      );
    case "run-ended":
      return withFact({ ...state, ended: event, stages: atRest(state.stages) }, event);
    default:
      return withFact(state, event);
  }
}

/** The facts that count, in the order of their events: without those whose work a resumption repeated. */
export function factsOf({ facts }: Pick<RunState, "facts">): Fact[] {
  return Object.values(facts)
    .flatMap(({ counting }) => [...counting])
    .toSorted((a, b) => a.order - b.order)
    .map(({ event }) => event);
}

/** The facts of one type that count, of each stage in the order of their events: without going through all others. */
export function factsOfType<T extends Fact["type"]>(
  { facts }: Pick<RunState, "facts">,
  type: T,
): Extract<Fact, { type: T }>[] {
  return Object.values(facts).flatMap(({ counting }) =>
    counting.at(0)?.event.type === type
      ? [...counting].map(({ event }) => event as Extract<Fact, { type: T }>)
      : [],
  );
}

/** The facts of one type about one stage that count, in the order of their events. */
export function factsOfStage<T extends Fact["type"]>(
  { facts }: Pick<RunState, "facts">,
  type: T,
  stage: string,
): GrowingList<{ readonly event: Extract<Fact, { type: T }> }> {
  const line = facts[factKey(type, stage)];
  return (line?.counting ?? GrowingList.empty()) as GrowingList<{
    readonly event: Extract<Fact, { type: T }>;
  }>;
}

/** The newest fact of each type about each stage, in the order of their events: without going through a long run. */
export function newestFacts({ facts }: Pick<RunState, "facts">): Fact[] {
  return Object.values(facts)
    .flatMap(({ counting }) => counting.at(-1) ?? [])
    .toSorted((a, b) => a.order - b.order)
    .map(({ event }) => event);
}

/**
 * Units that a stage has done per second in this round and this part of the run, until now or until it was done; 0 if it
 * is not known.
 */
export function speedOf(stage: StageState, elapsed: number): number {
  return measured(stage, elapsed).speed;
}

/** Seconds until a stage is done, at its speed; undefined if it is done, or too little of it was seen to say. */
export function secondsLeft(stage: StageState, elapsed: number): number | undefined {
  const { progress, since } = stage;
  if (progress === undefined || progress.done >= progress.total) return undefined;
  const { seconds, speed, steady } = measured(stage, elapsed);
  const share = (progress.done - since.done) / (progress.total - since.done);
  const known = share >= EVIDENT_SHARE || seconds >= (steady ? EVIDENT : EVIDENT_FROM_START);
  return known && speed > 0 ? (progress.total - progress.done) / speed : undefined;
}

/** The speed of a stage and the time that it was measured over: from its first advance on (steady), as soon as that is possible. */
function measured({ advanced, at, progress, since }: StageState, elapsed: number) {
  if (progress === undefined) return { seconds: 0, speed: 0, steady: false };
  const now = progress.done < progress.total ? elapsed : at;
  const steady = advanced !== undefined && progress.done > advanced.done && now - advanced.elapsed >= 1;
  const from = steady ? advanced : since;
  const seconds = now - from.elapsed;
  return { seconds, speed: seconds < SHORTEST ? 0 : (progress.done - from.done) / seconds, steady };
}

/** Progress without what only a run at work knows. */
function shareOf({ share, time, type }: NonNullable<RunState["progress"]>): RunState["progress"] {
  return { type, share, time };
}

/** What a stage that works does now, in units smaller than a game. */
export interface PresentPace {
  /** Games under way; absent for stages that have played none. */
  readonly games?: number;
  /** Decisions of players, and positions that they had evaluated, per second over the newest paces. */
  readonly decisions: number;
  readonly evaluations: number;
}

/** What a stage does now; undefined while it waits, or before its first pace. */
export function paceOf({ paces }: StageState): PresentPace | undefined {
  const latest = paces.at(-1);
  if (latest === undefined || latest.waitsFor !== undefined) return undefined;
  const sum = (key: "decisions" | "evaluations" | "seconds") =>
    paces.reduce((total, pace) => total + pace[key], 0);
  const seconds = sum("seconds");
  return {
    ...(latest.games === undefined ? {} : { games: latest.games }),
    decisions: sum("decisions") / seconds,
    evaluations: sum("evaluations") / seconds,
  };
}

/** Stages that neither work nor wait any more. */
function atRest(stages: RunState["stages"]): RunState["stages"] {
  return Object.fromEntries(Object.entries(stages).map(([name, stage]) => [name, { ...stage, paces: [] }]));
}

function withStage(state: RunState, name: string, change: (stage: StageState) => StageState): RunState {
  // A stage may have the name of something that every object has: "constructor".
  const stage = Object.hasOwn(state.stages, name)
    ? state.stages[name]!
    : { progress: undefined, at: 0, since: { done: 0, elapsed: 0 }, paces: [] };
  return { ...state, stages: { ...state.stages, [name]: change(stage) } };
}

function progressed(stage: StageState, event: StageProgress, elapsed: number): StageState {
  // A stage whose count falls has begun another round.
  const begins = stage.progress === undefined || event.done < stage.progress.done;
  const now = { done: event.done, elapsed };
  const { advanced: _before, ...rest } = stage;
  const advanced = begins ? undefined : (stage.advanced ?? (event.done > stage.since.done ? now : undefined));
  return {
    ...rest,
    progress: event,
    at: elapsed,
    since: begins ? now : stage.since,
    ...(advanced === undefined ? {} : { advanced }),
  };
}

/** The newest paces; when waiting begins or ends, earlier ones are dropped. */
function paced(before: readonly StagePace[], pace: StagePace): readonly StagePace[] {
  const latest = before.at(-1);
  const turned = latest !== undefined && (latest.waitsFor === undefined) !== (pace.waitsFor === undefined);
  return turned ? [pace] : [...before.slice(1 - PACES), pace];
}

/**
 * The state with one more fact.
 *
 * A killed run is resumed from its last checkpoint, so all work after this checkpoint is done twice. The first fact of a
 * type about a stage after a resumption shows where the repeated work begins. Earlier facts of this type from there on no
 * longer count.
 */
function withFact(state: RunState, event: Fact): RunState {
  const key = factKey(event.type, "stage" in event ? event.stage : undefined);
  const line = state.facts[key] ?? { counting: GrowingList.empty(), part: state.parts, undone: [] };
  const place = placeOf(event);
  let { counting, undone } = line;
  if (place !== undefined && line.part !== state.parts) {
    let count = counting.length;
    while (count > 0 && placeOf(counting.at(count - 1)!.event)! >= place) count--;
    undone = [...counting].slice(count).map((fact) => fact.event);
    counting = counting.first(count);
  }
  const repeats = undone.some((earlier) => placeOf(earlier) === place && hasSameContent(earlier, event));
  counting = counting.append({ event, order: state.factCount });
  return {
    ...state,
    facts: { ...state.facts, [key]: { counting, part: state.parts, undone } },
    repeats,
    factCount: state.factCount + 1,
  };
}

function factKey(type: Fact["type"], stage: string | undefined): string {
  return JSON.stringify([type, stage]);
}

/** Whether two events differ in nothing but the time. Compared as text, because a file has null for numbers that JSON lacks. */
function hasSameContent(one: Fact, other: Fact): boolean {
  const text = (event: Fact) =>
    JSON.stringify(event, (key, value: unknown) =>
      ["seq", "time", "elapsed"].includes(key) ? undefined : value,
    );
  return text(one) === text(other);
}

/** How much the stage had done, for facts about work that may be repeated. */
function placeOf(event: Fact): number | undefined {
  switch (event.type) {
    case "games":
      return event.done;
    case "training":
    case "pool-games":
      return event.step;
    case "match":
    case "effort":
    case "version-ratings":
    case "policy-statistics":
    case "accuracy":
    case "suite":
    case "checkpoint":
    case "value-drift":
    case "self-play-figures":
    case "weights":
    case "figure":
    case "diagnosis":
      return event.learned;
    case "equal-time":
    case "value-errors":
      // Emitted once: before all games, or at the end of all learning.
      return 0;
    default:
      return undefined;
  }
}

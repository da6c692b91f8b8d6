import type { EvaluatorFlow, MachineFlow, StageFlow, ThreadsFlow } from "../events/flow-event.ts";
import { fixed, listed } from "../figures/number-text.ts";
import type { RunFlows } from "./run-flows.ts";

/** The group of the threads that play games, for all stages. */
const PLAYERS = "players";

/** Smaller shares of the time are not mentioned. */
const LITTLE = 0.05;

/** A thread or an evaluator that computes less than this share of the time in which it is needed is not full. */
const FULL = 0.7;

/** What holds a run up. */
export interface HoldUp {
  /** What it is, without figures: two spans of a run have one cause if the same thing holds the run up in both. */
  readonly cause: string;
  /** The cause, with the figures that show it. */
  readonly sentence: string;
}

/**
 * What holds a run up, in one sentence with the figures that show it; undefined if no stage did anything.
 *
 * The stage that worked for the greatest part of the time holds the run up. If it plays, the threads that play show why:
 * they searched, they waited for evaluations of nets, or they had nothing to do because too few games were under way.
 * If other programs used half of the cores or more, they hold the run up first of all.
 * `uses` has the kinds of the stages, by name: `trainer`.
 */
export function whatHoldsUp(
  flows: RunFlows,
  uses: Readonly<Record<string, string>> = {},
): HoldUp | undefined {
  const stage = flows.stages.toSorted((a, b) => share(b, "worked") - share(a, "worked"))[0];
  if (stage === undefined || stage.worked === 0) return undefined;
  const named = (name: string) => (uses[name] === undefined ? `"${name}"` : `"${name}" (${uses[name]})`);
  const players = flows.threads.find(({ group }) => group === PLAYERS);
  const reasons =
    plays(stage) && players !== undefined
      ? ofGames(stage, players, flows, named)
      : ofWork(stage, flows, named);
  const { machine } = flows;
  const idle =
    machine !== undefined && hasIdleCores(machine)
      ? [`${fixed(machine.idle / machine.seconds, 1)} of ${machine.cores} cores had nothing to do`]
      : [];
  const [cause] = reasons[0]!.split(": ");
  const sentence = `${[...reasons, ...waits(stage, flows, named), ...idle].join("; ")}.`;
  const others = machine === undefined ? 0 : othersShare(machine);
  const used = `used ${fixed(others * (machine?.cores ?? 0), 1)} of ${machine?.cores} cores`;
  if (others >= 0.5)
    return {
      cause: `other programs, and ${cause}`,
      sentence: `Other programs hold the run up: they ${used}; apart from them, ${asContinuation(sentence)}`,
    };
  return {
    cause: cause!,
    sentence: others >= 0.25 ? `${sentence.slice(0, -1)}; other programs ${used}.` : sentence,
  };
}

/** A sentence as it continues after other words. */
export function asContinuation(sentence: string): string {
  return `${sentence[0]!.toLowerCase()}${sentence.slice(1)}`;
}

type Named = (stage: string) => string;

/** The reasons of a stage that computes by itself. */
function ofWork(stage: StageFlow, { threads }: RunFlows, named: Named): string[] {
  const own = threads.find(({ group }) => group === stage.stage);
  const busy = own === undefined ? 1 : own.worked / (own.threads * stage.worked);
  return [
    `${named(stage.stage)} holds the run up: it worked ${percent(share(stage, "worked"))} of the time`,
    ...(busy < FULL
      ? [
          `its ${own!.threads === 1 ? "thread" : `${own!.threads} threads`} computed only ${percent(busy)} of that`,
        ]
      : []),
  ];
}

/** The reasons of a stage that plays. */
function ofGames(stage: StageFlow, players: ThreadsFlow, flows: RunFlows, named: Named): string[] {
  // Other stages may play on the same threads, also while this one does not.
  const seconds = Math.max(stage.worked, (players.worked + players.waited) / players.threads);
  const [searched, waited] = [players.worked, players.waited].map(
    (part) => part / (players.threads * seconds),
  );
  const idle = Math.max(0, 1 - searched! - waited!);
  const did = [
    ["searched", searched!],
    ["waited for evaluations", waited!],
    ["had nothing to do", idle],
  ] as const;
  const activities = did.flatMap(([what, part]) => (part < LITTLE ? [] : `${what} ${percent(part)}`));
  const games = `games of ${named(stage.stage)} were under way ${percent(share(stage, "worked"))} of the time, in which the threads that play ${listed(activities)}`;
  if (idle > Math.max(searched!, waited!)) {
    const atATime = fixed((stage.holds! * stage.seconds) / stage.worked, 1);
    return [
      `Too few games under way hold the run up: ${games}`,
      `there were ${atATime} games at a time of at most ${stage.bound}`,
    ];
  }
  const evaluator = flows.evaluators.toSorted((a, b) => b.busy - a.busy)[0];
  if (waited! > searched! && evaluator !== undefined) {
    const busy = evaluator.busy / (evaluator.threads * seconds);
    // Threads that other programs keep from their cores wait for each other.
    const crowded = flows.machine !== undefined && othersShare(flows.machine) >= 0.25;
    return [
      `The evaluation of the net "${evaluator.net}" holds the run up: ${games}`,
      `the net was computed ${percent(busy)} of that, in batches of ${fixed(meanBatch(evaluator), 1)} rows`,
      ...(busy < FULL && !crowded ? ["more games under way (inFlight) would fill it"] : []),
    ];
  }
  const { machine } = flows;
  const few =
    searched! >= FULL && machine !== undefined && players.threads < machine.cores && hasIdleCores(machine);
  return [
    `The games hold the run up: ${games}`,
    ...(few
      ? [`more worker threads than ${players.threads} (workers) would use all ${machine.cores} cores`]
      : []),
  ];
}

/**
 * The time that the other stages lost, of the stage that lost most. A stage that learns waits for games or is held up by
 * its reader. A stage whose games others read waits for weights or is held up. The waiting of any other stage costs
 * nothing: a stage that saves or measures now and then waits most of the time.
 */
function waits(holder: StageFlow, { stages, threads }: RunFlows, named: Named): string[] {
  const learns = ({ stage }: StageFlow) => threads.some(({ group }) => group === stage);
  const [most] = stages
    .filter((stage) => stage !== holder && (learns(stage) || (plays(stage) && stage.readers > 0)))
    .flatMap((stage) => [
      {
        stage,
        lost: share(stage, "waited"),
        how: learns(stage) ? "waited for its input" : "waited for new weights",
      },
      { stage, lost: share(stage, "held"), how: "was held up by its readers" },
    ])
    .toSorted((a, b) => b.lost - a.lost);
  return most === undefined || most.lost < LITTLE
    ? []
    : [`${named(most.stage.stage)} ${most.how} ${percent(most.lost)} of the time`];
}

/** The share of the cores that other programs used. */
function othersShare({ cores, idle, processor, seconds }: MachineFlow): number {
  return 1 - (idle + processor) / (cores * seconds);
}

/** Whether a quarter of the cores or more had nothing to do. */
function hasIdleCores({ cores, idle, seconds }: MachineFlow): boolean {
  return idle / seconds >= cores / 4;
}

function plays({ bound }: StageFlow): boolean {
  return bound !== undefined;
}

function share(stage: StageFlow, what: "worked" | "waited" | "held"): number {
  return stage[what] / stage.seconds;
}

function meanBatch({ batches, rows }: EvaluatorFlow): number {
  return batches === 0 ? 0 : rows / batches;
}

function percent(part: number): string {
  return `${fixed(100 * part, 0)}%`;
}

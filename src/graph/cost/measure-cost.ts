import { mkdtempSync, rmSync } from "node:fs";
import { availableParallelism, tmpdir } from "node:os";
import { join } from "node:path";
import * as Effect from "effect/Effect";
import { growthOf, meanSeconds, secondsPerUnit } from "../../operators/measuring/cost/growth.ts";
import { learningCourse } from "../../operators/measuring/cost/learn-speed.ts";
import { MachineClock, type MachineTime } from "../../operators/measuring/cost/machine-clock.ts";
import { decisionSeconds } from "../../operators/measuring/cost/play-speed.ts";
import {
  type GameLength,
  playedDecisions,
  randomLength,
} from "../../operators/measuring/cost/random-games.ts";
import type { OpenExperiment } from "../../operators/experiment/open-experiment.ts";
import { openLocalThreads } from "../../operators/play/local-threads.ts";
import { workerThreads } from "../../operators/run/parallelism.ts";
import type { RunError } from "../../operators/run/run-error.ts";
import { RunFiles } from "../../operators/run/run-files.ts";
import type { StageWork } from "../../operators/run/stage-work.ts";
import { freshWeights, publishable, type PublishedWeights } from "../../operators/run/weights/net-weights.ts";
import type { StartsRead } from "../../operators/run/weights/net-weights.ts";
import { endBySignal, onStopSignal } from "../../workers/stop-signals.ts";
import type { CheckedGraph, CheckedStage } from "../check-graph.ts";
import { fillInFlight } from "../compile.ts";
import { decideAll, withDecided } from "../decided-evaluations.ts";
import { costOf, type RunCost, type Speeds, worksOf } from "./cost.ts";

/** What a measurement of an experiment found. */
export interface MeasuredCost {
  readonly cost: RunCost;
  readonly speeds: Speeds;
  readonly workers: number;
  readonly cores: number;
  /** Mean number of cores that the measurement got. */
  readonly gotCores: number;
  /** Mean number of cores that it would have got on an idle machine. */
  readonly idleCores: number;
}

/** Each agent and each learner is measured for at least this time. */
const LEAST_SECONDS = 0.7;

/**
 * Measures for about `seconds` how fast an experiment plays and learns on this machine, and returns what the whole run would
 * cost if the machine did nothing else. A busy machine takes longer to measure. Nothing is written but a scratch folder for the time of the measurement. `starts` is what `checkInputs` has read.
 *
 * Games are taken to be as long as those of a quick search, and if that cannot be had as random games. If a stage that plays and learns at once finds that its games become
 * longer, its time and the games of its agents are extrapolated by a power of the number of games.
 *
 * With `purpose` it is the cost of the stages with this purpose alone.
 */
export async function measureCost(
  graph: CheckedGraph,
  starts: StartsRead,
  seconds: number,
  purpose?: StageWork["purpose"],
): Promise<MeasuredCost> {
  const scratch = mkdtempSync(join(tmpdir(), "ludoflow-cost-"));
  const remove = () => rmSync(scratch, { recursive: true, force: true });
  // Without a handler a signal would end the process and leave the folder.
  const off = onStopSignal((signal) => {
    remove();
    endBySignal(signal);
  });
  try {
    return await Effect.runPromise(
      new Measurement(graph, starts, new RunFiles(scratch), purpose).measure(seconds),
    );
  } finally {
    off();
    remove();
  }
}

/**
 * No further agent or learner is measured after this many times the seconds asked for, in the time of an idle machine and on the wall
 * clock; the first one is in any case.
 */
const PATIENCE = 1.7;
const MOST_WALL = 3;

/** A measurement under way. */
class Measurement {
  readonly #graph: CheckedGraph;
  readonly #starts: StartsRead;
  readonly #files: RunFiles;
  readonly #works: ReadonlyMap<string, StageWork>;
  /** The weights that nets play with: what was learned here, else what the run begins with. */
  readonly #weights = new Map<string, PublishedWeights>();
  /** By net: how many times as long as random games those of its agents are taken to be. */
  readonly #longer = new Map<string, number>();
  readonly #speeds = {
    agents: new Map<string, number>(),
    decisions: new Map<string, number>(),
    evaluations: new Map<string, number>(),
    stages: new Map<string, number>(),
    slower: new Set<string>(),
  };
  /** What the measured parts took together. */
  readonly #took = { wall: 0, idle: 0, processor: 0 };

  constructor(graph: CheckedGraph, starts: StartsRead, files: RunFiles, only?: StageWork["purpose"]) {
    this.#graph = graph;
    this.#starts = starts;
    this.#files = files;
    this.#works = new Map(
      [...worksOf(graph)].filter(([, { purpose }]) => only === undefined || purpose === only),
    );
  }

  /** Measures in the order of importance: the learners whose weights others play with, then those that play to learn. */
  measure(seconds: number): Effect.Effect<MeasuredCost, RunError> {
    return Effect.gen({ self: this }, function* () {
      const cores = availableParallelism();
      const clock = new MachineClock(cores);
      const begun = performance.now();
      const late = () =>
        clock.seconds() > PATIENCE * seconds || performance.now() - begun > 1000 * MOST_WALL * seconds;
      const learners = this.#graph.stages.filter(({ name }) => {
        const work = this.#works.get(name);
        return work !== undefined && (work.deciders === undefined || work.learns === true);
      });
      const onTables = learners.filter(({ operator }) => operator.playsItself);
      const learning = this.#players("learn");
      const measuring = [...this.#players("measure")].filter((agent) => !learning.has(agent));
      const parts = learners.length + learning.size + measuring.length;
      const slot = Math.max(LEAST_SECONDS, seconds / Math.max(1, parts));
      const { opened, stages } = yield* this.#filled();
      const length = randomLength(opened.game);
      const played = playedDecisions(opened.game) ?? length.decisions;
      const learner = (stage: CheckedStage) => this.#learner(stage, opened, length, slot);
      const agent = (name: string) => this.#agent(name, opened, stages, { length, played }, slot);
      for (const part of [
        ...onTables.map((stage) => () => learner(stage)),
        ...[...learning].map((name) => () => agent(name)),
        ...learners.filter((stage) => !onTables.includes(stage)).map((stage) => () => learner(stage)),
        ...measuring.map((name) => () => agent(name)),
      ])
        if (!late() || this.#knowsNothing) yield* part();
      const { idle, processor, wall } = this.#took;
      return {
        cost: costOf(this.#works, this.#speeds, cores),
        speeds: this.#speeds,
        cores,
        workers: workerThreads(opened.experiment),
        gotCores: wall > 0 ? processor / wall : 0,
        idleCores: idle > 0 ? processor / idle : 0,
      };
    });
  }

  get #knowsNothing(): boolean {
    return costOf(this.#works, this.#speeds, 1).seconds === 0;
  }

  #count({ idle, processor, wall }: MachineTime): void {
    this.#took.idle += idle;
    this.#took.processor += processor;
    this.#took.wall += wall;
  }

  /** The agents that decide in games of this purpose. */
  #players(wanted: StageWork["purpose"]): Set<string> {
    return new Set(
      [...this.#works.values()].flatMap(({ deciders, purpose }) =>
        purpose === wanted ? Object.keys(deciders ?? {}) : [],
      ),
    );
  }

  /** The graph in which every stage says how many games it has under way, and every net what it is computed in. */
  #filled() {
    const env = {
      warn: () => undefined,
      weightsOf: (net: string) => Effect.sync(() => this.#weightsOf(net)),
    };
    const { opened } = this.#graph;
    // A run decides before it begins: in int8 evaluations may take less than half of the time.
    return Effect.flatMap(
      Effect.promise(() => decideAll(opened, this.#starts)),
      (decided) => {
        const experiment = withDecided(opened.experiment, (net) => decided[net]?.evaluations);
        const graph = { ...this.#graph, opened: { ...opened, experiment } };
        return Effect.scoped(
          Effect.flatMap(openLocalThreads(graph.opened, env), (host) => fillInFlight(graph, host)),
        );
      },
    );
  }

  #weightsOf(net: string): PublishedWeights {
    let known = this.#weights.get(net);
    if (known === undefined) {
      const { opened } = this.#graph;
      known = publishable(opened, net, this.#starts.get(net)?.tensors ?? freshWeights(opened, net));
      this.#weights.set(net, known);
    }
    return known;
  }

  #learner(stage: CheckedStage, opened: OpenExperiment, length: GameLength, seconds: number) {
    return Effect.gen({ self: this }, function* () {
      const { total } = this.#works.get(stage.name)!;
      const starts = new Map(this.#starts);
      const found = yield* learningCourse(stage, {
        opened,
        files: this.#files,
        starts,
        seconds,
        demand: this.#works.get(stage.name)!.threads ?? availableParallelism(),
      });
      if (found.took !== undefined) this.#count(found.took);
      // Steps of one net cost the same: a few of them that a busy moment slowed must not be taken for growth.
      const equal = stage.operator.playsItself !== true;
      const unit = equal ? meanSeconds(found.course) : secondsPerUnit(found.course, total);
      if (unit !== undefined) this.#speeds.stages.set(stage.name, unit);
      const net = stage.config[stage.operator.learns!] as string;
      if (found.weights?.kind !== "tables") return;
      this.#weights.set(net, found.weights);
      const last = found.course.at(-1);
      if (found.plies === undefined || last === undefined) return;
      const further = Math.max(1, total / last.units);
      this.#longer.set(net, (found.plies / length.plies) * further ** (growthOf(found.course) - 1));
    });
  }

  #agent(
    agent: string,
    opened: OpenExperiment,
    stages: readonly CheckedStage[],
    { length, played }: { readonly length: GameLength; readonly played: number },
    seconds: number,
  ) {
    return Effect.gen({ self: this }, function* () {
      const { net } = opened.experiment.agents[agent]!;
      const games = played * ((net === undefined ? undefined : this.#longer.get(net)) ?? 1);
      const inFlight = stages
        .filter(({ name }) => this.#works.get(name)?.deciders?.[agent] !== undefined)
        .map(({ config }) => (config["inFlight"] as number | undefined) ?? 1);
      const speed = yield* decisionSeconds(agent, {
        opened,
        openHost: openLocalThreads,
        weights: (name) => this.#weightsOf(name),
        decisions: Math.min(games, length.decisions),
        inFlight: Math.max(1, ...inFlight),
        seconds,
      });
      this.#speeds.decisions.set(agent, games);
      this.#speeds.agents.set(agent, speed.seconds);
      this.#speeds.evaluations.set(agent, speed.evaluations);
      if (speed.least) this.#speeds.slower.add(agent);
      this.#count(speed.took);
    });
  }
}

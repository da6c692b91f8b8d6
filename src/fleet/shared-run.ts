import { basename } from "node:path";
import { checkExperiment } from "../graph/experiment-file.ts";
import { ExperimentInvalid } from "../graph/problem.ts";
import { isOtherProgram } from "../operators/experiment/agent-kinds.ts";
import { netNames } from "../operators/experiment/agent-net.ts";
import {
  type ComputeConfig,
  type Experiment,
  openExperiment,
  type OpenExperiment,
} from "../operators/experiment/open-experiment.ts";
import type { LoadedPlugin } from "../plugins/load-plugins.ts";
import { FleetUnavailable } from "./fleet-unavailable.ts";
import { type ProgramIdentity, programIdentity } from "./program-code.ts";
import { sha256OfData } from "../formats/sha256.ts";

/** A plug-in of a run: its hash identifies the code, which stays where it is. */
export interface SharedPlugin {
  readonly name: string;
  readonly sha256: string;
}

/** What joiners receive about a run: plain data, no code, no weights, no program to start. */
export interface SharedRun {
  /** The experiment as this version fills it in, without the agents and nets that stay on the run's machine. */
  readonly experiment: Experiment;
  readonly plugins: readonly SharedPlugin[];
  readonly program: ProgramIdentity;
}

/** What a run sends joiners about itself. `plugins` are those that this process has loaded. */
export function sharedRun(
  { experiment, nets: open }: OpenExperiment,
  plugins: readonly LoadedPlugin[],
): SharedRun {
  const nets = Object.fromEntries(
    Object.entries(experiment.nets).flatMap(([name, net]) => {
      const opened = open.get(name)!;
      if (opened.kind !== "network" || opened.net.model !== undefined) return [];
      const { weights: _weights, ...own } = net;
      return [[name, own]];
    }),
  );
  const agents = Object.fromEntries(
    Object.entries(experiment.agents).filter(
      ([, agent]) => !isOtherProgram(agent) && netNames(agent).every((net) => net in nets),
    ),
  );
  const { plugins: named = [], workers: _workers, description: _description, ...rest } = experiment;
  // A program of this machine.
  const { python: _python, ...compute } = experiment.compute;
  return {
    experiment: { ...rest, compute, nets, agents },
    plugins: plugins
      .filter(({ file }) => named.includes(file))
      .map(({ file, sha256 }) => ({ name: basename(file), sha256 })),
    program: programIdentity(),
  };
}

/** The hash by which a run and a joiner see that they speak of one run. */
export function describedBy({ experiment, plugins, program }: SharedRun): string {
  const { compute: _compute, ...rest } = experiment;
  return sha256OfData({ experiment: rest, plugins: plugins.map(({ sha256 }) => sha256), program });
}

/** What a joiner brings along. */
export interface JoinerMeans {
  readonly workers?: number | undefined;
  readonly compute: Partial<ComputeConfig>;
  /** The plug-ins that the joiner itself has named. */
  readonly plugins: readonly LoadedPlugin[];
}

/**
 * Opens a run on the machine of a joiner. The experiment is checked as an untrusted file is. Throws FleetUnavailable if games
 * would come out differently here; the message says how to mend it.
 */
export function openShared(
  { experiment, plugins }: SharedRun,
  { compute, plugins: own, workers }: JoinerMeans,
): OpenExperiment {
  const files = plugins.map(({ name, sha256 }) => {
    const found = own.find((each) => each.sha256 === sha256);
    if (found !== undefined) return found.file;
    const other = own.find(({ file }) => basename(file) === name);
    throw new FleetUnavailable(
      other === undefined
        ? `the run has the plug-in ${name} (SHA-256 ${sha256.slice(0, 12)}): code does not travel, so copy the file here yourself, and allow it with --plugin ${name}`
        : `${other.file} differs from the plug-in ${name} of the run (SHA-256 ${other.sha256.slice(0, 12)} here, ${sha256.slice(0, 12)} there): copy it, and all files that it imports, from the run's machine`,
    );
  });
  const program = Object.entries(experiment.agents).find(([, agent]) => isOtherProgram(agent));
  if (program !== undefined)
    throw new FleetUnavailable(`the run names a program for "${program[0]}", and a joiner starts none`);
  if (experiment.compute.python !== undefined)
    throw new FleetUnavailable("the run names a program that computes nets, and a joiner starts none");
  const checked = checkExperiment("the experiment of the run", {
    ...experiment,
    compute: { ...experiment.compute, ...compute },
    ...(files.length === 0 ? {} : { plugins: files }),
    ...(workers === undefined ? {} : { workers }),
  });
  if (checked.problems.length > 0) throw new ExperimentInvalid(checked.problems);
  return openExperiment(checked.experiment);
}

import { computeConflict } from "../compute/compute-conflict.ts";
import { computesItself } from "../compute/engine.ts";
import { openGame } from "../games/registry.ts";
import type { Game } from "../games/game.ts";
import { openNet, type OpenNet } from "../models/registry.ts";
import { agentKinds, kindsOf } from "../operators/experiment/agent-kinds.ts";
import {
  abilitiesOf,
  beforeGuiding,
  givenNets,
  netNames,
  netsOf,
  searchOptionsOf,
  wrongNet,
} from "../operators/experiment/agent-net.ts";
import type { AnyOperator, StageView } from "../operators/operator.ts";
import type { Complaint } from "../operators/run/complaint.ts";
import { operatorOf, services } from "../operators/registry.ts";
import { listCheckpoints } from "../operators/run/weights/checkpoint-files.ts";
import { readNamedWeights } from "../operators/run/weights/net-weights.ts";
import { CheckpointUnusable } from "../operators/run/run-error.ts";
import { checkpointsPath } from "../operators/run/run-files.ts";
import {
  type AgentConfig,
  type Experiment,
  netOptionsOf,
  type OpenExperiment,
  type StageConfig,
} from "../operators/experiment/open-experiment.ts";
import { openSearch, SearchNotOpened } from "../search/registry.ts";
import type { ExperimentFile } from "./experiment-file.ts";
import { abridged } from "../messages/abridged.ts";
import { didYouMean } from "../messages/did-you-mean.ts";
import { outsidePlace, placedMessage } from "../messages/outside-place.ts";
import { loadedPlugins } from "../plugins/load-plugins.ts";
import { ExperimentInvalid, type Problem } from "./problem.ts";
import { connectedPorts, stageView } from "./stage-view.ts";
import { problemAt } from "./source-problem.ts";
import { escapePointer } from "./yaml-source.ts";

/** A stage with its references resolved. */
export interface CheckedStage {
  readonly name: string;
  readonly operator: AnyOperator;
  readonly config: StageConfig;
  /** The stage behind each port that is connected. */
  readonly inputs: Readonly<Record<string, string>>;
  readonly view: StageView;
}

/** A runnable experiment: each stage comes after the stages that it reads. */
export interface CheckedGraph {
  readonly opened: OpenExperiment;
  readonly stages: readonly CheckedStage[];
}

/**
 * Resolves all names of an experiment and checks what a schema cannot: that stages, nets and agents exist and fit
 * each other, that the graph has no cycle, and each operator's own conditions. Throws ExperimentInvalid with all
 * problems at once; nothing has been started. In the `folder` of a run to be resumed, nets with checkpoints of this run
 * do not need the checkpoints that they started from, and stages do not need the files that the run has copied.
 */
export function checkGraph(file: ExperimentFile, folder?: string): CheckedGraph {
  return new Checker(file, folder).check();
}

/**
 * Checks the parts of an experiment that do not depend on plug-ins that were not loaded: names, ports and cycles, and, if
 * the game is known, the known nets and agents. Throws ExperimentInvalid with all problems at once.
 */
export function checkKnownParts(file: ExperimentFile): void {
  new Checker(file, undefined).checkKnown();
}

class Checker {
  readonly #file: ExperimentFile;
  readonly #experiment: Experiment;
  readonly #problems: Problem[];
  readonly #folder: string | undefined;
  /** The pointers of the parts whose form is wrong, and of those that have such a part in them or are one. */
  readonly #wrongParts: ReadonlySet<string>;
  readonly #partsWithWrong: ReadonlySet<string>;

  constructor(file: ExperimentFile, folder: string | undefined) {
    this.#file = file;
    this.#folder = folder;
    this.#experiment = file.experiment;
    this.#problems = [...file.problems];
    this.#wrongParts = new Set(file.wrong);
    this.#partsWithWrong = new Set(file.wrong.flatMap(withParts));
  }

  check(): CheckedGraph {
    const { notLoaded, unchecked } = this.#file;
    if (unchecked.length > 0) {
      // If the list of plug-ins has a mistake, this is what is wrong, and not the names.
      if (this.#problems.length === 0)
        for (const at of unchecked)
          this.#problem(at, `nothing of ludoflow has this name, and not loaded was ${notLoaded.join(", ")}`);
      this.checkKnown();
    }
    const game = this.#game();
    if (game === undefined) {
      this.#names();
      this.#wiring();
      throw new ExperimentInvalid(this.#problems);
    }
    this.#compute();
    const nets = this.#nets(game);
    const opened: OpenExperiment = { experiment: this.#experiment, game, nets };
    this.#agents(game, nets);
    const stages = this.#stages(opened);
    if (this.#problems.length > 0) throw new ExperimentInvalid(this.#problems);
    return { opened, stages: ordered(stages) };
  }

  checkKnown(): void {
    const game = this.#game();
    if (game === undefined) this.#names();
    else this.#agents(game, this.#nets(game));
    this.#wiring();
    if (this.#problems.length > 0) throw new ExperimentInvalid(this.#problems);
  }

  /** Whether a part of the file is a map whose entries can be looked at. */
  #readable(part: "nets" | "agents" | "graph"): boolean {
    return !this.#wrong("", false) && !this.#wrong(`/${part}`, false);
  }

  /** The names of nets and agents that agents and stages use. They can be followed without a game. */
  #names(): void {
    for (const [name, agent] of this.#sound("agents"))
      for (const { role, net } of netsOf(agent))
        this.#listed(`/agents/${escapePointer(name)}/${role}`, "net", net);
    const own = new Set(loadedPlugins().flatMap(({ defines }) => defines.map((each) => each.name)));
    for (const [name, { use, net, agent, agents }] of this.#sound("graph")) {
      // In stages of plug-ins these keys can mean anything.
      if (own.has(use)) continue;
      const at = `/graph/${escapePointer(name)}`;
      this.#listed(`${at}/net`, "net", net);
      this.#listed(`${at}/agent`, "agent", agent);
      if (Array.isArray(agents))
        for (const [i, each] of agents.entries()) this.#listed(`${at}/agents/${i}`, "agent", each);
    }
  }

  /** Reports a name that is not in its part. An empty part may be written under a misspelt key. */
  #listed(at: string, what: "net" | "agent", name: unknown): void {
    const part = `${what}s` as const;
    if (typeof name !== "string" || !this.#readable(part)) return;
    const known = Object.keys(this.#experiment[part]);
    const misspelt = this.#file.wrong.some((each) => /^\/[^/]+$/.test(each) && each !== "/game");
    if (known.includes(name) || (known.length === 0 && misspelt)) return;
    this.#unknown(at, what, name, known);
  }

  /** The ports and cycles of the stages whose operators are known. */
  #wiring(): void {
    const { graph } = this.#experiment;
    const stages = this.#sound("graph").flatMap(([name, config]) => {
      const operator = operatorOf(config);
      if (operator === undefined) return [];
      this.#ports(`/graph/${escapePointer(name)}`, operator, config);
      return [{ name, inputs: connectedPorts(operator, config, graph) }];
    });
    this.#cycles(stages);
  }

  /** The game; undefined if it, or a part that is opened with it, does not have the right form. */
  #game(): Game<unknown> | undefined {
    if (this.#wrong("/game", true) || this.#unchecked("/game")) return undefined;
    if (!(["nets", "agents", "graph"] as const).every((part) => this.#readable(part))) return undefined;
    const { rules, ...options } = this.#experiment.game;
    try {
      return openGame(rules, options) as Game<unknown>;
    } catch (error) {
      this.#problem("/game", placedMessage(error));
      return undefined;
    }
  }

  /** Checks that one engine has all the settings. */
  #compute(): void {
    if (this.#wrong("/compute", true)) return;
    const conflict = computeConflict(this.#experiment.compute);
    if (conflict === undefined) return;
    const { remedy, setting, what, why } = conflict;
    this.#problem(`/compute/${setting}`, `${what} is not available: ${why}; ${remedy}`);
  }

  #nets(game: Game<unknown>): Map<string, OpenNet> {
    const opened = new Map<string, OpenNet>();
    for (const [name, config] of this.#sound("nets"))
      try {
        opened.set(name, openNet(config.use, game, netOptionsOf(config)));
      } catch (error) {
        this.#problem(`/nets/${escapePointer(name)}`, placedMessage(error));
      }
    for (const [name, open] of opened) {
      this.#evaluations(name);
      this.#weights(name, open);
    }
    return opened;
  }

  /** Checks that the engine can compute what a net is to be computed in. */
  #evaluations(name: string): void {
    if (this.#experiment.nets[name]!.evaluations !== "int8" || this.#wrong("/compute", true)) return;
    const { device, engine } = this.#experiment.compute;
    if (engine !== "tfjs" && computesItself({ device, engine })) return;
    const other = engine === "tfjs" || engine === "torch" ? `the engine ${engine}` : `the device ${device}`;
    this.#problem(
      `/nets/${escapePointer(name)}/evaluations`,
      `int8 is for the engine onnx on the cpu, and compute names ${other}; write evaluations: float32, or change compute`,
    );
  }

  /** Checks that the checkpoint that a net starts from exists, is complete, and has this net and game. */
  #weights(name: string, open: OpenNet): void {
    const { weights } = this.#experiment.nets[name]!;
    const model = open.kind === "network" && open.net.model !== undefined;
    const at = `/nets/${escapePointer(name)}`;
    const engine = this.#wrong("/compute", true) ? undefined : this.#experiment.compute.engine;
    if (model && (engine === "tfjs" || engine === "torch"))
      this.#problem(at, `the engine ${engine} computes no model files; choose engine: onnx under compute`);
    if (weights === undefined) return;
    if (model) return this.#problem(`${at}/weights`, "a model file has its own weights; leave weights out");
    const folder = this.#folder;
    if (folder !== undefined && listCheckpoints(checkpointsPath(folder, name)).length > 0) return;
    try {
      readNamedWeights(this.#experiment, name);
    } catch (error) {
      if (!(error instanceof CheckpointUnusable)) throw error;
      this.#problem(`${at}/weights`, error.message);
    }
  }

  #agents(game: Game<unknown>, nets: ReadonlyMap<string, OpenNet>): void {
    for (const [name, agent] of this.#sound("agents")) {
      this.#playable(name, agent, game, nets);
      const { use } = agent;
      const { needs } = agentKinds().find((kind) => kind.name === use)!;
      for (const { role, net: called } of netsOf(agent)) {
        const at = `/agents/${escapePointer(name)}/${role}`;
        if (!Object.hasOwn(this.#experiment.nets, called)) {
          this.#unknown(at, "net", called, Object.keys(this.#experiment.nets));
          continue;
        }
        const net = nets.get(called);
        const wrong =
          net && wrongNet({ use, needs, role, epsilon: agent["epsilon"] }, `"${called}"`, abilitiesOf(net));
        if (wrong !== undefined) this.#problem(at, wrong);
      }
    }
  }

  /** Some agents play certain games only, or with certain nets. */
  #playable(name: string, agent: AgentConfig, game: Game<unknown>, nets: ReadonlyMap<string, OpenNet>): void {
    const played = beforeGuiding(game, agent, nets);
    try {
      openSearch(agent.use, played, searchOptionsOf(agent), kindsOf(agent), givenNets(agent, nets));
    } catch (error) {
      if (!(error instanceof SearchNotOpened) && outsidePlace(error) === undefined) throw error;
      this.#problem(`/agents/${escapePointer(name)}`, placedMessage(error));
    }
  }

  #stages(opened: OpenExperiment): CheckedStage[] {
    const stages: CheckedStage[] = [];
    const learners = new Map<string, string>();
    const wellFormed = this.#sound("graph");
    // Operators read the agents and nets that a stage names: if one does not have the right form, nothing more is said of the stage.
    const unsound = this.#unsoundNames();
    const readable = new Set(
      wellFormed
        .filter(([, config]) => !textsIn(config).some((text) => unsound.has(text)))
        .map(([name]) => name),
    );
    const around = {
      ...(this.#folder === undefined ? {} : { folder: this.#folder }),
      sound: (stage: string) => readable.has(stage),
    };
    for (const [name, config] of wellFormed) {
      const at = `/graph/${escapePointer(name)}`;
      const service = services.find((each) => each.use === config.use);
      if (service !== undefined) {
        if (readable.has(name)) this.#complain(at, service.check?.(config, opened) ?? []);
        continue;
      }
      const view = stageView(opened, name, around);
      const operator = operatorOf(config)!;
      this.#ports(at, operator, config);
      stages.push({ name, operator, config, inputs: view.inputs, view });
      if (readable.has(name)) this.#complain(at, operator.check?.(config, view) ?? []);
      if (operator.learns === undefined) continue;
      const net = String(config[operator.learns]);
      const open = opened.nets.get(net);
      if (open?.kind === "network" && open.net.model !== undefined)
        this.#problem(
          `${at}/${operator.learns}`,
          `"${net}" is a model in a file (use: ${open.use}), which plays and is not trained; name a net of ludoflow here`,
        );
      const other = learners.get(net);
      if (other !== undefined)
        this.#problem(`${at}/${operator.learns}`, `net "${net}" is learned by stage "${other}" already`);
      learners.set(net, name);
    }
    this.#cycles(stages);
    if (this.#experiment.schedule === "overlapped" && !stages.some(({ operator }) => operator.scheduled))
      this.#problem(
        "/schedule",
        "overlapped changes nothing here: no stage plays games generation after generation while another one learns from them, and stages that play and learn in one place always do both at once; leave schedule out",
      );
    return stages;
  }

  /** Reports ports that lead to no stage, or to a stage of another kind. */
  #ports(at: string, operator: AnyOperator, config: StageConfig): void {
    const graph = this.#experiment.graph;
    for (const [port, { kind }] of Object.entries(operator.inputs)) {
      const from = config[port] as string | undefined;
      if (from === undefined) continue;
      const source = operatorOf(graph[from] ?? null);
      if (!Object.hasOwn(graph, from)) this.#unknown(`${at}/${port}`, "stage", from, Object.keys(graph));
      else if (source === undefined) {
        // What is not a service either is a mistake of that stage, or is defined by a plug-in that was not loaded.
        const use: unknown = Object(graph[from])["use"];
        if (services.some((each) => each.use === use))
          this.#problem(`${at}/${port}`, `"${from}" is a service (${String(use)}); no stream comes from it`);
      } else if (source.output !== kind)
        this.#problem(
          `${at}/${port}`,
          `${operator.use} reads ${kind} here, and "${from}" (${source.use}) gives ${source.output}`,
        );
    }
  }

  #cycles(stages: readonly Pick<CheckedStage, "name" | "inputs">[]): void {
    const byName = new Map(stages.map((stage) => [stage.name, stage]));
    const done = new Set<string>();
    const visit = (name: string, path: readonly string[]): void => {
      if (path.includes(name)) {
        const circle = [...path.slice(path.indexOf(name)), name];
        this.#problem(`/graph/${escapePointer(name)}`, `the stages form a cycle: ${circle.join(" <- ")}`);
        done.add(name);
      }
      if (done.has(name)) return;
      for (const from of Object.values(byName.get(name)?.inputs ?? {})) visit(from, [...path, name]);
      done.add(name);
    };
    for (const stage of stages) visit(stage.name, []);
  }

  #complain(at: string, complaints: readonly Complaint[]): void {
    for (const complaint of complaints) {
      const { key } = complaint;
      const place = key === undefined ? at : `${at}/${key}`;
      if ("unknown" in complaint) this.#unknown(place, complaint.what, complaint.unknown, complaint.known);
      else this.#problem(place, complaint.message, key === undefined);
    }
  }

  /** The entries of a part of the file that have the right form, and names that are known. */
  #sound<K extends "nets" | "agents" | "graph">(part: K): [string, Experiment[K][string]][] {
    if (!this.#readable(part)) return [];
    return Object.entries(this.#experiment[part]).filter(([name]) => {
      const at = `/${part}/${escapePointer(name)}`;
      return !this.#wrong(at, true) && !this.#unchecked(at);
    }) as [string, Experiment[K][string]][];
  }

  /** The names of nets that do not have the right form, and of agents that do not have it or name such a net. */
  #unsoundNames(): ReadonlySet<string> {
    const unsound = (part: "nets" | "agents") => {
      const sound = new Set(this.#sound(part).map(([name]) => name));
      return Object.keys(this.#experiment[part]).filter((name) => !sound.has(name));
    };
    const nets = unsound("nets");
    const withSuchANet = this.#sound("agents").filter(([, agent]) =>
      netNames(agent).some((net) => nets.includes(net)),
    );
    return new Set([...nets, ...unsound("agents"), ...withSuchANet.map(([name]) => name)]);
  }

  /** Whether a plug-in that was not loaded may define the part at a pointer. */
  #unchecked(pointer: string): boolean {
    return this.#file.unchecked.includes(pointer);
  }

  /** Whether the form of the part at a pointer is wrong, or with `within` that of anything in it. */
  #wrong(pointer: string, within: boolean): boolean {
    return (within ? this.#partsWithWrong : this.#wrongParts).has(pointer);
  }

  #unknown(at: string, what: string, given: string, known: readonly string[]): void {
    const list = known.length === 0 ? `there is no ${what} in this file` : `known here: ${abridged(known)}`;
    this.#problem(at, `no ${what} "${given}"${didYouMean(given, known)} (${list})`);
  }

  #problem(pointer: string, message: string, atKey = false): void {
    this.#problems.push(problemAt(this.#file.source, pointer, message, atKey));
  }
}

/** All texts in a tree of settings. */
function textsIn(tree: unknown): string[] {
  if (typeof tree === "string") return [tree];
  return typeof tree === "object" && tree !== null ? Object.values(tree).flatMap(textsIn) : [];
}

/** A pointer, and those of the parts around it. */
function withParts(pointer: string): string[] {
  const parts = pointer.split("/");
  return parts.map((_, i) => parts.slice(0, i + 1).join("/"));
}

/** The stages, each after those it reads. */
function ordered(stages: readonly CheckedStage[]): CheckedStage[] {
  const byName = new Map(stages.map((stage) => [stage.name, stage]));
  const result = new Set<CheckedStage>();
  const visit = (stage: CheckedStage): void => {
    for (const from of Object.values(stage.inputs)) visit(byName.get(from)!);
    result.add(stage);
  };
  for (const stage of stages) visit(stage);
  return [...result];
}

import { existsSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as pause } from "node:timers/promises";
import { connectFleet, fleetAddress } from "../../../src/fleet/connect.ts";
import { BLOBS, TASKS } from "../../../src/fleet/wire/subjects.ts";
import { poolExperiment, resultsOf, writeExperiment } from "../../graph/tiny-run.ts";
import { type Fault, type FaultKind, faultKinds, faultPlan } from "./fault-plan.ts";
import { FleetProcesses, killed, type Watched } from "./fleet-processes.ts";
import { joinerNetwork } from "./joiner-network.ts";

/** Games that one fault has to itself on average. */
const GAMES_A_FAULT = 8;
/** Milliseconds without a further game after which the next fault comes nevertheless. */
const PATIENCE_MS = 4000;

/** What became of a run under faults. */
export interface FaultReport {
  /** Number of faults, by kind. */
  readonly faults: Readonly<Partial<Record<FaultKind, number>>>;
  /** Kinds that this machine does not allow. */
  readonly leftOut: readonly FaultKind[];
  readonly games: number;
  readonly seconds: number;
  /** Number of processes of the run. */
  readonly runs: number;
  /** Warnings of the run, each with its numbers and names left out, and how often it was said. */
  readonly warnings: Readonly<Record<string, number>>;
  /** Files of the run whose bytes are not those of one machine, and those that are missing or too many. */
  readonly different: readonly string[];
}

/** What a run under faults is given. */
export interface FaultOptions {
  readonly seed: number;
  readonly faults: number;
  /** The kinds that are drawn; default: all. */
  readonly kinds?: readonly FaultKind[];
  /** A folder for all files. */
  readonly folder: string;
  /** Milliseconds after which the run counts as hanging. */
  readonly limitMs: number;
  readonly say?: (line: string) => void;
}

/**
 * Plays a run with a fleet of three joiners, lets faults happen to it, and compares its games, examples and checkpoints with
 * those of one machine. Rejects where the run fails or hangs.
 */
export async function underFaults(options: FaultOptions): Promise<FaultReport> {
  const { folder } = options;
  const file = writeExperiment(folder, poolExperiment);
  const games = Math.max(56, GAMES_A_FAULT * options.faults);
  const set = ["--set", `graph.games.games=${games}`];
  const network = joinerNetwork();
  const processes = new FleetProcesses(folder, network);
  try {
    const alone = processes.run(["run", file, ...set, "--out", join(folder, "alone")], () => undefined);
    await exit(alone);
    await processes.prepare();
    const leftOut: readonly FaultKind[] = network === undefined ? ["joiner partitioned"] : [];
    const kinds = (options.kinds ?? faultKinds).filter((kind) => !leftOut.includes(kind));
    const plan = faultPlan(options.seed, options.faults, kinds);
    const trial = new Trial(processes, network, { file, set, run: join(folder, "run"), games, ...options });
    const limit = AbortSignal.timeout(options.limitMs);
    const begun = performance.now();
    const runs = await Promise.race([
      trial.finished(plan),
      new Promise<never>((_resolve, reject) =>
        limit.addEventListener("abort", () => reject(new Error(`the run hangs:\n${trial.state()}`))),
      ),
    ]);
    const [expected, found] = [resultsOf(join(folder, "alone")), resultsOf(join(folder, "run"))];
    return {
      faults: Object.fromEntries(
        kinds.map((kind) => [kind, plan.filter((fault) => fault.kind === kind).length]),
      ),
      leftOut,
      games,
      seconds: Math.round((performance.now() - begun) / 1000),
      runs,
      warnings: trial.warnings(),
      different: [...new Set([...Object.keys(expected), ...Object.keys(found)])].filter(
        (path) => expected[path] !== found[path],
      ),
    };
  } finally {
    await processes.end();
    network?.remove();
  }
}

/** What a trial is given. */
interface TrialOptions extends FaultOptions {
  readonly file: string;
  readonly set: readonly string[];
  readonly run: string;
  readonly games: number;
}

class Trial {
  readonly #processes: FleetProcesses;
  readonly #network: ReturnType<typeof joinerNetwork>;
  readonly #options: TrialOptions;
  #server: Watched;
  readonly #joiners: Watched[];
  #bad: Watched | undefined;
  #run!: Watched;
  #runs = 0;
  /** Whether the present process of the run has begun, and whether it is to be killed. */
  #started = false;
  #doomed = false;
  #said = "";
  #done = 0;
  #advanced = performance.now();
  #finish!: () => void;
  #fail!: (error: Error) => void;
  readonly #outcome: Promise<void>;

  constructor(processes: FleetProcesses, network: ReturnType<typeof joinerNetwork>, options: TrialOptions) {
    this.#processes = processes;
    this.#network = network;
    this.#options = options;
    this.#server = processes.server();
    // The last one is in a network that can be cut off.
    this.#joiners = [processes.joiner(false), processes.joiner(true)];
    this.#outcome = new Promise((resolve, reject) => {
      this.#finish = resolve;
      this.#fail = reject;
    });
  }

  /** Lets the faults happen and waits for the end of the run; returns the number of its processes. */
  async finished(plan: readonly Fault[]): Promise<number> {
    await this.#reachable();
    for (const [at, joiner] of this.#joiners.entries()) if (hasEnded(joiner)) this.#rejoin(at);
    this.#startRun();
    const healing: Promise<void>[] = [];
    const all = (async () => {
      // Before its first game a run is only starting.
      while (this.#done === 0 && !hasEnded(this.#run)) await pause(50);
      for (const [index, fault] of plan.entries()) {
        await this.#due(((index + 0.5) * this.#options.games) / (plan.length + 1));
        await pause(fault.after);
        this.#options.say?.(`${index + 1}: ${fault.kind} (${fault.lasts} ms), ${this.#done} games`);
        healing.push(this.#happens(fault));
      }
      await Promise.all(healing);
    })();
    await Promise.race([all, this.#outcome.then(() => all)]);
    await this.#outcome;
    return this.#runs;
  }

  /** What all said last, for a run that hangs. */
  state(): string {
    const last = ({ said }: Watched) => said.slice(-1500);
    return [
      `${this.#done} of ${this.#options.games} games`,
      `run: ${last(this.#run)}`,
      ...this.#joiners.map((joiner) => `joiner: ${last(joiner)}`),
    ].join("\n");
  }

  warnings(): Record<string, number> {
    const counts: Record<string, number> = {};
    for (const [, text] of this.#said.matchAll(/^warning: (.*)$/gm)) {
      const plain = text!.replaceAll(/\S+:\d+/g, "NAME").replaceAll(/\d+/g, "N");
      counts[plain] = (counts[plain] ?? 0) + 1;
    }
    return counts;
  }

  /** Waits until so many games are stored, or nothing goes on for a while. */
  async #due(games: number): Promise<void> {
    while (this.#done < games && performance.now() - this.#advanced < PATIENCE_MS) await pause(50);
    this.#advanced = performance.now();
  }

  async #happens({ kind, lasts, target }: Fault): Promise<void> {
    const at = target % this.#joiners.length;
    const joiner = this.#joiners[at]!;
    switch (kind) {
      case "joiner killed":
      case "joiner asked to end":
        await killed(joiner.child, kind === "joiner killed" ? "SIGKILL" : "SIGTERM");
        await pause(lasts / 4);
        if (this.#joiners[at] === joiner) this.#rejoin(at);
        return;
      case "joiner stopped for a while":
        return await stopped(joiner, lasts);
      case "run killed":
        return await this.#killRun();
      case "run stopped for a while":
        return await stopped(this.#run, lasts / 2);
      case "server killed": {
        const server = this.#server;
        await killed(server.child);
        await pause(lasts / 4);
        if (this.#server === server) this.#server = this.#processes.server();
        return await this.#reachable();
      }
      case "joiner partitioned":
        this.#network!.cut();
        await pause(lasts);
        return this.#network!.heal();
      case "stream deleted":
      case "consumer deleted":
      case "bucket deleted":
      case "tasks purged":
        return await this.#disturb(kind);
      default:
        if (this.#bad !== undefined) await killed(this.#bad.child);
        this.#bad = this.#processes.badJoiner(kind);
    }
  }

  async #disturb(kind: FaultKind): Promise<void> {
    await this.#reachable();
    const connection = await connectFleet(fleetAddress(this.#processes.url), "run");
    try {
      const { jetstreamManager } = await import("@nats-io/jetstream");
      const manager = await jetstreamManager(connection, { timeout: 3000 });
      if (kind === "stream deleted") await manager.streams.delete(TASKS);
      if (kind === "bucket deleted") await manager.streams.delete(`OBJ_${BLOBS}`);
      if (kind === "tasks purged") await manager.streams.purge(TASKS);
      if (kind === "consumer deleted")
        for (const { name } of await manager.consumers.list(TASKS).next())
          await manager.consumers.delete(TASKS, name);
    } catch {
      // Nothing is there just now, or the server is being killed: then that is the fault.
    } finally {
      await connection.close();
    }
  }

  #rejoin(at: number): void {
    this.#joiners[at] = this.#processes.joiner(at === this.#joiners.length - 1);
  }

  #startRun(): void {
    const { file, run, set } = this.#options;
    const args = existsSync(run) ? ["resume", run] : ["run", file, ...set, "--out", run];
    this.#runs++;
    [this.#started, this.#doomed] = [false, false];
    const watched = this.#processes.run([...args, "--fleet", this.#processes.url], (line) =>
      this.#hear(line),
    );
    this.#run = watched;
    watched.child.once("close", (code) => {
      this.#said += watched.said;
      if (this.#doomed) return this.#startRun();
      if (code === 0) return this.#finish();
      // It may have been started while the server was down.
      if (/nobody listens there|no answer/.test(watched.said) && !this.#started)
        return void pause(500).then(() => this.#startRun());
      this.#fail(new Error(`the run has ended with ${code}: ${watched.said}`));
    });
  }

  async #killRun(): Promise<void> {
    // What was never started cannot be resumed.
    while (!this.#started && !hasEnded(this.#run)) await pause(50);
    this.#doomed = !hasEnded(this.#run);
    await killed(this.#run.child);
  }

  #hear(line: string): void {
    const event = JSON.parse(line) as {
      readonly type: string;
      readonly stage?: string;
      readonly done?: number;
    };
    if (event.type === "run-started") this.#started = true;
    if (event.type !== "progress" || event.stage !== "games" || event.done! <= this.#done) return;
    this.#done = event.done!;
    this.#advanced = performance.now();
  }

  /** Waits until the server answers. */
  async #reachable(): Promise<void> {
    for (;;)
      try {
        await (await connectFleet(fleetAddress(this.#processes.url), "run")).close();
        return;
      } catch {
        await pause(100);
      }
  }
}

function hasEnded({ child }: Watched): boolean {
  return child.exitCode !== null || child.signalCode !== null;
}

async function stopped({ child }: Watched, milliseconds: number): Promise<void> {
  child.kill("SIGSTOP");
  await pause(milliseconds);
  child.kill("SIGCONT");
}

/** Waits for the end of a command that must succeed. */
async function exit(watched: Watched): Promise<void> {
  const code = await new Promise((resolve) => watched.child.once("close", resolve));
  if (code !== 0) throw new Error(watched.said);
}

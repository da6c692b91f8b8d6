import { existsSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as pause } from "node:timers/promises";
import { connectFleet, fleetAddress } from "../../../src/fleet/connect.ts";
import { isRunBeat, type RunBeat } from "../../../src/fleet/wire/beats.ts";
import { readJson } from "../../../src/fleet/wire/json-message.ts";
import { BLOBS, runBeat, TASKS } from "../../../src/fleet/wire/subjects.ts";
import { poolExperiment, resultsOf, writeExperiment } from "../../graph/tiny-run.ts";
import { badJoiners, type Fault, type FaultKind, faultKinds, faultPlan } from "./fault-plan.ts";
import { FleetProcesses, killed, type Watched } from "./fleet-processes.ts";
import { joinerNetwork } from "./joiner-network.ts";

/** The seed of the run: of its first 80 games 4 are drawn to be played again, of its first 808 games 19. */
const RUN_SEED = 1931;
/** Games that one fault has to itself on average. */
const GAMES_A_FAULT = 8;
/** Milliseconds without a further game after which the next fault comes nevertheless. */
const PATIENCE_MS = 4000;
/** Milliseconds in which a joiner that behaves badly joins and does so; a busy machine takes seconds to start it. */
const JOINS_MS = 60_000;

/** What became of a run under faults. */
export interface FaultReport {
  /** Number of faults, by kind. */
  readonly faults: Readonly<Partial<Record<FaultKind, number>>>;
  /** Of the kinds that are joiners: how many of these have had a game and have behaved badly. */
  readonly misbehaved: Readonly<Partial<Record<FaultKind, number>>>;
  /** Kinds that this machine does not allow. */
  readonly leftOut: readonly FaultKind[];
  readonly games: number;
  /** Of these at least so many are results of joiners that were taken, as the run's heartbeats reported. */
  readonly joinerGames: number;
  /** Games that a joiner replaced by others, and those that the run found out about. */
  readonly lies: { readonly told: number; readonly found: number };
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
  /** Joiners that behave well; default: 2. */
  readonly joiners?: number;
  /** A folder for all files. */
  readonly folder: string;
  /** Milliseconds after which the run counts as hanging. */
  readonly limitMs: number;
  readonly say?: (line: string) => void;
}

/**
 * Plays a run with a fleet of two joiners, lets faults happen to it, and compares its games, examples and checkpoints with
 * those of one machine. Rejects where the run fails or hangs, and where no joiner has played for it.
 */
export async function underFaults(options: FaultOptions): Promise<FaultReport> {
  const { folder } = options;
  const file = writeExperiment(folder, poolExperiment);
  const games = Math.max(56, GAMES_A_FAULT * options.faults);
  const set = [`graph.games.games=${games}`, `seed=${RUN_SEED}`].flatMap((each) => ["--set", each]);
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
    if (trial.joinerGames === 0)
      throw new Error(`no joiner has played a game, so the faults have shown nothing:\n${trial.state()}`);
    const [expected, found] = [resultsOf(join(folder, "alone")), resultsOf(join(folder, "run"))];
    return {
      faults: Object.fromEntries(
        kinds.map((kind) => [kind, plan.filter((fault) => fault.kind === kind).length]),
      ),
      misbehaved: trial.misbehaved,
      leftOut,
      games,
      joinerGames: trial.joinerGames,
      lies: trial.lies(),
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
  /** A joiner that behaves well until a fault says otherwise, and one that sends other games from such a fault on. */
  #bad: Watched | undefined;
  #liar: Watched | undefined;
  #isLiar = false;
  #lies = 0;
  /** By process of the run and name of a joiner: the games that were taken from it, as the last heartbeat reported. */
  readonly #reportedGames = new Map<string, number>();
  #joinerGames = 0;
  /** See `FaultReport`. */
  readonly misbehaved: Partial<Record<FaultKind, number>> = {};
  #run!: Watched;
  #runs = 0;
  /** Whether the present process of the run has begun, and whether it is to be killed. */
  #started = false;
  #doomed = false;
  #said = "";
  #done = 0;
  #advanced = performance.now();
  #finished = false;
  #finish!: () => void;
  #fail!: (error: Error) => void;
  readonly #outcome: Promise<void>;

  constructor(processes: FleetProcesses, network: ReturnType<typeof joinerNetwork>, options: TrialOptions) {
    this.#processes = processes;
    this.#network = network;
    this.#options = options;
    this.#server = processes.server();
    // The last one is in a network that can be cut off.
    const { joiners = 2 } = options;
    this.#joiners = Array.from({ length: joiners }, (_, at) => processes.joiner(at === joiners - 1));
    this.#outcome = new Promise((resolve, reject) => {
      this.#finish = resolve;
      this.#fail = reject;
    });
  }

  /** Lets the faults happen and waits for the end of the run; returns the number of its processes. */
  async finished(plan: readonly Fault[]): Promise<number> {
    await this.#reachable();
    for (const [at, joiner] of this.#joiners.entries()) if (hasEnded(joiner)) this.#rejoin(at);
    const stopCounting = await this.#countGames();
    const has = (isOfKind: (kind: FaultKind) => boolean) => plan.some(({ kind }) => isOfKind(kind));
    if (has((kind) => badJoiners.includes(kind))) this.#startBad((joiner) => (this.#bad = joiner));
    if (has((kind) => kind === "joiner sends another game"))
      this.#startBad((joiner) => {
        this.#liar = joiner;
        if (this.#isLiar) joiner.child.stdin!.write("joiner sends another game\n");
      });
    this.#startRun();
    const healing: Promise<void>[] = [];
    const all = (async () => {
      // Before its first game a run is only starting.
      while (this.#done === 0 && !hasEnded(this.#run)) await pause(50);
      for (const [index, fault] of plan.entries()) {
        await this.#due(((index + 0.5) * this.#options.games) / (plan.length + 1));
        await pause(fault.after);
        this.#options.say?.(`${index + 1}: ${fault.kind} (${fault.lasts} ms), ${this.#done} games`);
        const happens = this.#happens(fault);
        healing.push(happens);
        // Without its turn a joiner that behaves badly would be replaced before it has played.
        if (badJoiners.includes(fault.kind)) await happens;
      }
      await Promise.all(healing);
    })();
    await Promise.race([all, this.#outcome.then(() => all)]);
    await this.#outcome;
    await stopCounting();
    return this.#runs;
  }

  /** Games that were taken from joiners; those of the last second of a run that is killed are not counted. */
  get joinerGames(): number {
    return this.#joinerGames;
  }

  /** Starts a joiner that will behave badly; another one follows it when the run has dismissed it. */
  #startBad(take: (joiner: Watched) => void): void {
    const watched = this.#processes.badJoiner(RUN_SEED);
    take(watched);
    const look = () => {
      if (!/^leaves .*(refused|comes out otherwise)/m.test(watched.said)) return;
      watched.child.stderr!.off("data", look);
      void killed(watched.child).then(() => {
        this.#lies += liesOf(watched);
        if (!this.#finished) this.#startBad(take);
      });
    };
    watched.child.stderr!.on("data", look);
  }

  /** Games that a joiner has replaced by others, and how many times the run has found out that a game is another one. */
  lies(): FaultReport["lies"] {
    const count = (text: string, pattern: RegExp) => [...text.matchAll(pattern)].length;
    return {
      told: this.#lies + (this.#liar === undefined || hasEnded(this.#liar) ? 0 : liesOf(this.#liar)),
      found: count(this.#said, /^warning: .* must leave: game \d+ of \S+ comes out otherwise/gm),
    };
  }

  /** Counts the games of joiners by the heartbeats of the run. */
  async #countGames(): Promise<() => Promise<void>> {
    const connection = await connectFleet(fleetAddress(this.#processes.url), "joiner");
    connection.subscribe(runBeat("*"), {
      callback: (error, { data }) => {
        const beat = error === null ? readJson(data) : undefined;
        if (isRunBeat(beat)) this.#count(beat);
      },
    });
    return () => connection.close();
  }

  #count({ joiners, process: of }: RunBeat): void {
    for (const { games, name } of joiners) {
      const key = `${of} ${name}`;
      const before = this.#reportedGames.get(key) ?? 0;
      // A joiner that was away for some time begins again.
      this.#joinerGames += games < before ? games : games - before;
      this.#reportedGames.set(key, games);
    }
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

  /** Waits until so many games are stored, or nothing happens for a while. */
  async #due(games: number): Promise<void> {
    while (this.#done < games && performance.now() - this.#advanced < PATIENCE_MS) await pause(50);
    this.#advanced = performance.now();
  }

  async #happens({ kind, lasts, target }: Fault): Promise<void> {
    const at = target % Math.max(1, this.#joiners.length);
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
      case "joiner sends another game":
        this.#isLiar = true;
        this.#liar!.child.stdin!.write(`${kind}\n`);
        return;
      default: {
        // One that has been dismissed is replaced by a new one, which takes seconds to join.
        const begun = performance.now();
        const hasJoined = () => /^plays for/m.test(this.#bad!.said);
        await this.#until(hasJoined, begun);
        const bad = this.#bad!;
        bad.child.stdin!.write(`${kind}\n`);
        const isDone = () => bad.said.includes(`does it: ${kind}\n`);
        await this.#until(isDone, begun);
        this.misbehaved[kind] = (this.misbehaved[kind] ?? 0) + Number(isDone());
      }
    }
  }

  /** Waits until something is so, or it takes too long, or the run is over. */
  async #until(isSo: () => boolean, begun: number): Promise<void> {
    while (!isSo() && performance.now() - begun < JOINS_MS && !this.#finished) await pause(50);
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
    // In each third process of the run its own machine plays, too.
    const playsHere = this.#joiners.length === 0 || this.#runs % 3 === 0;
    const fleet = ["--fleet", this.#processes.url, ...(playsHere ? [] : ["--joiners-only"])];
    const watched = this.#processes.run([...args, ...fleet], (line) => this.#onLine(line));
    this.#run = watched;
    watched.child.once("close", (code) => {
      this.#said += watched.said;
      if (this.#doomed) return this.#startRun();
      if (code === 0) {
        this.#finished = true;
        return this.#finish();
      }
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

  #onLine(line: string): void {
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

/** Number of games that a joiner has replaced by others. */
function liesOf({ said }: Watched): number {
  return [...said.matchAll(/^lies about game/gm)].length;
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

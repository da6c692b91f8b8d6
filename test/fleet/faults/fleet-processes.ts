import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { mkdirSync, writeFileSync } from "node:fs";
import { createServer } from "node:net";
import { join } from "node:path";
import { bin } from "../../cli/run-cli.ts";
import type { JoinerNetwork } from "./joiner-network.ts";

/** A process that the harness has started. */
export interface Watched {
  readonly child: ChildProcess;
  /** What it has said on standard error. */
  said: string;
}

/** Starts and ends the processes of a fleet; none outlives the harness. */
export class FleetProcesses {
  readonly #folder: string;
  readonly #network: JoinerNetwork | undefined;
  readonly #all = new Set<ChildProcess>();
  #url = "";

  /** `folder` takes what the processes write. */
  constructor(folder: string, network: JoinerNetwork | undefined) {
    this.#folder = folder;
    this.#network = network;
    mkdirSync(join(folder, "cache"), { recursive: true });
  }

  /** The fleet's URL. */
  get url(): string {
    return this.#url;
  }

  /** Writes the server's file, with a port that is free. */
  async prepare(): Promise<void> {
    const host = this.#network?.server ?? "127.0.0.1";
    const probe = createServer().listen(0, host);
    await once(probe, "listening");
    const { port } = probe.address() as { port: number };
    probe.close();
    await once(probe, "close");
    this.#url = `nats://${host}:${port}`;
    writeFileSync(
      join(this.#folder, "nats.conf"),
      `listen: "${host}:${port}"\nmax_payload: 8MB\nping_interval: "5s"\njetstream { store_dir: "${join(this.#folder, "store")}" }\n`,
    );
  }

  server(): Watched {
    return this.#start(["nats-server", "-c", join(this.#folder, "nats.conf")]);
  }

  joiner(cutOff: boolean): Watched {
    const command = [process.execPath, bin, "join", this.#url, "--workers", "1"];
    return this.#start(cutOff ? [...(this.#network?.inside ?? []), ...command] : command);
  }

  /** A joiner that behaves badly from a moment on, for a run with this seed: see `bad-joiner.ts`. */
  badJoiner(seed: number): Watched {
    const script = join(import.meta.dirname, "bad-joiner.ts");
    return this.#start([process.execPath, script, this.#url, join(this.#folder, "cache"), String(seed)]);
  }

  /** The command on a run's folder or file; `onLine` gets the lines of its standard output. */
  run(args: readonly string[], onLine: (line: string) => void): Watched {
    const watched = this.#start([process.execPath, bin, ...args, "--json"]);
    let rest = "";
    watched.child.stdout!.on("data", (bytes: Buffer) => {
      const lines = (rest + bytes.toString()).split("\n");
      rest = lines.pop()!;
      for (const line of lines) onLine(line);
    });
    return watched;
  }

  /** Kills all that is left. */
  async end(): Promise<void> {
    await Promise.all([...this.#all].map((child) => killed(child)));
  }

  #start([program, ...args]: readonly string[]): Watched {
    const child = spawn(program!, args, {
      stdio: ["pipe", "pipe", "pipe"],
      env: {
        ...process.env,
        PATH: `${process.env["PATH"]}:/usr/sbin`,
        XDG_CACHE_HOME: join(this.#folder, "cache"),
      },
    });
    const watched: Watched = { child, said: "" };
    child.stdout.resume();
    // A process that has just been killed takes no more input.
    child.stdin.on("error", () => undefined);
    child.stderr.on("data", (bytes: Buffer) => (watched.said += bytes.toString()));
    this.#all.add(child);
    child.once("exit", () => this.#all.delete(child));
    return watched;
  }
}

/** Kills a process at once, and waits for its end. */
export async function killed(child: ChildProcess, signal: NodeJS.Signals = "SIGKILL"): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return;
  const ended = once(child, "exit");
  child.kill(signal);
  await ended;
}

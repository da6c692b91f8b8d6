import { type ChildProcess, spawn, spawnSync } from "node:child_process";
import { once } from "node:events";
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as pause } from "node:timers/promises";
import { UsageError } from "../../src/messages/usage-error.ts";

/** A NATS server for a bench, on a port of its own of this machine. */
export interface BenchServer {
  readonly url: string;
  /** Milliseconds of processor time that it has used. */
  readonly processorMs: () => number;
  readonly close: () => Promise<void>;
}

/** Ticks of the system's clock of processor time in a second. */
const TICKS = 100;

/** Starts a server. Throws UsageError if the program is not installed. */
export async function startBenchServer(): Promise<BenchServer> {
  const program = ["nats-server", "/usr/sbin/nats-server"].find(
    (each) => spawnSync(each, ["--version"]).status === 0,
  );
  if (program === undefined)
    throw new UsageError("bench fleet needs a NATS server: install Debian's package nats-server");
  const folder = mkdtempSync(join(tmpdir(), "ludoflow-bench-"));
  const [ports, file] = [join(folder, "ports"), join(folder, "nats.conf")];
  mkdirSync(ports);
  writeFileSync(
    file,
    `listen: "127.0.0.1:-1"\nports_file_dir: "${ports}"\nmax_payload: 8MB\nmax_pending: 256MB\njetstream { store_dir: "${join(folder, "store")}" }\n`,
  );
  const child = spawn(program, ["-c", file], { stdio: "ignore" });
  const kill = () => void child.kill("SIGKILL");
  process.once("exit", kill);
  const url = await urlOf(child, ports);
  return {
    url,
    processorMs: () => {
      const [user, system] = readFileSync(`/proc/${child.pid}/stat`, "utf8")
        .split(") ")[1]!
        .split(" ")
        .slice(11, 13);
      return (1000 * (Number(user) + Number(system))) / TICKS;
    },
    close: async () => {
      process.off("exit", kill);
      const ended = once(child, "exit");
      kill();
      await ended;
      rmSync(folder, { recursive: true, force: true });
    },
  };
}

async function urlOf(child: ChildProcess, ports: string): Promise<string> {
  for (;;) {
    const [name] = readdirSync(ports);
    const port =
      name === undefined ? undefined : /:(\d+)"/.exec(readFileSync(join(ports, name), "utf8"))?.[1];
    if (port !== undefined) return `nats://127.0.0.1:${port}`;
    if (child.exitCode !== null) throw new Error("nats-server does not start");
    await pause(20);
  }
}

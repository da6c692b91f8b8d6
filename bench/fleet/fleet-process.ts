import { moduleBeside } from "../../src/module-beside.ts";
import { type ChildProcess, fork } from "node:child_process";
import { once } from "node:events";

/** A process of a bench that reports its processor time. */
export interface FleetProcess {
  /** Milliseconds of processor time that it has used. */
  readonly processorMs: () => Promise<number>;
  readonly close: () => Promise<void>;
}

/** Starts a module of this folder as a process, which answers each message by its processor time, and waits for its first word. */
export async function startFleetProcess(name: string, args: readonly string[]): Promise<FleetProcess> {
  const child: ChildProcess = fork(moduleBeside(name, import.meta.url), args, {
    stdio: ["ignore", "ignore", "inherit", "ipc"],
  });
  const kill = () => void child.kill("SIGKILL");
  process.once("exit", kill);
  const message = async () => {
    const [milliseconds] = (await Promise.race([
      once(child, "message"),
      once(child, "exit").then(() => {
        throw new Error(`the process ${name} ended`);
      }),
    ])) as [number];
    return milliseconds;
  };
  await message();
  return {
    processorMs: async () => {
      child.send("processor time");
      return await message();
    },
    close: async () => {
      process.off("exit", kill);
      const ended = once(child, "exit");
      kill();
      await ended;
    },
  };
}

/** In a process of a bench: reports that it is ready, and its processor time on request. */
export function answerParent(): void {
  process.on("message", () => {
    const { system, user } = process.cpuUsage();
    process.send!((system + user) / 1000);
  });
  process.send!(0);
}

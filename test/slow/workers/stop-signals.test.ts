import { spawn } from "node:child_process";
import { once } from "node:events";
import { setTimeout as sleep } from "node:timers/promises";
import { expect, it } from "vitest";

const module = new URL("../../../src/workers/stop-signals.ts", import.meta.url).href;

it.each(["SIGINT", "SIGTERM"] as const)(
  "a process that waits for a signal takes %s that reaches it twice as one, and ends at a later one",
  async (signal) => {
    const child = spawn(
      process.execPath,
      [
        "--input-type=module",
        "-e",
        `const { stopSignal } = await import(${JSON.stringify(module)});
        setInterval(() => {}, 1000);
        const stopped = stopSignal();
        for (let i = 0; i < 2; i++) process.kill(process.pid, "${signal}");
        await stopped;
        console.log("stops");`,
      ],
      { stdio: ["ignore", "pipe", "inherit"] },
    );
    const ended = once(child, "exit");
    expect(String((await once(child.stdout, "data"))[0])).toBe("stops\n");
    await sleep(600);
    expect(child.signalCode).toBeNull();
    child.kill(signal);
    expect(await ended).toEqual([null, signal]);
  },
);

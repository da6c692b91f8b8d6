import { spawn } from "node:child_process";
import { once } from "node:events";
import { createInterface } from "node:readline";
import { describe, expect, it, vi } from "vitest";
import { processorSeconds, wantsProcessor } from "../../../src/workers/processor-time.ts";

/** Shell text that computes for about a tenth of a second. */
const busy = "i=0; while [ $i -lt 100000 ]; do i=$((i+1)); done";

/** Starts a shell script that writes a line when it has done its work, and then waits; the seconds that it has used. */
async function used(script: string): Promise<number | undefined> {
  const child = spawn("/bin/sh", ["-c", `${script}; read -r _`], { stdio: ["pipe", "pipe", "ignore"] });
  try {
    await once(createInterface({ input: child.stdout }), "line");
    return processorSeconds(child.pid!);
  } finally {
    child.stdin.end();
    await once(child, "exit");
    expect(processorSeconds(child.pid!)).toBe(undefined);
  }
}

describe.runIf(process.platform === "linux")("processor time of a process", () => {
  it("is what it has computed, not what it has waited", async () => {
    expect(await used("sleep 0.1; echo done")).toBeLessThan(0.05);
    expect(await used(`${busy}; echo done`)).toBeGreaterThan(0.01);
  });

  it("says whether it computes now, also in a child", async () => {
    for (const [script, computes] of [
      [`echo done; while :; do :; done`, true],
      [`(echo done; while :; do :; done) & wait`, true],
      ["echo done; sleep 9", false],
    ] as const) {
      const child = spawn("/bin/sh", ["-c", script], { stdio: ["ignore", "pipe", "ignore"], detached: true });
      await once(createInterface({ input: child.stdout }), "line");
      // Between its line and its loop or its sleep it may be in any state, and go from one to the other.
      const seen = () => Array.from({ length: 3 }, () => wantsProcessor(child.pid!));
      await vi
        .waitFor(() => expect(seen()).toEqual([computes, computes, computes]), { timeout: 60_000 })
        .finally(() => process.kill(-child.pid!, "SIGKILL"));
      await once(child, "exit");
      expect(wantsProcessor(child.pid!)).toBe(undefined);
    }
  });

  it("has that of children, living and ended", async () => {
    const own = (await used(`${busy}; echo done`))!;
    const ended = await used(`(${busy}); (${busy}); (${busy}); echo done`);
    const living = await used(`(${busy}; ${busy}; ${busy}; echo done; sleep 9) & read -r _; kill $!`);
    expect(ended).toBeGreaterThan(1.5 * own);
    expect(living).toBeGreaterThan(1.5 * own);
  });
});

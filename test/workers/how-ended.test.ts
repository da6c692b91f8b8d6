import { expect, it } from "vitest";
import { causeOfEnd } from "../../bin/how-ended.js";
import { howEnded } from "../../src/workers/how-ended.ts";

it("an end is told in words, and with what to try for a process of ludoflow", () => {
  expect(howEnded(3, null)).toBe("with exit code 3");
  expect(howEnded(null, "SIGTERM")).toBe("by SIGTERM");
  expect(howEnded(null, "SIGKILL")).toBe("by SIGKILL (the system does so when memory runs out)");
  for (const signal of ["SIGKILL", "SIGABRT", "SIGSEGV", "SIGBUS", "SIGILL"]) {
    const { cause, remedy } = causeOfEnd(null, signal)!;
    expect(howEnded(null, signal, "remedy")).toBe(`by ${signal} (${cause}: ${remedy})`);
  }
});

it("exit codes that stand for a signal are told as the signal, others and signals of users not at all", () => {
  expect(causeOfEnd(134, null)?.name).toBe("SIGABRT");
  expect(causeOfEnd(3221225477, null)?.name).toBe("SIGSEGV");
  expect(causeOfEnd(1, null)).toBeUndefined();
  expect(causeOfEnd(null, "SIGTERM")).toBeUndefined();
});

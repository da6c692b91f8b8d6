import { describe, expect, it, onTestFinished } from "vitest";
import { type LineResult, OutsideProgram } from "../../../src/workers/outside-program.ts";
import { startWorker } from "../../../src/workers/worker-thread.ts";
import { gone, running } from "../../workers/processes.ts";

/** A shell script as a program, stopped with the test. */
function start(script: string): OutsideProgram {
  const program = new OutsideProgram(["/bin/sh", "-c", script]);
  onTestFinished(() => program.stop());
  return program;
}

const line = (program: OutsideProgram): string => {
  const result = program.readLine(20_000);
  expect(result.type).toBe("line");
  return (result as Extract<LineResult, { type: "line" }>).line;
};

/** A program that nothing but SIGKILL ends, with a child of the same kind; says both process numbers. */
const stubborn = `trap '' TERM INT HUP PIPE
  (while :; do sleep 1; done) </dev/null >/dev/null & echo $! $$
  while :; do sleep 1; done`;

describe("OutsideProgram", () => {
  it("carries lines both ways, whole however they are cut, while the calling thread blocks", () => {
    const program = start('while read -r line; do printf "[%s" "$line"; sleep 0.01; echo "]"; done');
    for (const text of ["one", "", "äöü 棋", "x".repeat(100_000)]) {
      program.write(`${text}\n`);
      expect(line(program)).toBe(`[${text}]`);
    }
    program.write("a\nb\n");
    expect([line(program), line(program)]).toEqual(["[a]", "[b]"]);
  });

  it("says that nothing came in time, and continues", () => {
    const program = start("read -r line; echo $line");
    expect(program.readLine(20)).toEqual({ type: "silence" });
    expect(program.readLine(0)).toEqual({ type: "silence" });
    program.write("late\n");
    expect(line(program)).toBe("late");
  });

  it("says how a program ended, after all that it had written", () => {
    const code = start("echo last; echo why >&2; exit 7");
    expect(line(code)).toBe("last");
    const ended = { type: "ended", reason: "it ended with exit code 7, saying: why" };
    expect(code.readLine(20_000)).toEqual(ended);
    code.write("anyone?\n");
    expect(code.readLine(20_000)).toEqual(ended);
    expect(start("kill -9 $$").readLine(20_000)).toEqual({
      type: "ended",
      reason: "it was ended by SIGKILL (the system does so when memory runs out)",
    });
  });

  it("holds up a program that floods, and reports a line without an end", () => {
    const lines = start("yes");
    for (let count = 0; count < 100_000; count++)
      expect(lines.readLine(20_000)).toEqual({ type: "line", line: "y" });
    expect(start("exec cat /dev/zero").readLine(20_000)).toEqual({ type: "flood" });
    // Standard error is never full.
    expect(line(start("yes why | head -c 1000000 >&2; echo done"))).toBe("done");
  });

  it("ends a program that ignores every wish, and its children, at once", async () => {
    const program = start(stubborn);
    const pids = line(program).split(" ").map(Number);
    expect(running(pids)).toHaveLength(2);
    program.stop();
    expect(program.readLine(20_000)).toEqual({ type: "ended", reason: "it was stopped" });
    await gone(pids);
  });

  it("leaves no process where the thread that speaks with it is ended", async () => {
    const thread = startWorker<never, LineResult>({
      name: "speaker",
      module: new URL("../../workers/programs-thread.ts", import.meta.url),
      data: ["/bin/sh", "-c", stubborn],
    });
    const result = await new Promise<LineResult>((resolve) => thread.onMessage(resolve));
    expect(result.type).toBe("line");
    const pids = (result as Extract<LineResult, { type: "line" }>).line.split(" ").map(Number);
    expect(running(pids)).toHaveLength(2);
    await thread.stop();
    await gone(pids);
  });
});

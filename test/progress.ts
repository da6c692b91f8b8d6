import { readFileSync } from "node:fs";
import type { TestModule, TestSpecification } from "vitest/node";

/** If the output is no terminal, a line says at least so often how far the tests are. */
const EVERY_MS = 10_000;

/**
 * Reports how far a run of the tests is, also if the output is a file; at the end what was left out and why, and the
 * processor time of the run with all its processes.
 */
export class Progress {
  readonly #begun = performance.now();
  #shown = performance.now();
  #files = 0;
  #done = 0;

  onTestRunStart(files: readonly TestSpecification[]): void {
    this.#files = files.length;
    process.once("exit", () => {
      const seconds = processorSeconds();
      if (seconds !== undefined) console.log(`processor time: ${seconds.toFixed(0)} s`);
    });
  }

  onTestModuleEnd(): void {
    this.#done++;
    const now = performance.now();
    // A terminal shows vitest's own summary.
    if (process.stdout.isTTY || now - this.#shown < EVERY_MS || this.#done === this.#files) return;
    this.#shown = now;
    console.log(
      `${this.#done} of ${this.#files} test files after ${((now - this.#begun) / 1000).toFixed(0)} s`,
    );
  }

  onTestRunEnd(modules: readonly TestModule[]): void {
    for (const module of modules)
      for (const test of module.children.allTests("skipped")) {
        const result = test.result();
        const why = result.state === "skipped" ? result.note : undefined;
        if (why !== undefined) console.log(`left out: ${test.fullName} (${why})`);
      }
  }
}

/** Of this process and all that have ended below it, in seconds; known on Linux. */
function processorSeconds(): number | undefined {
  try {
    const fields = readFileSync("/proc/self/stat", "utf8").split(") ")[1]!.split(" ");
    // Hundredths of a second: in user mode and in the kernel, of the process and of its children (proc(5), 14 to 17).
    return fields.slice(11, 15).reduce((sum, field) => sum + Number(field) / 100, 0);
  } catch {
    return undefined;
  }
}

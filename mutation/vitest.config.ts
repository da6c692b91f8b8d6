import { relative } from "node:path";
import { defineConfig } from "vitest/config";
import { BaseSequencer, type TestModule, type TestSpecification } from "vitest/node";
import { BAIL, TESTS, type FromTests } from "./test-run.ts";

// The tests of one mutant, or of a part of the coverage run: one after the other, in the order in which they are named.
const tests = JSON.parse(process.env[TESTS] ?? "[]") as string[];
const tell = (message: FromTests) => void process.send?.(message);
const named = (path: string) => relative(process.cwd(), path);

class AsNamed extends BaseSequencer {
  override sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const rank = ({ moduleId }: TestSpecification) => tests.indexOf(named(moduleId));
    return Promise.resolve(files.toSorted((a, b) => rank(a) - rank(b)));
  }
}

const reporter = {
  onTestModuleQueued: (module: TestModule) => tell({ kind: "begun", test: named(module.moduleId) }),
  onTestModuleEnd: (module: TestModule) => {
    const failed = [...module.children.allTests("failed")][0];
    const passed = module.state() === "passed" || module.state() === "skipped";
    tell({
      kind: "ended",
      test: named(module.moduleId),
      passed,
      ...(passed ? {} : { by: failed?.fullName ?? module.errors()[0]?.message ?? "cannot be loaded" }),
    });
  },
  onTestRunEnd: (_: unknown, errors: readonly unknown[]) => tell({ kind: "done", errors: errors.length }),
};

export default defineConfig({
  cacheDir: ".vite",
  test: {
    include: tests,
    setupFiles: ["test/compile-cache.ts", "mutation/coverage-file.ts"],
    reporters: [reporter],
    sequence: { sequencer: AsNamed },
    bail: process.env[BAIL] === undefined ? 0 : 1,
    maxWorkers: 1,
    fileParallelism: false,
    testTimeout: 300_000,
    hookTimeout: 300_000,
    watch: false,
  },
});

import { defineConfig } from "vitest/config";

// Two workers: the suite starts worker threads and native sessions of its own. The time-outs only end what hangs: on a
// machine that is busy with other things a run of seconds takes minutes.
export default defineConfig({
  test: {
    include: ["test/**/*.test.ts"],
    setupFiles: ["test/compile-cache.ts"],
    testTimeout: 300_000,
    hookTimeout: 300_000,
    maxWorkers: 2,
  },
});

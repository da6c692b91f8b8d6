import { defineConfig } from "vitest/config";

// Two workers: the suite starts worker threads and native sessions of its own.
export default defineConfig({
  test: { include: ["test/**/*.test.ts"], testTimeout: 60_000, hookTimeout: 60_000, maxWorkers: 2 },
});

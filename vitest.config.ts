import { defineConfig } from "vitest/config";
import { Progress } from "./test/progress.ts";

const files = ["test/**/*.test.ts"];
/** `npm run test:slow`: whole runs, commands, processes, browsers, fleets. `npm test` leaves them to it. */
const slow = ["test/slow/**/*.test.ts"];
/** `npm run trust`: what takes long and rarely finds anything; `.ci/run` runs a tenth of it, another one for each commit. */
const trust = ["test/trust/**/*.test.ts"];
/** Tests with a process each: they watch threads, signals, memory or what is global, or load plug-ins. */
const apart = [
  "test/api/play.test.ts",
  "test/cli/{laws,new-project,starters}.test.ts",
  "test/compute/onnx/*.test.ts",
  "test/games/nim-in-sources.test.ts",
  "test/plugins/{define-net,define-search,game-laws,load-plugins,watched-globals}.test.ts",
  "test/workers/**/*.test.ts",
];
/** Tests of sources that Node alone does not read (JSX), or in whose place others are imported. */
const transformed = [
  "test/{compute/open-engine,compute/tfjs/*,formats/files/home-folder}.test.ts",
  "test/web/pages/**/*.test.ts",
];

/** Node reads the sources by itself, as the product does; transforming them takes a tenth of the time of all tests. */
const native = { viteModuleRunner: false };

// Two workers: the suite starts worker threads and native sessions of its own. The time-outs only end what hangs: on a
// machine that is busy with other things a run of seconds takes minutes.
export default defineConfig({
  test: {
    setupFiles: ["test/compile-cache.ts"],
    reporters: ["default", new Progress()],
    testTimeout: 300_000,
    hookTimeout: 300_000,
    maxWorkers: 2,
    projects: [
      // One process after the other for all of these: loading the sources anew for each file would take half of their time.
      {
        extends: true,
        test: {
          name: "shared",
          include: files,
          exclude: [...apart, ...transformed, ...slow, ...trust],
          isolate: false,
          setupFiles: ["test/no-plugins-left.ts"],
          experimental: native,
        },
      },
      { extends: true, test: { name: "apart", include: apart, experimental: native } },
      { extends: true, test: { name: "transformed", include: transformed } },
      { extends: true, test: { name: "slow", include: slow, experimental: native } },
      { extends: true, test: { name: "trust", include: trust, experimental: native } },
    ],
  },
});

import { spawn } from "node:child_process";
import { join } from "node:path";

/** The environment variable with the test files to run, a JSON list. */
export const TESTS = "LUDOFLOW_MUTATION_TESTS";
/** Set where the first failing test ends the run. */
export const BAIL = "LUDOFLOW_MUTATION_BAIL";

/** What the process that runs tests tells. */
export type FromTests =
  | { readonly kind: "begun"; readonly test: string }
  | { readonly kind: "ended"; readonly test: string; readonly passed: boolean; readonly by?: string }
  | { readonly kind: "done"; readonly errors: number };

/** How one test file went; `seconds` by the clock. */
export interface TestOutcome {
  readonly test: string;
  readonly end: "passed" | "failed" | "timed-out";
  readonly seconds: number;
  /** The first test that failed, or what else went wrong. */
  readonly by?: string;
}

/** How long a process may take to start, and to go from one test file to the next. */
const START_SECONDS = 60;

/**
 * Runs test files of a sandbox in this order in a process of their own, and tells how those went that were begun. A test
 * file that takes longer than its limit is ended, and the run with it; so is a run that `signal` aborts.
 */
export function runTests(run: {
  readonly sandbox: string;
  readonly tests: readonly string[];
  readonly limitSeconds: (test: string) => number;
  readonly bail: boolean;
  readonly env?: Readonly<Record<string, string>>;
  readonly signal: AbortSignal;
}): Promise<TestOutcome[]> {
  const { sandbox, tests, signal } = run;
  const vitest = join("node_modules", "vitest", "vitest.mjs");
  return new Promise((resolve, reject) => {
    const child = spawn(process.execPath, [vitest, "run", "--config", join("mutation", "vitest.config.ts")], {
      cwd: sandbox,
      // A group of its own, so that a test that never ends goes with all that it has started.
      detached: true,
      stdio: ["ignore", "ignore", "pipe", "ipc"],
      env: {
        ...process.env,
        ...run.env,
        TMPDIR: join(sandbox, "tmp"),
        [TESTS]: JSON.stringify(tests),
        ...(run.bail ? { [BAIL]: "1" } : {}),
      },
    });
    const outcomes: TestOutcome[] = [];
    let errorText = "";
    let current: { readonly test: string; readonly since: number } | undefined;
    let done = false;
    let timedOut = false;
    const endGroup = () => {
      try {
        process.kill(-child.pid!, "SIGKILL");
      } catch {
        // It has ended meanwhile.
      }
    };
    const giveUp = () => {
      timedOut = true;
      endGroup();
    };
    let timer = setTimeout(giveUp, START_SECONDS * 1000);
    const waitFor = (seconds: number) => {
      clearTimeout(timer);
      timer = setTimeout(giveUp, seconds * 1000);
    };
    const ended = (end: TestOutcome["end"], by?: string) => {
      if (current === undefined) return;
      const seconds = (performance.now() - current.since) / 1000;
      outcomes.push({ test: current.test, end, seconds, ...(by === undefined ? {} : { by }) });
      current = undefined;
    };
    child.stderr!.on("data", (data: Buffer) => (errorText = (errorText + data.toString()).slice(-2000)));
    child.on("message", (message: FromTests) => {
      if (message.kind === "begun") {
        current = { test: message.test, since: performance.now() };
        waitFor(run.limitSeconds(message.test));
      } else if (message.kind === "ended") {
        current ??= { test: message.test, since: performance.now() };
        ended(message.passed ? "passed" : "failed", message.by);
        waitFor(START_SECONDS);
      } else {
        done = true;
        // An error outside a test, such as a rejection that nobody handled.
        const last = outcomes.at(-1);
        if (message.errors > 0 && last?.end === "passed")
          outcomes[outcomes.length - 1] = { ...last, end: "failed", by: "an error outside the tests" };
      }
    });
    signal.addEventListener("abort", endGroup, { once: true });
    child.on("error", reject);
    child.on("close", () => {
      clearTimeout(timer);
      signal.removeEventListener("abort", endGroup);
      // Whatever a test has left running in the group.
      endGroup();
      if (timedOut) ended("timed-out", "ran too long");
      else if (!done) ended("failed", "the process of the tests ended");
      if (signal.aborted || outcomes.length > 0) resolve(outcomes);
      else reject(new Error(`no test was run of ${tests.join(", ")}:\n${errorText}`));
    });
  });
}

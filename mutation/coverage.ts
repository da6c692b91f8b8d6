import { createHash } from "node:crypto";
import { existsSync, mkdtempSync, readFileSync, rmSync } from "node:fs";
import { dirname, join } from "node:path";
import { COVERAGE_FILE, regionAt, regionsOf, withMarks, type Region } from "./regions.ts";
import type { Sandbox } from "./sandbox.ts";
import { runTests } from "./test-run.ts";

/** What one test file covers. */
export interface Covered {
  readonly passed: boolean;
  readonly seconds: number;
  /** The numbers of the regions that it enters. */
  readonly regions: readonly number[];
}

/** Which tests enter which regions. */
export interface Coverage {
  /** What it was measured of: a hash of sources and tests. */
  readonly of: string;
  readonly tests: Readonly<Record<string, Covered>>;
}

/** The regions of all sources, numbered through. */
export class RegionMap {
  readonly #files = new Map<string, { readonly first: number; readonly regions: readonly Region[] }>();

  constructor(sources: ReadonlyMap<string, string>) {
    let first = 0;
    for (const [file, text] of sources) {
      const regions = regionsOf(file, text);
      this.#files.set(file, { first, regions });
      first += regions.length;
    }
  }

  first(file: string): number {
    return this.#files.get(file)!.first;
  }

  /** The number of the region that a place lies in. */
  at(file: string, place: number): number {
    const { first, regions } = this.#files.get(file)!;
    return first + regionAt(regions, place);
  }
}

/** Where a test file's processes and threads write the regions that they enter. */
export function coverageFile(folder: string, test: string): string {
  return join(folder, `${createHash("sha256").update(test).digest("hex").slice(0, 16)}.txt`);
}

/** Test files of one coverage process: few, so that two processes end at about the same time. */
const CHUNK = 4;

/** Runs all tests once in sandboxes whose sources bear marks, and notes which regions each test file enters. */
export async function measureCoverage(run: {
  readonly of: string;
  readonly sources: ReadonlyMap<string, string>;
  readonly regions: RegionMap;
  readonly tests: readonly string[];
  readonly sandboxes: readonly Sandbox[];
  readonly signal: AbortSignal;
  readonly onProgress: (done: number) => void;
}): Promise<Coverage> {
  const tests: Record<string, Covered> = {};
  const queue = [...run.tests];
  await Promise.all(
    run.sandboxes.map(async (sandbox) => {
      const folder = mkdtempSync(join(sandbox.folder, "coverage-"));
      for (const [file, text] of run.sources)
        sandbox.change(file, withMarks(file, text, run.regions.first(file)));
      while (queue.length > 0 && !run.signal.aborted) {
        const chunk = queue.splice(0, CHUNK);
        const outcomes = await runTests({
          sandbox: sandbox.folder,
          tests: chunk,
          limitSeconds: () => 600,
          bail: false,
          env: { [`${COVERAGE_FILE}_FOLDER`]: folder },
          signal: run.signal,
        });
        for (const { test, end, seconds } of outcomes)
          tests[test] = { passed: end === "passed", seconds, regions: entered(coverageFile(folder, test)) };
        run.onProgress(Object.keys(tests).length);
      }
      for (const file of run.sources.keys()) sandbox.restore(file);
      rmSync(folder, { recursive: true });
    }),
  );
  run.signal.throwIfAborted();
  return { of: run.of, tests };
}

function entered(file: string): number[] {
  if (!existsSync(file)) return [];
  const lines = readFileSync(file, "utf8").split("\n").filter(Boolean).map(Number);
  return [...new Set(lines)].toSorted((a, b) => a - b);
}

/**
 * The test files that enter a region, nearest first: the one that mirrors the source's path, those of its folder, those
 * of its part of the tree, then the others; among equals the quickest first. Tests that fail without mutants are left out.
 */
export function testsOf(file: string, region: number, coverage: Coverage): string[] {
  const mirror = file.replace(/^src\//, "test/").replace(/\.ts$/, ".test.ts");
  const part = mirror.split("/").slice(0, 2).join("/");
  const distance = (test: string) =>
    test === mirror ? 0 : dirname(test) === dirname(mirror) ? 1 : test.startsWith(`${part}/`) ? 2 : 3;
  return Object.entries(coverage.tests)
    .filter(([, { passed, regions }]) => passed && regions.includes(region))
    .toSorted(([a, x], [b, y]) => distance(a) - distance(b) || x.seconds - y.seconds || (a < b ? -1 : 1))
    .map(([test]) => test);
}

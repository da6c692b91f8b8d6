import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { basename, join } from "node:path";
import { afterAll, describe, expect, it } from "vitest";
import { ofThisTenth } from "../tenth.ts";
import { writeArchive } from "../operators/go-archive.ts";
import { healthyRuns } from "./healthy.ts";
import { diagnosesOf } from "./named-diagnoses.ts";

const scratch = mkdtempSync(join(tmpdir(), "ludoflow-test-"));
afterAll(() => rmSync(scratch, { recursive: true, force: true }));
const archive = join(scratch, "archive");
writeArchive(archive);
const runs = healthyRuns(archive).map((run, i) => ({
  ...run,
  name: `${basename(run.file)}, seed ${1 + (i % 2)}`,
}));

/** Runs that are diagnosed though they are healthy, by name: one at most. */
const FALSE_ALARMS: readonly string[] = [];

describe("the healthy runs", () => {
  it("are fifty or more, and one at most is diagnosed", () => {
    expect(runs.length).toBeGreaterThanOrEqual(50);
    expect(FALSE_ALARMS.length).toBeLessThanOrEqual(1);
    expect(runs.map(({ name }) => name)).toEqual(expect.arrayContaining([...FALSE_ALARMS]));
  });
});

describe.each(ofThisTenth(runs))("$name", ({ file, name, set }) => {
  it(FALSE_ALARMS.includes(name) ? "is diagnosed, a false alarm" : "is left alone", async () => {
    const told = await diagnosesOf(file, set);
    // What check says of a search is of the whole file, and not of how far it is reduced.
    const ofRun = told.filter(({ by }) => by === "run");
    expect(ofRun.length > 0, JSON.stringify(told, undefined, 1)).toBe(FALSE_ALARMS.includes(name));
  });
});

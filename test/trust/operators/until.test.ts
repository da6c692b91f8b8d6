import { cpSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { Effect } from "effect";
import { afterAll, describe, expect, it } from "vitest";
import { readMetrics, readState } from "../../../src/events/metrics-file.ts";
import { factsOfType } from "../../../src/events/run-state.ts";
import { metricsPath } from "../../../src/graph/folder/run-folder.ts";
import { openLocalThreads } from "../../../src/operators/play/local-threads.ts";
import type { HostOfRun } from "../../../src/graph/run-experiment.ts";
import { RunFiles } from "../../../src/operators/run/run-files.ts";
import { endedExperiment, resultsOf, resumeRun, startRun, writeExperiment } from "../../graph/tiny-run.ts";

const scratch = mkdtempSync(join(tmpdir(), "ludoflow-test-"));
afterAll(() => rmSync(scratch, { recursive: true, force: true }));
const place = (name: string) => join(scratch, name);

const GENERATION = 8;
const GAMES = 96;

describe("a run whose arena ends learning", () => {
  it("finishes with the version of the next round, says why, and does the same after a kill on other threads", async () => {
    const file = writeExperiment(scratch, endedExperiment, "ended.yaml");
    let left = true;
    const outcome = await startRun(file, place("whole"), ["workers=2"], {
      onEvent: (event) => {
        if (!left || event.type !== "progress" || event.stage !== "games" || event.done !== 35) return;
        left = false;
        cpSync(place("whole"), place("killed"), { recursive: true });
      },
    });
    expect(outcome).toEqual({ outcome: "finished" });
    const events = readMetrics(metricsPath(place("whole")));
    const notes = events.filter((event) => event.type === "note" && event.stage === "versions");
    const rated = factsOfType(readState(metricsPath(place("whole"))), "version-ratings");
    const deciding = rated.findIndex(({ until }) => until?.verdict === "no gain");
    // The round after the deciding one measures the last version; no round follows it.
    expect(deciding).toBe(rated.length - 2);
    const last = rated.at(-1)!.versions.at(-1)!.version;
    expect(notes).toHaveLength(1);
    expect(notes[0]).toMatchObject({
      message: expect.stringContaining(`ends with version ${last}:`) as string,
    });
    const games = new RunFiles(place("whole")).recordedGames("games").length;
    expect(games).toBe(GENERATION * last);
    expect(games).toBeLessThan(GAMES);
    expect(await resumeRun(place("killed"), { workers: 1 })).toEqual({ outcome: "finished" });
    expect(resultsOf(place("killed"))).toEqual(resultsOf(place("whole")));
    const again = readMetrics(metricsPath(place("killed")));
    const told = (all: typeof events) =>
      all
        .filter(({ type }) => type === "match" || type === "version-ratings" || type === "note")
        .map(({ seq: _seq, time: _time, elapsed: _elapsed, ...event }) => event);
    expect(told(again)).toEqual(told(events));
  });

  it("stops at once when it is interrupted while self-play waits for a verdict, and goes on as it would have", async () => {
    const file = writeExperiment(scratch, endedExperiment, "interrupted.yaml");
    // The games of the arena never end in this part of the run.
    const hostOf: HostOfRun = () => (opened, env) =>
      Effect.map(openLocalThreads(opened, env), (host) => ({
        ...host,
        play: (task, retries) => (task.stage === "versions" ? Effect.never : host.play(task, retries)),
      }));
    const outcome = await startRun(file, place("interrupted"), [], {
      hostOf,
      onEvent: (event, stop) => {
        const { waitsFor } = event.type === "pace" && event.stage === "games" ? event : {};
        if (waitsFor?.startsWith("the arena") === true) stop.request();
      },
    });
    expect(outcome).toEqual({ outcome: "interrupted" });
    expect(await resumeRun(place("interrupted"))).toEqual({ outcome: "finished" });
    expect(resultsOf(place("interrupted"))).toEqual(resultsOf(place("whole")));
  });
});

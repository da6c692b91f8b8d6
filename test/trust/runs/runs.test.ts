import { fork } from "node:child_process";
import { once } from "node:events";
import { cpSync, existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout } from "node:timers/promises";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { checkpointsPath } from "../../../src/operators/run/run-files.ts";
import { listCheckpoints } from "../../../src/operators/run/weights/checkpoint-files.ts";
import { readMetrics } from "../../../src/events/metrics-file.ts";
import { metricsPath } from "../../../src/graph/folder/run-folder.ts";
import { bin, eventsIn, ludoflow } from "../../cli/run-cli.ts";
import {
  resultsOf,
  startRun,
  tablesExperiment,
  trainingExperiment,
  writeExperiment,
} from "../../graph/tiny-run.ts";

const scratch = mkdtempSync(join(tmpdir(), "ludoflow-test-"));
afterAll(() => rmSync(scratch, { recursive: true, force: true }));
const place = (name: string) => join(scratch, name);
const training = writeExperiment(scratch, trainingExperiment, "training.yaml");
const tables = writeExperiment(scratch, tablesExperiment, "tables.yaml");
const ran = (...args: string[]) => ludoflow(args, scratch).ended;

/** A finished run of each experiment, to compare with. */
let results: Record<string, string> = {};
beforeAll(async () => {
  expect(await startRun(training, place("unbroken"))).toEqual({ outcome: "finished" });
  results = resultsOf(place("unbroken"));
  expect(await startRun(tables, place("tables-run"))).toEqual({ outcome: "finished" });
});

describe("a run in a process of its own", () => {
  it("interrupted by Ctrl-C finishes its step, saves, says how to continue; resumed it ends in the same bytes", async () => {
    const own = writeExperiment(scratch, trainingExperiment, "own.yaml");
    const command = ludoflow(["run", "own.yaml", "--out", "interrupted", "--json"], scratch);
    await command.event(({ type }) => type === "training");
    command.process.kill("SIGINT");
    const { code, out, err } = await command.ended;
    expect(err).toContain("finishing the running step and saving; press Ctrl-C again to stop at once");
    expect(err).toMatch(/interrupted; everything is saved\. Continue with: ludoflow resume interrupted\n$/);
    expect(code).toBe(130);
    const events = eventsIn(out);
    expect(events[0]).toMatchObject({ type: "run-started", name: "tiny-training", seed: 11, resumed: false });
    expect(events.at(-1)).toMatchObject({ type: "run-ended", outcome: "interrupted" });
    expect(existsSync(place("interrupted/report.html"))).toBe(true);

    writeFileSync(own, trainingExperiment.replace("rate: 0.01", "rate: 0.02"));
    const refused = await ran("resume", "interrupted");
    expect(refused.code).toBe(2);
    expect(refused.err).toMatch(
      /own\.yaml has been changed since this run began: it began with "rate: 0\.01", now it says "rate: 0\.02"/,
    );
    expect(refused.err).toContain("ludoflow resume interrupted --as-started");
    const resumed = await ran("resume", "interrupted", "--as-started", "--workers", "2");
    expect(resumed.err).toMatch(/resumed, seed 11, 2 worker threads/);
    expect([resumed.code, resumed.out]).toEqual([0, "done. Report: interrupted/report.html\n"]);
    expect(resultsOf(place("interrupted"))).toEqual(results);
  });

  it("has nothing to continue when it has finished; what is damaged is reported when its report is written", async () => {
    cpSync(place("unbroken"), place("finished"), { recursive: true });
    const log = place("finished/games/curve.games");
    const games = readFileSync(log);
    games[30]! ^= 1;
    writeFileSync(log, games);
    const { code, err } = await ran("resume", "finished");
    expect(code).toBe(0);
    expect(err).toContain("finished: damaged, and left out of the report: games/curve.games is damaged");
    expect(err).toContain(
      "this run has finished, there is nothing to continue. Report: finished/report.html",
    );
  });

  /** Learning that would take days. */
  const endless = ["--set", "graph.games.games=1000000"];
  /** The steps after which the last checkpoint was saved. */
  const saved = (run: string) => listCheckpoints(checkpointsPath(place(run), "value")).at(-1)!.learned;
  /** A run that is resumed until it has saved more than before, and then is asked to end. */
  const goesOn = async (run: string) => {
    const before = saved(run);
    const command = ludoflow(["resume", run], scratch);
    await expect.poll(() => saved(run), { timeout: 120_000 }).toBeGreaterThan(before);
    command.process.kill("SIGTERM");
    expect((await command.ended).code).toBe(130);
  };

  it("ended by SIGTERM saves, says how to continue, and continues from there", async () => {
    const command = ludoflow(["run", "training.yaml", "--out", "terminated", ...endless], scratch);
    await command.said("curve: after");
    command.process.kill("SIGTERM");
    const { code, err } = await command.ended;
    expect(err).toContain("SIGTERM: finishing the running step and saving; a second signal stops at once");
    expect(err).toMatch(/interrupted; everything is saved\. Continue with: ludoflow resume terminated\n$/);
    expect(code).toBe(130);
    expect(saved("terminated")).toBeGreaterThan(0);
    expect(existsSync(place("terminated/report.html"))).toBe(true);
    expect(readMetrics(metricsPath(place("terminated"))).at(-1)).toMatchObject({
      type: "run-ended",
      outcome: "interrupted",
    });
    await goesOn("terminated");
  });

  it("ends in the time of --for with a checkpoint, and continues from there", async () => {
    const { code, err } = await ran("run", "training.yaml", "--out", "timed", "--for", "40s", ...endless);
    expect(err).toContain("the time of --for 40s is nearly over: finishing the running step and saving");
    expect(err).toMatch(/everything is saved\. Continue with: ludoflow resume timed --for 40s\n$/);
    expect(code).toBe(130);
    expect(saved("timed")).toBeGreaterThan(0);
    expect(existsSync(place("timed/report.html"))).toBe(true);
    await goesOn("timed");
  });

  it("saves whole checkpoints if a kill has left parts of some", async () => {
    const part = place("parts/checkpoints/value/0000000072");
    expect(
      await startRun(training, place("parts"), [], {
        onEvent: ({ type }) => {
          if (type === "run-started") mkdirSync(part, { recursive: true });
        },
      }),
    ).toEqual({ outcome: "finished" });
    expect(resultsOf(place("parts"))).toEqual(results);
  });

  it("finishes when nobody reads its events any more", async () => {
    const command = ludoflow(["run", "tables.yaml", "--out", "unread", "--json"], scratch);
    await command.event(({ type }) => type === "run-started");
    command.process.stdout.destroy();
    const { code, err } = await command.ended;
    expect(err).not.toMatch(/EPIPE/);
    expect(code).toBe(0);
    expect(resultsOf(place("unread"))).toEqual(resultsOf(place("tables-run")));
  });

  it("stops at once at the second Ctrl-C", async () => {
    const slow = [
      "nets.value.hidden=[512, 512]",
      "graph.replay.capacity=65536",
      "graph.weights.batch=65536",
      "graph.weights.steps=1000",
    ].flatMap((change) => ["--set", change]);
    const command = ludoflow(["run", "training.yaml", "--out", "stopped", "--json", ...slow], scratch);
    await command.event((event) => event.type === "games" && event.done >= 10);
    command.process.kill("SIGINT");
    await command.said("press Ctrl-C again");
    // The launcher and the caller that ends both may send one and the same signal.
    command.process.kill("SIGINT");
    await setTimeout(600);
    expect(command.process.exitCode ?? command.process.signalCode).toBeNull();
    command.process.kill("SIGINT");
    const { code, signal, err } = await command.ended;
    // A shell reports this as 130.
    expect([code, signal]).toEqual([null, "SIGINT"]);
    expect(err).not.toMatch(/everything is saved|terminate called/);
  });

  it("dies with the older Node that has launched it, and can be resumed at once", async () => {
    const launched = fork(bin, ["run", "training.yaml", "--out", "orphaned"], {
      cwd: scratch,
      env: { ...process.env, LUDOFLOW_LAUNCHED: String(process.pid) },
      stdio: ["ignore", "ignore", "ignore", "ipc"],
    });
    const ended = once(launched, "exit");
    const begun = place("orphaned/metrics.jsonl");
    while (!existsSync(begun) || !readFileSync(begun, "utf8").includes('"training"')) await setTimeout(20);
    // What the launched process sees of its launcher's end.
    launched.disconnect();
    const resumed = await ludoflow(["resume", "orphaned"], scratch).ended;
    expect(resumed.code).toBe(0);
    expect(await ended).toEqual([null, "SIGKILL"]);
    expect(resultsOf(place("orphaned"))).toEqual(results);
  });
});

import { createHash } from "node:crypto";
import { cpSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { checkCommand } from "../../../src/cli/commands/check.ts";
import { graphCommand } from "../../../src/cli/commands/graph.ts";
import { matchCommand } from "../../../src/cli/commands/match.ts";
import { operatorsCommand } from "../../../src/cli/commands/operators.ts";
import { refereeCommand } from "../../../src/cli/commands/referee.ts";
import { replayCommand } from "../../../src/cli/commands/replay.ts";
import { reportCommand } from "../../../src/cli/commands/report.ts";
import { resumeCommand } from "../../../src/cli/commands/resume.ts";
import { runCommand } from "../../../src/cli/commands/run.ts";
import {
  resultsOf,
  resumeRun,
  startRun,
  tablesExperiment,
  trainingExperiment,
  writeExperiment,
} from "../../graph/tiny-run.ts";
import { rewriteSealed } from "../../formats/rewrite-sealed.ts";
import { ludoflow, ludoflowKilled } from "../../cli/run-cli.ts";

const scratch = mkdtempSync(join(tmpdir(), "ludoflow-test-"));
afterAll(() => rmSync(scratch, { recursive: true, force: true }));
const place = (name: string) => join(scratch, name);
const training = writeExperiment(scratch, trainingExperiment, "training.yaml");
const tables = writeExperiment(scratch, tablesExperiment, "tables.yaml");

/** A finished run of each experiment, to compare with and to ask about. */
let results: Record<string, string> = {};
beforeAll(async () => {
  expect(await startRun(training, place("unbroken"))).toEqual({ outcome: "finished" });
  results = resultsOf(place("unbroken"));
  expect(await startRun(tables, place("tables-run"))).toEqual({ outcome: "finished" });
});

const ran = (...args: string[]) => ludoflow(args, scratch).ended;

describe("help", () => {
  it.each(
    [
      runCommand,
      matchCommand,
      resumeCommand,
      checkCommand,
      graphCommand,
      operatorsCommand,
      replayCommand,
      reportCommand,
      refereeCommand,
    ].map((command) => [command().name(), command] as const),
  )("of %s says what it does, with examples that name it", (name, command) => {
    let text = "";
    command()
      .configureOutput({ writeOut: (part) => (text += part) })
      .outputHelp();
    expect(text).toMatch(/^Usage: /);
    expect(text).toMatch(new RegExp(`Examples?:\\n(.*\\n)*? +.*ludoflow ${name}`));
    for (const option of command().options) expect(option.description).toMatch(/\w{3}/);
  });

  it("lists every command, and ends with exit code 0", async () => {
    const { code, out } = await ran("--help");
    expect(code).toBe(0);
    for (const name of [
      "run",
      "match",
      "resume",
      "check",
      "graph",
      "operators",
      "replay",
      "report",
      "bench",
      "referee",
    ])
      expect(out).toMatch(new RegExp(`^  ${name} `, "m"));
    expect(out).toMatch(/Exit codes: .*130/);
  });
});

describe("mistakes", () => {
  const mistakes: [string, readonly string[], RegExp][] = [
    ["an unknown command", ["rnu"], /unknown command 'rnu'/],
    ["an unknown flag", ["run", "training.yaml", "--sed", "3"], /unknown option '--sed'/],
    [
      "a number that is none",
      ["run", "training.yaml", "--workers", "many"],
      /--workers.* is invalid: expected a whole number from 1 to 1024\n\(ludoflow run --help lists/,
    ],
    [
      "a file that is missing",
      ["run", "none.yaml", "--out", "out"],
      /^none\.yaml: no such file "none\.yaml"/m,
    ],
    [
      "an experiment that is wrong",
      ["run", "training.yaml", "--out", "out", "--set", "graph.weights.batch=100"],
      /larger than the buffer/,
    ],
    [
      "a foreign checkpoint",
      [
        "run",
        "training.yaml",
        "--out",
        "out",
        "--set",
        "nets.value.weights=tables-run/checkpoints/value/0000000400",
      ],
      /learned on \{rules:2048,rows:2,columns:3\}, not on/,
    ],
    [
      "a damaged checkpoint",
      ["run", "training.yaml", "--out", "out", "--set", "nets.value.weights=damaged"],
      /is damaged \(the checksum differs\)/,
    ],
    [
      "a time of measuring without --cost",
      ["check", "training.yaml", "--for", "2m"],
      /--for is the time of measuring: use it with --cost/,
    ],
    [
      "a time of measuring that is none",
      ["check", "training.yaml", "--cost", "--for", "long"],
      /expected a duration/,
    ],
    ["a run that is none", ["resume", "nowhere"], /no such run "nowhere"/],
    [
      "a folder of the system's",
      ["run", "training.yaml", "--out", "/proc/out"],
      /cannot write \/proc\/out: nothing can be made in \/proc, which belongs to the system; choose another folder/,
    ],
    [
      "a manifest that is damaged",
      ["resume", "garbled"],
      /garbled\/manifest\.json is damaged: it is not JSON/,
    ],
    [
      "a folder in a file's place",
      ["report", "blocked"],
      /blocked\/metrics\.jsonl is a folder, not a file of events/,
    ],
    ["a folder without a name", ["run", "training.yaml", "--out", ""], /the folder of the run has no name/],
    [
      "a log of games that is damaged in the middle",
      ["replay", "hit", "--stage", "games", "--game", "50"],
      /hit\/games\/games\.games is damaged in the middle: record 2, at byte \d+, .* whole records follow/,
    ],
    [
      "a game that was not played",
      ["replay", "tables-run", "--stage", "curve", "--game", "999"],
      /there is no game 999/,
    ],
  ];

  beforeAll(() => {
    for (const copy of ["hit", "garbled", "blocked"])
      cpSync(place("unbroken"), place(copy), { recursive: true });
    writeFileSync(place("garbled/manifest.json"), Uint8Array.of(0x7b, 0xff, 0x00));
    rmSync(place("blocked/metrics.jsonl"));
    mkdirSync(place("blocked/metrics.jsonl"));
    const log = place("hit/games/games.games");
    const games = readFileSync(log);
    let at = 16;
    for (let record = 0; record < 2; record++) at += 8 + games.readUInt32LE(at);
    games[at + 12]! ^= 1;
    writeFileSync(log, games);
    cpSync(place("unbroken/checkpoints/value/0000000072"), place("damaged"), { recursive: true });
    const state = place("damaged/state.safetensors");
    const bytes = readFileSync(state);
    bytes[bytes.length - 3]! ^= 1;
    writeFileSync(state, bytes);
  });

  it.each(mistakes)(
    "%s: exit code 2 and a message, no stack trace, nothing written",
    async (_, args, message) => {
      const before = readdirSync(scratch).toSorted();
      const { code, out, err } = await ran(...args);
      expect(err).toMatch(message);
      expect(err).not.toMatch(/^\s+at .*:\d+:\d+\)?$/m);
      expect([code, out]).toEqual([2, ""]);
      expect(readdirSync(scratch).toSorted()).toEqual(before);
    },
  );
});

describe("the smaller commands", () => {
  it("check prints what is right on standard output, what is wrong on standard error", async () => {
    writeFileSync(place("wrong.yaml"), "extends: training.yaml\nspeed: 3\n");
    const { code, out, err } = await ran("check", "training.yaml", "wrong.yaml", "tables.yaml");
    expect(code).toBe(2);
    expect(out).toBe(
      "training.yaml: ok (tiny-training, 5 stages)\ntables.yaml: ok (tiny-tables, 3 stages)\n",
    );
    expect(err).toMatch(/^wrong\.yaml:2:1: speed: unknown key "speed"; did you mean "seed"\?.*\n$/);
  });

  it("graph prints the stages with their bounds, the threads and the weights' way back", async () => {
    const { code, out } = await ran("graph", "training.yaml");
    expect(code).toBe(0);
    expect(out).toMatch(/^flowchart LR\n/);
    expect(out).toContain("games: self-play");
    expect(out).toContain("at most 4 games under way or waiting to be read");
    expect(out).toContain("at most 60 examples");
    expect(out).toContain("1 thread plays games");
    expect(out).toMatch(/games -- "games, 1 at a time" --> replay/);
    expect(out).toMatch(/weights -\. "weights of value" \.-> games/);
    expect(out).toMatch(/_workers <-\. positions \.-> _evaluator_of_value/);
  });

  it("operators prints the catalogue, and one entry with all its settings", async () => {
    const [all, one] = await Promise.all([ran("operators"), ran("operators", "trainer", "--json")]);
    for (const name of ["2048", "n-tuple", "mc-softmax", "self-play", "batch-evaluator"])
      expect(all.out).toContain(name);
    const [entry] = JSON.parse(one.out) as [
      { name: string; options: { properties: object }; example: string },
    ];
    expect(entry.name).toBe("trainer");
    expect(Object.keys(entry.options.properties)).toEqual(
      expect.arrayContaining(["use", "from", "net", "batch"]),
    );
    const text = await ran("operators", "trainer");
    expect(text.out).toContain(
      "\n  batch (a whole number from 1 to 65,536, required)  Positions in a minibatch.\n",
    );
    expect([all.code, one.code, text.code]).toEqual([0, 0, 0]);
  });

  it("replay plays stored games again, from checkpoints and from the learner's own", async () => {
    const games: [string, string, string][] = [
      ["unbroken", "games", "25"],
      ["tables-run", "learn", "220"],
    ];
    const ends = await Promise.all(
      games.map(([run, stage, game]) => ran("replay", run, "--stage", stage, "--game", game)),
    );
    for (const [i, { code, out, err }] of ends.entries()) {
      expect(err).toBe("");
      expect(out).toMatch(
        new RegExp(`^${games[i]![1]} game ${games[i]![2]} .*: every move, value and draw is the same\n$`),
      );
      expect(code).toBe(0);
    }
  });

  it("replay follows games of an asynchronous schedule, says why, and still finds that draws differ", async () => {
    cpSync(place("tables-run"), place("other"), { recursive: true });
    const experiment = readFileSync(place("tables-run/experiment.yaml"), "utf8")
      .replace(/^seed: .*$/m, "seed: 99")
      .replace("schedule: synchronous", "schedule: asynchronous");
    writeFileSync(place("other/experiment.yaml"), experiment);
    const experimentSha256 = createHash("sha256").update(experiment).digest("hex");
    rewriteSealed(place("other/manifest.json"), (manifest) => ({ ...manifest, experimentSha256 }));
    const { code, out } = await ran("replay", "other", "--stage", "curve", "--game", "0");
    expect(out).toMatch(
      /: follows the record, since the schedule is asynchronous\. It ends because a draw or the length differs, at ply 0: chance \d+ in the record, \d+ now\n$/,
    );
    expect(code).toBe(1);
  });

  it("report writes the report again", async () => {
    const { code, out } = await ran("report", "tables-run");
    expect([code, out]).toEqual([0, "tables-run/report.html\n"]);
    expect(readFileSync(place("tables-run/report.html"), "utf8")).toContain("tiny-tables");
  });

  it("report writes those of several runs, and of all in a folder; one that cannot be written does not keep back the others", async () => {
    for (const name of ["blocked", "damaged", "first", "second"]) {
      cpSync(place("tables-run"), place(`several/${name}`), { recursive: true });
      rmSync(place(`several/${name}/report.html`), { force: true });
    }
    writeFileSync(place("several/damaged/manifest.json"), "{");
    mkdirSync(place("several/blocked/report.html"));
    const { code, err, out } = await ran("report", "several");
    expect([code, out]).toEqual([
      2,
      ["damaged", "first", "second"].map((name) => `several/${name}/report.html\n`).join(""),
    ]);
    expect(err).toMatch(/several\/blocked: .*report\.html/);
    expect(err).toMatch(/several\/damaged.*manifest\.json/);
    const both = await ran("report", "several/first", "several/second");
    expect([both.code, both.out]).toEqual([0, "several/first/report.html\nseveral/second/report.html\n"]);
  });
});

describe("a run", () => {
  it("that has finished is reported as such when it is resumed, with its report; nothing is recorded", async () => {
    const metrics = readFileSync(place("unbroken/metrics.jsonl"), "utf8");
    const { code, err } = await ran("resume", "unbroken");
    expect(err).toBe("this run has finished, there is nothing to continue. Report: unbroken/report.html\n");
    expect(code).toBe(0);
    expect(readFileSync(place("unbroken/metrics.jsonl"), "utf8")).toBe(metrics);
    expect(readFileSync(place("unbroken/report.html"), "utf8")).toContain("tiny-training");
  });

  it("killed -9 in the middle ends in the same bytes when it is resumed", async () => {
    await ludoflowKilled(["run", "training.yaml", "--out", "killed"], scratch, {
      file: "games/games.games",
      writes: 44,
    });
    expect(resultsOf(place("killed"))).not.toEqual(results);
    expect(await resumeRun(place("killed"))).toEqual({ outcome: "finished" });
    expect(resultsOf(place("killed"))).toEqual(results);
  });
});

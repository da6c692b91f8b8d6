import { cpSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { parquetReadObjects } from "hyparquet";
import { afterAll, describe, expect, it } from "vitest";
import type { AgentResult, RecordedEvent, RunEvent } from "../../../src/events/event.ts";
import { sealedJson } from "../../../src/formats/sealed-json.ts";
import { Random } from "../../../src/random.ts";
import { buildReport, writeReport } from "../../../src/report/report.ts";
import { meanEstimate } from "../../../src/stats/intervals.ts";
import { scratchFolder } from "../../formats/scratch-folder.ts";
import { agentResult, exampleEvents, timed, writeRun } from "../../report/example-run.ts";

function reportOf(events: readonly RecordedEvent[], folder = scratchFolder()) {
  writeRun(folder, events);
  return buildReport(folder);
}

/** The text that a reader sees, without tags. */
function textOf(html: string): string {
  return html
    .replaceAll(/<style>.*?<\/style>/gs, "")
    .replaceAll(/<[^>]*>/g, " ")
    .replaceAll(/\s+/g, " ");
}

const match = (stage: string, learned: number, agents: readonly AgentResult[]): RunEvent => ({
  type: "match",
  stage,
  learned,
  unit: "games",
  agents,
});

/** An agent's result with these scores and no facts. */
function scored(agent: string, returns: readonly number[]): AgentResult {
  const { value: mean, interval } = meanEstimate(returns);
  return { agent, games: returns.length, mean, interval, returns, facts: {} };
}

describe("the report of a run that learned", () => {
  const events = exampleEvents();
  const folder = mkdtempSync(join(tmpdir(), "ludoflow-test-"));
  const { html, tables } = reportOf(events, folder);
  afterAll(() => rmSync(folder, { recursive: true }));
  const table = (name: string) => tables.find((candidate) => candidate.name === name)!;

  it("says in its headline what was run and what came of it, with the interval", () => {
    const final = events.findLast((event) => event.type === "match")!;
    const [best, second] = final.agents.toSorted((a, b) => b.mean - a.mean) as [AgentResult, AgentResult];
    const rounded = (value: number) => Math.round(value).toLocaleString("en-US");
    const text = textOf(html);
    expect(text).toContain("After 12,000 games learned, mc-softmax had a mean score of");
    expect(text).toContain(
      `${rounded(best.mean)} (95% interval ${rounded(best.interval[0])} to ${rounded(best.interval[1])})`,
    );
    const gain = meanEstimate(best.returns.map((score, i) => score - second.returns[i]!));
    expect(text).toContain(
      `${rounded(gain.value)} (95% interval ${rounded(gain.interval[0])} to ${rounded(gain.interval[1])}) more than expectimax-1 in the same games`,
    );
  });

  it("has every section, each figure drawn for wide and for narrow screens with title and description", () => {
    const headings = [...html.matchAll(/<h2>(.*?)<\/h2>/g)].map(([, heading]) => heading);
    expect(headings).toEqual([
      "Learning curve",
      "Comparison of agents",
      "Distributions in the last match",
      "Training",
      "Values against scores",
      "Course of the run",
      "Settings and versions",
      "Data",
    ]);
    const figures = html.split("<figure ").length - 1;
    expect(figures).toBe(9);
    expect(html.match(/<svg [^>]*role="img" aria-labelledby="(\S+) (\S+)"/g)?.length).toBe(2 * figures);
    for (const [, title, description] of html.matchAll(/aria-labelledby="(\S+) (\S+)"/g)) {
      expect(html).toContain(`<title id="${title}">`);
      expect(html).toContain(`<desc id="${description}">`);
    }
    const ids = [...html.matchAll(/ id="([^"]+)"/g)].map(([, id]) => id);
    expect(new Set(ids).size).toBe(ids.length);
  });

  it("is whole in itself: no script, nothing fetched, no number that could not be drawn", () => {
    expect(html).not.toMatch(/<script|<link|<img|@import|url\(|https?:/);
    expect(html).not.toMatch(/NaN|Infinity|undefined|\[object/);
  });

  it("has tables that scroll within frames that keys reach, under titles that stay", () => {
    const frames = html.match(/<p class="title">[^<]+<\/p><div class="table" role="group" tabindex="0"/g)!;
    expect(frames).toHaveLength(html.split("<table><thead>").length - 1);
    // Shadows at the edges show that there is more.
    expect(html).toMatch(
      /\.table \{ overflow-x: auto;[^}]*background-attachment: local, local, scroll, scroll/,
    );
  });

  it("nests its elements rightly", () => {
    const open: string[] = [];
    const body = html.replace(/<style>.*?<\/style>/s, "");
    for (const [, closing, name, rest] of body.matchAll(/<(\/?)([a-z0-9]+)((?:"[^"]*"|[^">])*)>/gi)) {
      if (closing === "/") expect(open.pop()).toBe(name);
      else if (!rest!.endsWith("/") && name !== "meta") open.push(name!);
    }
    expect(open).toEqual([]);
  });

  it("gives the curve's figures as recorded", () => {
    const expected = events
      .filter((event) => event.type === "match")
      .flatMap(({ stage, learned, agents }) =>
        agents.map(({ agent, games, mean, interval }) => [
          stage,
          learned,
          "games",
          agent,
          games,
          mean,
          ...interval,
        ]),
      );
    expect(table("match-results").rows).toEqual(expected);
  });

  it("counts how many games reached each value of a fact", () => {
    const rows = table("fact-values").rows.filter(([, , agent]) => agent === "greedy");
    const { facts, games } = events
      .findLast((event) => event.type === "match")!
      .agents.find(({ agent }) => agent === "greedy")!;
    for (const [, , , tile, exactly, atLeast, share, low, high] of rows) {
      expect(exactly).toBe(facts["maxTile"]!.filter((value) => value === tile).length);
      expect(atLeast).toBe(facts["maxTile"]!.filter((value) => value >= (tile as number)).length);
      expect(share).toBe((atLeast as number) / games);
      expect(low).toBeLessThanOrEqual(share as number);
      expect(high).toBeGreaterThanOrEqual(share as number);
    }
    expect(rows.reduce((sum, [, , , , exactly]) => sum + (exactly as number), 0)).toBe(games);
  });

  it("puts every game of the last match into one bin and into the table of games", () => {
    const counts = table("histograms").rows.filter(
      ([, figure, agent]) => figure === "score" && agent === "greedy",
    );
    expect(counts.reduce((sum, [, , , , , games]) => sum + (games as number), 0)).toBe(500);
    expect(table("last-match-games").rows.length).toBe(1500);
  });
});

describe("reports of other runs", () => {
  it("have only the sections there is data for", () => {
    const started = {
      type: "run-started",
      name: "r",
      seed: 1,
      workers: 1,
      resumed: false,
      compute: "",
    } as const;
    const { html, tables } = reportOf([timed(0, started)]);
    expect(textOf(html)).toContain("Nothing was measured yet.");
    expect([...html.matchAll(/<h2>(.*?)<\/h2>/g)].map(([, heading]) => heading)).toEqual([
      "Settings and versions",
      "Data",
    ]);
    expect(tables.map(({ name }) => name)).toEqual(["run", "settings"]);
    expect(reportOf([]).html).toContain("Nothing was measured yet.");
  });

  it("give the training games' mean if no match was played", () => {
    const game = {
      type: "games",
      stage: "learner",
      done: 500,
      count: 100,
      mean: 1234.5,
      min: 1,
      max: 9,
      plies: 7,
    } as const;
    const { html } = reportOf([timed(1, { ...game, done: 400, mean: 2 }), timed(2, game)]);
    expect(textOf(html)).toContain("The last 200 of 500 games of learner had a score between 1 and 9");
    // Of three groups of games on, the mean has an interval: 2, 3 and 4 have the deviation 1, and t(2) is 4.303.
    const means = [2, 3, 4].map((mean, i) => timed(1 + i, { ...game, done: 300 + 100 * i, mean }));
    expect(textOf(reportOf(means).html)).toContain(
      "The last 300 of 500 games of learner had a mean score of 3.0 (95% interval 0.5 to 5.5)",
    );
    expect(html).toContain('id="games-learner"');
  });

  it("say so if one game gives no interval, and if a gain may be chance", () => {
    const one = reportOf([timed(1, match("m", 0, [scored("solo", [7])]))]);
    expect(textOf(one.html)).toContain("solo had a mean score of 7 (no interval) in one game");
    expect(one.html).not.toMatch(/NaN|Infinity/);
    const close = reportOf([timed(1, match("m", 0, [scored("a", [1, 2, 3]), scored("b", [2, 1, 2])]))]);
    expect(textOf(close.html)).toContain("the interval of the gain contains zero");
  });

  it("compare agents without pairing if they played different numbers of games", () => {
    const { html, tables } = reportOf([
      timed(1, match("m", 0, [scored("a", [5, 6, 7]), scored("b", [1, 2])])),
    ]);
    expect(textOf(html)).toContain("ahead of b with 1.5");
    expect(tables.map(({ name }) => name)).not.toContain("paired-gains");
  });

  it("leave out agents that played no game", () => {
    const idle = { agent: "idle", games: 0, mean: 0, interval: [0, 0], returns: [], facts: {} } as const;
    const { html } = reportOf([timed(1, match("m", 3, [scored("a", [5, 6]), idle]))]);
    expect(html).not.toContain("idle");
  });

  it("survive figures that are no numbers", () => {
    const step = {
      type: "training",
      stage: "w",
      step: 1,
      loss: NaN,
      parts: { value: Infinity },
      rate: 0,
    } as const;
    const drift = {
      type: "value-drift",
      stage: "w",
      learned: 1,
      startValue: 1,
      meanReturn: 0,
      ratio: Infinity,
    } as const;
    const { html } = reportOf([
      timed(1, step),
      timed(2, { ...step, step: 2, rate: 0.1 }),
      timed(3, drift),
      timed(4, { ...drift, learned: 2, ratio: -1 }),
      timed(5, match("m", 1, [scored("a", [0, 0, 0])])),
      timed(6, match("m", 2, [scored("a", [-5, 5e12])])),
    ]);
    expect(html).not.toMatch(/NaN|Infinity/);
  });

  it("draw very long runs in little space", () => {
    const step = { type: "training", stage: "w", loss: 1, parts: {} } as const;
    const events = Array.from({ length: 150_000 }, (_, i) =>
      timed(i, { ...step, step: i, rate: 1 / (i + 1) }),
    );
    const folder = scratchFolder();
    writeFileSync(
      join(folder, "metrics.jsonl"),
      events.map((event) => `${JSON.stringify(event)}\n`).join(""),
    );
    const { html, tables } = buildReport(folder);
    expect(html.length).toBeLessThan(150_000);
    expect(tables[0]!.rows.length).toBe(150_000);
  });

  it("show everything in the files as text", () => {
    const evil = `</title><script>alert("1")</script>'&`;
    const agent = { ...agentResult(evil, 20, 100, Random.named("evil")) };
    const events = [
      timed(0, { type: "run-started", name: evil, seed: 1, workers: 1, resumed: false, compute: evil }),
      timed(1, match(evil, 1, [{ ...agent, facts: { [evil]: agent.returns } }])),
      timed(2, match(evil, 2, [agent, { ...agent, agent: `${evil}2` }])),
      timed(3, { type: "training", stage: evil, step: 1, loss: 1, parts: { [evil]: 1, b: 2 }, rate: 1 }),
      timed(3, { type: "checkpoint", stage: evil, learned: 1, unit: "games", path: evil }),
      timed(4, { type: "note", level: "warning", message: evil, stage: evil }),
      timed(5, { type: "run-ended", outcome: "failed", message: evil }),
    ];
    const folder = scratchFolder();
    writeRun(folder, events);
    writeFileSync(join(folder, "experiment.yaml"), evil);
    const manifest = { format: "ludoflow run 2", name: evil, [evil]: { [evil]: [evil] } };
    writeFileSync(join(folder, "manifest.json"), sealedJson(manifest));
    const { damage, html } = buildReport(folder);
    expect(damage).toEqual([]);
    expect(html).not.toContain("<script");
    expect(html).toContain("&lt;script&gt;alert(&quot;1&quot;)&lt;/script&gt;&#39;&amp;");
    for (const [, target] of html.matchAll(/href="([^"]*)"/g)) expect(target).toMatch(/^(#|data\/)[\w.-]+$/);
  });
});

describe("the report of a damaged run", () => {
  /** Changes a file of the example run, and returns what its report says of the damage. */
  const damaged = (name: string, change: (text: string) => string) => {
    const folder = scratchFolder();
    writeRun(folder, exampleEvents());
    const path = join(folder, name);
    const before = readFileSync(path, "utf8");
    const after = change(before);
    expect(after).not.toBe(before);
    writeFileSync(path, after);
    return buildReport(folder);
  };

  it("leaves out what is damaged, and says so", () => {
    const { damage, html } = damaged("metrics.jsonl", (text) => text.replace('"mean":', '"mean":1'));
    expect(damage).toEqual([
      expect.stringMatching(
        /^metrics\.jsonl has a line \d+ that does not match its checksum: it is damaged\. Put back a copy of the file$/,
      ),
    ]);
    expect(html).toContain("This run is damaged.");
    expect(html).toContain(damage[0]);
  });

  it("does without a damaged manifest", () => {
    const { damage, html } = damaged("manifest.json", (text) => text.replace("{", ""));
    expect(damage).toEqual([expect.stringMatching(/^manifest\.json is no JSON/)]);
    expect(html).toContain(damage[0]!.slice(0, 20));
    expect(html).not.toContain("AMD EPYC");
  });

  it("leaves out files in whose place a folder is, and names them", () => {
    const folder = scratchFolder();
    writeRun(folder, exampleEvents());
    const blocked = ["manifest.json", "experiment.yaml", "games/learn.games"];
    for (const name of blocked) {
      rmSync(join(folder, name), { force: true });
      mkdirSync(join(folder, name), { recursive: true });
    }
    const { damage } = buildReport(folder);
    const cannot = damage.filter((each) => each.endsWith("cannot be read: it is a folder"));
    expect(new Set(cannot.map((each) => each.split(" ")[0]))).toEqual(new Set(blocked));
  });

  it("is not written for a run of another format", () => {
    expect(() => damaged("manifest.json", (text) => text.replace("run 2", "run 9"))).toThrow(
      'is of the format "ludoflow run 9"',
    );
  });

  it("says nothing of a run from before there were checksums", () => {
    const { damage, html } = damaged("metrics.jsonl", (text) =>
      text.replace('"checksums":"CRC-32C",', "").replaceAll(/,"crc":"[0-9a-f]{8}"\}$/gm, "}"),
    );
    expect(damage).toEqual([]);
    expect(html).not.toContain("damaged");
  });
});

describe("writeReport", () => {
  it("writes the page and every table as CSV and Parquet, the same again from the same events", async () => {
    const folder = scratchFolder();
    writeRun(folder, exampleEvents());
    const path = writeReport(folder);
    expect(path).toBe(join(folder, "report.html"));
    const { figures, html, tables } = buildReport(folder);
    expect(readFileSync(path, "utf8")).toBe(html);
    const drawn = figures.map(({ id }) => `${id}.svg`).toSorted();
    expect(drawn.length).toBeGreaterThan(3);
    expect(readdirSync(join(folder, "figures")).toSorted()).toEqual(drawn);
    // A figure of an earlier report goes; a file of the user stays.
    cpSync(join(folder, "figures", drawn[0]!), join(folder, "figures", "earlier.svg"));
    writeFileSync(join(folder, "figures", "mine.svg"), "<svg/>");
    writeReport(folder);
    expect(readdirSync(join(folder, "figures")).toSorted()).toEqual([...drawn, "mine.svg"].toSorted());
    const expected = tables.flatMap(({ name }) => [`${name}.csv`, `${name}.parquet`]);
    const all = [...expected, "games.parquet", "game-facts.parquet"];
    expect(readdirSync(join(folder, "data")).sort()).toEqual(all.toSorted());
    for (const [, target] of html.matchAll(/href="data\/([^"]*)"/g)) expect(expected).toContain(target);

    const results = tables.find(({ name }) => name === "last-match")!;
    const csv = readFileSync(join(folder, "data", "last-match.csv"), "utf8").split("\r\n");
    expect(csv[0]).toBe("experiment,run,seed,stage,agent,games,mean,low,high,ms a move");
    expect(csv.length).toBe(results.rows.length + 2);
    const file = new Uint8Array(readFileSync(join(folder, "data", "last-match.parquet"))).buffer;
    expect((await parquetReadObjects({ file })).map(({ agent, mean }) => [agent, mean])).toEqual(
      results.rows.map(([, agent, , mean]) => [agent, mean]),
    );
  });
});

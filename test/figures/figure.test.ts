import { readdirSync, readFileSync } from "node:fs";
import { dirname, join, relative } from "node:path";
import { describe, expect, it } from "vitest";
import type { RunEvent } from "../../src/events/event.ts";
import { NARROW, WIDE } from "../../src/figures/charts/frame.ts";
import { drawFigure, type Figure, figureOf, figureText } from "../../src/figures/figure.ts";
import { ContestTally } from "../../src/operators/measuring/match/contest.ts";
import { buildReport } from "../../src/report/report.ts";
import { scratchFolder } from "../formats/scratch-folder.ts";
import { exampleEvents, timed, writeRun } from "../report/example-run.ts";

/** A match of three agents, one of which wins every game, and figures that are no numbers. */
function more(): RunEvent[] {
  const agents = ["one", "two", "three"];
  const tally = new ContestTally(agents, 2);
  for (let game = 0; game < 12; game++)
    tally.add(
      {
        seats: [agents[game % 2]!, agents[2 - (game % 2)]!],
        returns: [1, 0],
        actions: Int32Array.of(game),
      },
      game,
    );
  const contest = { ...tally.contest, failures: [] };
  const results = agents.map((agent) => ({
    agent,
    games: 8,
    mean: 0.5,
    interval: [0, 1] as const,
    returns: [0, 0, 1, 1, 1, 0, 0, 1],
    facts: {},
  }));
  const step = { type: "training", stage: "weights", parts: {}, rate: 1 } as const;
  return [
    { type: "match", stage: "round-robin", learned: 12_000, unit: "games", agents: results, contest },
    { ...step, step: 70_000, loss: NaN },
    { ...step, step: 70_001, loss: 2 },
    {
      type: "match",
      stage: "lone",
      learned: 0,
      unit: "games",
      agents: [
        { agent: "lone", games: 1, mean: 5, interval: [-Infinity, Infinity], returns: [5], facts: {} },
        { agent: "pair", games: 2, mean: 7, interval: [-5, 19], returns: [6, 8], facts: {} },
      ],
    },
  ];
}

function figures(): { readonly all: readonly Figure[]; readonly html: string } {
  const folder = scratchFolder();
  writeRun(folder, [...exampleEvents(), ...more().map((event) => timed(9000, event))]);
  const { figures: all, html } = buildReport(folder);
  return { all, html };
}

describe("the figures of a report", () => {
  it("are data: sent as text, another page draws them point for point", () => {
    const { all, html } = figures();
    expect(all.length).toBe(html.split("<figure ").length - 1);
    expect(new Set(all.map(({ chart }) => chart.kind)).size).toBeGreaterThanOrEqual(5);
    for (const figure of all) {
      const sent = figureOf(figureText(figure));
      for (const width of [WIDE, NARROW]) {
        const own = drawFigure(figure, width, figure.id).text;
        expect(own).toMatch(/^<svg .*<\/svg>$/s);
        expect(drawFigure(sent, width, figure.id).text, figure.id).toBe(own);
        expect(html).toContain(drawFigure(figure, width, `${figure.id}-${width === WIDE ? "w" : "n"}`).text);
      }
      expect(sent.table).toEqual(JSON.parse(JSON.stringify(figure.table)));
    }
  });
});

describe("the room of figures", () => {
  it("runs in a browser too: nothing that it loads needs Node.js or a document", () => {
    const source = join(import.meta.dirname, "../../src");
    const seen = new Set<string>();
    const load = (path: string): void => {
      if (seen.has(path)) return;
      seen.add(path);
      const text = readFileSync(path, "utf8");
      expect(text, path).not.toMatch(/\b(document|window|process|Buffer)\./);
      for (const [, target] of text.matchAll(/^import (?!type )[^;]*?from "([^"]+)";/gms)) {
        expect(target, `${relative(source, path)} loads ${target}`).toMatch(/^\./);
        load(join(dirname(path), target!));
      }
    };
    const folder = join(source, "figures");
    for (const file of readdirSync(folder, { recursive: true, encoding: "utf8" }))
      if (file.endsWith(".ts")) load(join(folder, file));
    expect(seen.size).toBeGreaterThan(12);
  });
});

import { existsSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, describe, expect, it } from "vitest";
import { encodeGameAnalysis } from "../../../src/formats/game-analyses.ts";
import { encodeGameRecord } from "../../../src/formats/game-records.ts";
import type { GridBoard } from "../../../src/figures/boards/board.ts";
import { drawBoard } from "../../../src/figures/boards/draw-board.ts";
import { openGame } from "../../../src/games/registry.ts";
import { RunFiles } from "../../../src/operators/run/run-files.ts";
import { buildReport, writeReport } from "../../../src/report/report.ts";
import { scratchFolder } from "../../formats/scratch-folder.ts";

/** Seat 0 takes the top row; the first move is an opening. */
const actions = Int32Array.of(0, 3, 1, 4, 2);

/** A run's folder with analysed games, all alike, numbered from 0, of these generations. */
function folderWith(
  generations: readonly number[],
  {
    folder = scratchFolder(),
    rules = "tic-tac-toe",
    silent = [],
  }: { folder?: string; rules?: string; silent?: readonly number[] } = {},
): string {
  const event = { type: "match", stage: "duel", learned: 40, unit: "steps", agents: [] };
  writeFileSync(
    join(folder, "metrics.jsonl"),
    `${JSON.stringify({ ...event, time: "2026-01-01T00:00:00Z", elapsed: 1 })}\n`,
  );
  writeFileSync(
    join(folder, "experiment.yaml"),
    `game: { rules: ${rules} }\nnets: {}\nagents: {}\ngraph: { duel: { use: arena } }\n`,
  );
  const files = new RunFiles(folder);
  for (const [game, generation] of generations.entries()) {
    files.appendAnalysis(
      "duel",
      encodeGameAnalysis({
        game,
        tops: [10],
        decisions: [1, 2, 3, 4].map((ply) => ({
          ply,
          seat: ply % 2,
          action: actions[ply]!,
          legal: 9 - ply,
          visits: silent.includes(ply % 2) ? 0 : 20,
          values: silent.includes(ply % 2) ? [0, 0] : [0.75, 0.25],
          ...(ply % 2 === 0 && silent.length === 0
            ? { opinion: { values: [0.5, 0.5], entropy: 1.5, rank: 2, shares: [1] } }
            : {}),
          moves: [
            { action: 8, visits: 12, prior: ply % 2 === 0 ? 0.5 : NaN, value: 0.5 },
            { action: actions[ply]!, visits: 8, prior: ply % 2 === 0 ? 0.25 : NaN, value: 0.125 },
          ],
        })),
      }),
    );
    files.appendGame(
      "duel",
      encodeGameRecord({
        game,
        generation,
        seats: ["zero <1>", "uct"],
        actions,
        values: new Float64Array(8),
        returns: [1, 0],
        facts: {},
      }),
    );
  }
  files.close();
  return folder;
}

const textOf = (html: string) =>
  html
    .replaceAll(/<style>.*?<\/style>/gs, "")
    .replaceAll(/<[^>]*>/g, " ")
    .replaceAll(/\s+/g, " ");

describe("pages of games", () => {
  const folder = mkdtempSync(join(tmpdir(), "ludoflow-test-"));
  afterAll(() => rmSync(folder, { recursive: true }));
  const { html, pages, tables } = buildReport(folderWith([0, 40, 40, 40], { folder }));
  const page = pages[0]!.html;
  const text = textOf(page);

  it("are made of the newest round's first games, and linked from the report", () => {
    expect(pages.map(({ path }) => path)).toEqual(["game-pages/duel-1.html", "game-pages/duel-2.html"]);
    for (const { path } of pages) expect(html).toContain(`href="${path}"`);
    expect(textOf(html)).toContain("seat 1 (zero &lt;1&gt;) won, 5 plies; played after 40 steps learned");
  });

  it("show every ply: the board after it, the player that moved, the moves of the search", () => {
    expect(page.match(/<input type="radio" name="ply"/g)).toHaveLength(5);
    expect(page.match(/<article /g)).toHaveLength(5);
    const game = openGame("tic-tac-toe");
    const state = game.initial();
    for (const action of actions) {
      game.play(state, action);
      // The cell of the move is marked.
      const board = { ...(game.drawing.board!(state) as GridBoard), last: [action] };
      expect(page).toContain(drawBoard(board, 470).text.replace(/ xmlns="[^"]*"/, ""));
    }
    expect(text).toContain("A move of the opening: given, not searched.");
    expect(text).toContain(
      "7 legal moves , 20 simulations . The net ranks it 2nd likeliest; entropy 1.50 nats."
        .replaceAll(" ,", ",")
        .replaceAll(" .", "."),
    );
    expect(text).toMatch(/c1 12 50\.0% 50\.0% b3 8 25\.0% 12\.5%/);
    expect(text).toMatch(/c1 12 – 50\.0%/);
    expect(text).toMatch(/by the search 75\.0% 25\.0% by the net alone 50\.0% 50\.0%/);
  });

  it("run no script, fetch nothing, and nest rightly", () => {
    for (const each of [page, html]) {
      expect(each).not.toMatch(/<script|<link|<img|@import|url\(|https?:/);
      expect(each).not.toMatch(/NaN|Infinity|undefined|\[object/);
      const open: string[] = [];
      const body = each.replace(/<style>.*?<\/style>/s, "");
      for (const [, closing, name, rest] of body.matchAll(/<(\/?)([a-z0-9]+)((?:"[^"]*"|[^">])*)>/gi)) {
        if (closing === "/") expect(open.pop()).toBe(name);
        else if (!rest!.endsWith("/") && name !== "meta" && name !== "input") open.push(name!);
      }
      expect(open).toEqual([]);
    }
    const ids = [...page.matchAll(/ id="([^"]+)"/g)].map(([, id]) => id);
    expect(new Set(ids).size).toBe(ids.length);
  });

  it("come with a table of the moves of the search", () => {
    const table = tables.find(({ name }) => name === "game-moves")!;
    expect(table.rows).toHaveLength(2 * 4 * 2);
    expect(table.rows[2]).toEqual(["duel", 1, 3, 1, "zero <1>", 7, "c1", 0, 12, 0.5, 0.5]);
    expect(table.rows[0]!.slice(-3)).toEqual([12, null, 0.5]);
  });

  it("are written beside the report", () => {
    const written = folderWith([0]);
    writeReport(written);
    expect(existsSync(join(written, "game-pages", "duel-0.html"))).toBe(true);
  });

  it("draw and list nothing of players that give no values", () => {
    const one = buildReport(folderWith([0], { silent: [1] })).pages[0]!.html;
    const course = textOf(one.match(/<figure id="course">.*?<\/figure>/s)![0]);
    expect(course).toContain("seat 1 (zero &lt;1&gt;) at 3: 75.0%");
    expect(course).not.toContain("uct");
    expect(course).toContain(
      "Expected share of the win of seat 1 (zero &lt;1&gt;), by the search of zero &lt;1&gt; at its own decisions",
    );
    expect(textOf(one)).toContain("8 legal moves. uct gives no values.");
    expect(one.match(/<table class="moves">/g)).toHaveLength(2);
    const none = buildReport(folderWith([0], { silent: [0, 1] })).pages[0]!.html;
    expect(none).not.toMatch(/<figure|<table/);
  });

  it("are left out if the game is unknown", () => {
    expect(buildReport(folderWith([0], { rules: "no-such-game" })).pages).toEqual([]);
  });
});

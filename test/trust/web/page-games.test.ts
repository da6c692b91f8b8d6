import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import type { GameView, PositionShown } from "../../../src/web/views/game-views.ts";
import { BROWSER, ended, findings, noBrowser, PageSite } from "./page-site.ts";

/** A busy machine takes its time. */
const SLOW = { timeout: 60_000 };

/** Runs of a match of two searches. */
const match = (name: string, game: string, use: string, games: number, analyse: number) => `name: ${name}
seed: 7
game: ${game}
agents:
  strong: { use: ${use}, simulations: 24 }
  quick: { use: ${use}, simulations: 6 }
graph:
  match: { use: arena, agents: [strong, quick], games: ${games}${analyse > 0 ? `, analyse: ${analyse}` : ""} }
`;

describe(`the pages of games in ${BROWSER}`, () => {
  let site: PageSite;
  beforeAll(async () => {
    if (noBrowser) return;
    site = new PageSite();
    const files = {
      duo: match("duo", "{ rules: blokus-duo }", "uct", 2, 2),
      four: match("four", "{ rules: connect-four }", "uct", 110, 0),
      cards: match("cards", "{ rules: daihinmin }", "flat-monte-carlo", 1, 1),
    };
    for (const [name, text] of Object.entries(files)) {
      writeFileSync(join(site.folder, `${name}.yaml`), text);
      expect(await ended(site.start("run", `${name}.yaml`, "--out", `runs/${name}/A`))).toBe(0);
    }
    const sets = ["learn.games=200", "learn.every=200", "curve.games=2", "gain.games=1"];
    const args = sets.flatMap((each) => ["--set", `graph.${each}`]);
    expect(await ended(site.start("run", "quickstart", ...args, "--out", "runs/quickstart/A"))).toBe(0);
    await site.open();
    // Four runs, a build and a browser: on a busy machine they take minutes.
  }, 600_000);
  beforeEach((context) => site.before(context));
  afterAll(async () => {
    if (!noBrowser) await site.close();
  });

  it("lists all stored games, the newest first, and opens one", async () => {
    const { page, wrong } = await site.page("/runs/four/A/games");
    await page.waitForSelector(".game-line a");
    expect(await page.textContent(".games h2")).toContain("110 stored games of match");
    expect(await page.locator(".game-line a").first().textContent()).toBe("Game 109");
    // Rows that are not in sight are fetched as they scroll by.
    await page.evaluate(`document.querySelector(".game-rows").scrollTop = 1e6`);
    await page.getByText("Game 0", { exact: true }).click();
    await page.waitForSelector(".curve-slider");
    expect(new URL(page.url()).pathname).toBe("/runs/four/A/games/match/0");
    expect(wrong).toEqual([]);
  });

  it("keeps board and buttons in place through 100 steps with a held key, and the address follows", async () => {
    const { page, wrong } = await site.page("/runs/quickstart/A/games/curve/0?ply=3");
    const parts = [".board-canvas svg", ".game-controls", ".next-turning", ".move-list", ".curve-slider"];
    const boxes = () =>
      page.evaluate(
        `JSON.stringify(${JSON.stringify(parts)}.map((each) => document.querySelector(each).getBoundingClientRect()))`,
      );
    await page.waitForSelector(".board-canvas svg");
    await page.waitForTimeout(500);
    const before = await boxes();
    for (let i = 0; i < 100; i++) {
      await page.keyboard.down("ArrowRight");
      if (i % 10 === 9) expect(await boxes()).toBe(before);
    }
    await page.keyboard.up("ArrowRight");
    await expect.poll(() => page.textContent(".at-step-text"), SLOW).toContain("101 of");
    await expect.poll(() => new URL(page.url()).searchParams.get("ply"), SLOW).toBe("203");
    expect(wrong).toEqual([]);
  });

  it("opens the ply of a link, and goes to the turning points in the order of the game", async () => {
    const { page, wrong } = await site.page("/runs/duo/A/games/match/0?ply=7");
    await page.waitForSelector(".thought-sentence");
    expect(await page.textContent(".at-step-text")).toContain("7 of");
    expect(await page.textContent(".thought h2")).toContain("before ply 7");
    await page.keyboard.press("Home");
    const seen: number[] = [];
    for (let i = 0; i < 5 && (await page.locator(".next-turning").isEnabled()); i++) {
      await page.keyboard.press("m");
      seen.push(Number(/\d+/.exec((await page.textContent(".at-step-text"))!)![0]));
    }
    expect(seen.length).toBeGreaterThan(1);
    expect(seen).toEqual([...new Set(seen)].toSorted((a, b) => a - b));
    // Each is marked in the list, and the cost of the choice is separate from the rest.
    for (const mark of await page.locator(".moves .turn-mark").allTextContents())
      expect(mark).toMatch(/^(\?\?|\?|▼) −/);
    await page.waitForSelector(".drop");
    expect(await page.textContent(".drop")).toContain("chance, others, unforeseen");
    await page.keyboard.press("M");
    expect(await page.textContent(".at-step-text")).toContain(`${seen.at(-2)} of`);
    expect(wrong).toEqual([]);
  });

  it("lets a person play on from a position, in the seat that is to move; not if hands are hidden", async () => {
    const { page, wrong } = await site.page("/runs/duo/A/games/match/0?ply=8");
    await page.getByText("Play from here").click();
    await page.waitForSelector(".set-up");
    expect(await page.textContent(".notice")).toBe("The game continues at ply 8 of duo/A/match/0.");
    await page.locator(".set-up .main").click();
    await page.waitForSelector("text=Your move.", SLOW);
    const place = page.locator(".board-place");
    expect(await place.getAttribute("aria-label")).toContain("7 moves played. Your move.");
    // What was played before the game is not theirs to take back.
    expect(await page.getByText("Undo").isDisabled()).toBe(true);
    await page.goto(new URL("/runs/cards/A/games/match/0?ply=2", site.link).href);
    await page.waitForSelector(".export");
    expect(await page.getByText("Play from here").count()).toBe(0);
    const start = (body: unknown) =>
      page.evaluate(
        `fetch("/api/play/start", { method: "POST", headers: { "Content-Type": "application/json" }, body: ${JSON.stringify(JSON.stringify(body))} }).then((answer) => answer.json()).then(({ message }) => message)`,
      );
    const from = { game: "cards/A/match/0", ply: 3 };
    expect(await start({ player: "run:cards/A#strong", from })).toMatch(/hidden hands cannot continue/);
    expect(await start({ player: "run:duo/A#strong", from })).toMatch(/with other options/);
    expect(await start({ player: "run:cards/A#strong", from: { ...from, ply: 1e6 } })).toMatch(
      /has \d+ plies/,
    );
    expect(await start({ player: "run:cards/A#strong", from: { ...from, game: "../x/0" } })).toMatch(
      /no run/,
    );
    // Answers with a failure are printed in the console.
    expect(wrong.filter((each) => !each.includes("Failed to load resource"))).toEqual([]);
  });

  it("sends no card that the chosen seat has not seen", async () => {
    const { page } = await site.page("/runs/cards/A");
    const sent: string[] = [];
    page.on("response", (response) => {
      if (response.url().includes("/api/game"))
        void response.text().then(
          (text) => sent.push(text),
          () => {},
        );
    });
    await page.goto(new URL("/runs/cards/A/games/match/0?ply=60&seat=3", site.link).href);
    await page.waitForSelector(".board-canvas svg");
    await page.waitForTimeout(500);
    const positions = sent.flatMap((text) => {
      const { positions: shown } = JSON.parse(text) as { positions?: readonly PositionShown[] };
      return shown ?? [];
    });
    expect(positions.length).toBeGreaterThan(20);
    for (const { board, mover, thought } of positions) {
      if (board.kind !== "cards") throw new Error("the game has another board");
      expect(board.hands.map(({ cards }) => cards !== undefined)).toEqual([false, false, true, false, false]);
      if (mover !== 2) expect(thought).toBeUndefined();
    }
    const view = sent.map((text) => JSON.parse(text) as Partial<GameView>).find(({ curves }) => curves);
    expect(view!.curves!.every(({ seat }) => seat === 2)).toBe(true);
    await page.getByRole("button", { name: "All open" }).click();
    await expect.poll(() => page.locator(".board-canvas [data-card]").count(), SLOW).toBeGreaterThan(30);
  });

  it("lets an agent analyse a game whose thoughts were not kept", async () => {
    const { page, wrong } = await site.page("/runs/four/A/games/match/5?ply=4");
    await page.waitForSelector("text=What the players thought was not kept.");
    await page.selectOption("select", "quick");
    await page.getByRole("button", { name: "Analyse" }).click();
    await page.waitForSelector("text=has analysed all", { timeout: 60_000 });
    await page.waitForSelector(".thought-moves tbody tr");
    expect(await page.textContent(".thought h2")).toContain("What quick says");
    expect(wrong).toEqual([]);
  });

  it("shows another opinion as the analyst's, with its curve and marks, and the players' own again", async () => {
    const { page, wrong } = await site.page("/runs/duo/A/games/match/0?ply=7");
    await page.waitForSelector(".thought-sentence");
    const own = {
      line: await page.getAttribute(".curve .line[d]", "d"),
      sentence: await page.textContent(".thought-sentence"),
    };
    expect(await page.textContent(".thought h2")).toContain("What strong thought");
    await page.selectOption(".analyse select", "quick");
    await page.getByRole("button", { name: "Analyse" }).click();
    await page.waitForSelector("text=has analysed all", SLOW);
    expect(new URL(page.url()).searchParams.get("by")).toBe("quick");
    expect(await page.textContent(".thought h2")).toContain("What quick says");
    expect(await page.textContent(".thought-sentence")).toMatch(/^strong played .*; quick expects /);
    expect(await page.textContent(".curve-caption")).toContain("Expected by quick");
    expect(await page.getAttribute(".curve .line[d]", "d")).not.toBe(own.line);
    // A link to it shows it again.
    await page.reload();
    await page.waitForSelector(".thought-sentence");
    await expect.poll(() => page.textContent(".thought h2"), SLOW).toContain("What quick says");
    await page.getByRole("button", { name: "What the players thought" }).click();
    await expect.poll(() => page.textContent(".thought-sentence"), SLOW).toBe(own.sentence);
    expect(await page.textContent(".thought h2")).toContain("What strong thought");
    expect(await page.getAttribute(".curve .line[d]", "d")).toBe(own.line);
    expect(wrong).toEqual([]);
  });

  it("exports SGF, the record and an image", async () => {
    const { page } = await site.page("/runs/duo/A/games/match/0?ply=7");
    await page.click(".export summary");
    const files = await page.locator(".export a").evaluateAll((links) => links.map((each) => String(each)));
    const bodies = await Promise.all(files.map(async (each) => (await page.request.get(each)).text()));
    expect(bodies[0]).toMatch(/^\(;/);
    expect(JSON.parse(bodies[1]!)).toMatchObject({ stage: "match", game: 0, seats: ["strong", "quick"] });
    expect(bodies[2]).toMatch(/^<svg xmlns=[^]*<\/svg>$/);
  });

  it("shows the boards of the newest games on a run's overview", async () => {
    const { page, wrong } = await site.page("/runs/duo/A");
    await page.locator(".newest-boards svg").first().waitFor();
    await page.locator(".newest-boards a").first().click();
    await page.waitForSelector(".thought");
    expect(wrong).toEqual([]);
  });

  it("has nothing that axe finds, in either theme, and scrolls nowhere sideways", async () => {
    const paths = [
      "/runs/four/A/games",
      "/runs/duo/A/games/match/0?ply=12",
      "/runs/cards/A/games/match/0?ply=70",
      "/runs/quickstart/A/games/curve/0?ply=201",
    ];
    for (const theme of ["light", "dark"] as const)
      for (const path of paths) {
        const { page, wrong } = await site.page(path, { theme });
        await page.waitForSelector(path.endsWith("games") ? ".game-line a" : ".board-canvas svg");
        expect(await findings(page), `${path} ${theme}`).toEqual([]);
        expect(wrong).toEqual([]);
        for (const width of [390, 2560, 3840]) {
          await page.setViewportSize({ width, height: 900 });
          await page.waitForTimeout(200);
          const over = await page.evaluate(`document.documentElement.scrollWidth - window.innerWidth`);
          expect(over, `${path} at ${width}`).toBeLessThanOrEqual(0);
        }
        await page.context().close();
      }
  });
});

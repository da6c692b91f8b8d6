import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { games } from "../../../src/games/registry.ts";
import type { GameView } from "../../../src/web/views/game-views.ts";
import { BROWSER, ended, findings, noBrowser, PageSite } from "./page-site.ts";

/** A busy machine takes its time. */
const SLOW = { timeout: 60_000 };

/** A match that is stored with what the players thought; of one player alone in 2048. */
const experiment = (rules: string) => `name: a-${rules}
seed: 5
game: { rules: "${rules}"${rules === "go" ? ", size: 5, komi: 2.5" : ""} }
agents:
  one: { use: flat-monte-carlo, simulations: 6 }
  other: { use: random }
graph:
  match: { use: arena, agents: [${rules === "2048" ? "other" : "one, other"}], games: 2, analyse: 2 }
`;

describe(`stored games of all kinds in ${BROWSER}`, () => {
  let site: PageSite;
  beforeAll(async () => {
    if (noBrowser) return;
    site = new PageSite();
    await site.open();
  }, 600_000);
  beforeEach((context) => site.before(context));
  afterAll(async () => {
    if (!noBrowser) await site.close();
  });

  it("are of eight games", () => {
    expect(games.map(({ name }) => name).toSorted()).toEqual([
      "2048",
      "blokus",
      "blokus-duo",
      "connect-four",
      "daihinmin",
      "go",
      "othello",
      "tic-tac-toe",
    ]);
  });

  it.each(games.map(({ name }) => name))(
    "are shown ply by ply: %s",
    async (rules) => {
      writeFileSync(join(site.folder, `${rules}.yaml`), experiment(rules));
      expect(await ended(site.start("run", `${rules}.yaml`, "--out", `runs/${rules}/A`))).toBe(0);
      const { page, wrong } = await site.page("/play");
      const steps = (await page.evaluate(
        `fetch("/api/game/${rules}/A/match/0").then((answer) => answer.json()).then((game) => game.steps)`,
      )) as GameView["steps"];
      // Chance may have moved before the first decision.
      const first = steps[0]![0] + 1;
      await page.goto(new URL(`/runs/${rules}/A/games/match/0?ply=${first}`, site.link).href);
      const board = page.locator(".game-board .board-canvas svg");
      await board.first().waitFor(SLOW);
      const label = /before ply (\d+) of (\d+)/;
      const at = async () =>
        label
          .exec((await page.getAttribute(".game-board .board-place", "aria-label"))!)!
          .slice(1)
          .map(Number) as [ply: number, plies: number];
      // Every step changes what the board shows, and the line of the step is marked in the list.
      let before = await board.innerHTML();
      const [, plies] = await at();
      for (let step = 2; step <= 5; step++) {
        await page.keyboard.press("ArrowRight");
        await expect.poll(() => page.textContent(".at-step-text b"), SLOW).toBe(String(step));
        await expect.poll(() => board.innerHTML(), SLOW).not.toBe(before);
        before = await board.innerHTML();
        await expect
          .poll(() => page.textContent(".moves .move-line[aria-current] .muted"), SLOW)
          .toBe(String(step));
      }
      await page.keyboard.press("End");
      await expect.poll(at, SLOW).toEqual([plies + 1, plies]);
      expect(await page.textContent(".at-step-text")).toBe("the end");
      // Turned boards, all overlays, and whose hands are open.
      for (const key of ["f", "v", "n", "p", "o", "Home"]) await page.keyboard.press(key);
      await expect.poll(async () => (await at())[0], SLOW).toBe(1);
      expect(await findings(page)).toEqual([]);
      expect(wrong).toEqual([]);
      await page.context().close();
    },
    300_000,
  );

  it("have the net's priors, its own view, and its prior hatched on the board, as kept and by an analysis on demand", async () => {
    const sets = ["--set", "graph.sample.games=2", "--set", "agents.zero.simulations=16"];
    const run = site.start("run", "connect-four-player", ...sets, "--out", "runs/net/A");
    expect(await ended(run)).toBe(0);
    const expectShown = async (address: string, analyse: boolean) => {
      const { page, wrong } = await site.page(address);
      if (analyse) {
        await page.waitForSelector("text=What the players thought was not kept.");
        await page.selectOption(".analyse select", "zero");
        await page.getByRole("button", { name: "Analyse" }).click();
        await page.waitForSelector("text=has analysed all", { timeout: 120_000 });
      }
      await page.waitForSelector(".thought-moves tbody tr", SLOW);
      expect(await page.textContent(".thought-moves thead")).toContain("visits | prior");
      expect(await page.locator(".thought-moves .bar-prior").count()).toBeGreaterThan(1);
      const priors = (await page.locator(".thought-bar .hidden").allTextContents()).map((text) =>
        Number(/prior ([\d.]+)%/.exec(text)![1]),
      );
      // Seven columns: the priors of all of them are listed.
      expect(priors.reduce((sum, each) => sum + each, 0)).toBeGreaterThan(98);
      const alone = page.locator(".expected tr", { hasText: "net alone" }).locator("td");
      expect(await alone.allTextContents()).toEqual([
        expect.stringMatching(/^[+−]?\d\.\d\d$/),
        expect.stringMatching(/^[+−]?\d\.\d\d$/),
      ]);
      expect(await page.textContent(".thought p.muted")).toMatch(/ alone (would play|puts) this move/);
      expect(await page.locator(".game-board .hatch").count()).toBe(0);
      await page.keyboard.press("p");
      await expect.poll(() => page.locator(".game-board .hatch").count(), SLOW).toBeGreaterThan(0);
      expect(wrong).toEqual([]);
      await page.context().close();
    };
    await expectShown("/runs/net/A/games/sample/0?ply=6", false);
    await expectShown("/runs/net/A/games/sample/1?ply=6", true);
  }, 300_000);
});

import { writeFileSync } from "node:fs";
import { join } from "node:path";
import type { Page } from "playwright-core";
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { BROWSER, ended, findings, noBrowser, PageSite } from "../web/page-site.ts";

/** A busy machine takes its time. */
const SLOW = { timeout: 60_000 };

const DUO = `name: duo
seed: 7
game: { rules: blokus-duo }
agents:
  strong: { use: uct, simulations: 12 }
  quick: { use: uct, simulations: 4 }
graph:
  match: { use: arena, agents: [strong, quick], games: 2, analyse: 1 }
`;

/** Pages of games and of play, each with a text that shows that it is there. */
const PAGES = [
  ["/runs/duo/A/games", ".newest-boards svg"],
  ["/runs/duo/A/games/match/0?ply=12", ".thought-moves tbody tr"],
  ["/runs/duo/A/games/match/1?ply=12", ".without-thoughts .board-canvas svg"],
  ["/play", ".game-picture svg"],
  ["/play/blokus", ".set-up .game-picture svg"],
  ["/play/blokus-duo?player=search:blokus-duo:random", ".set-up .game-picture svg"],
] as const;

describe(`pages of games and play for everybody, in ${BROWSER}`, () => {
  let site: PageSite;
  beforeAll(async () => {
    if (noBrowser) return;
    site = new PageSite();
    writeFileSync(join(site.folder, "duo.yaml"), DUO);
    expect(await ended(site.start("run", "duo.yaml", "--out", "runs/duo/A"))).toBe(0);
    await site.open();
  }, 600_000);
  beforeEach((context) => site.before(context));
  afterAll(async () => {
    if (!noBrowser) await site.close();
  });

  /** Visits all pages in turn, and a game in progress at the end. */
  async function visited(page: Page, look: (address: string) => Promise<void>): Promise<void> {
    for (const [address, there] of PAGES) {
      await page.goto(new URL(address, site.link).href);
      await page.locator(there).first().waitFor(SLOW);
      await look(address);
    }
    await page.locator(".set-up .main").click();
    await page.locator("h1", { hasText: "Your move." }).waitFor({ timeout: 180_000 });
    await page.locator(".tray button:enabled").first().click();
    await look("a game in progress");
  }

  it.each([
    ["light", 390],
    ["dark", 390],
    ["light", 1280],
    ["dark", 1280],
  ] as const)("have nothing that axe finds: %s, %d pixels", async (theme, width) => {
    const { page, wrong } = await site.page("/play", { theme, width });
    await visited(page, async (address) => expect(await findings(page), address).toEqual([]));
    expect(wrong).toEqual([]);
    await page.context().close();
  });

  it("scroll nowhere sideways from 390 to 3,840 pixels, nor at 200% of 1,280", async () => {
    const { page } = await site.page("/play");
    await visited(page, async (address) => {
      for (const width of [390, 640, 1280, 2560, 3840]) {
        await page.setViewportSize({ width, height: width === 640 ? 450 : 900 });
        await page.waitForTimeout(150);
        const over = await page.evaluate("document.documentElement.scrollWidth - window.innerWidth");
        expect(over, `${address} at ${width}`).toBeLessThanOrEqual(0);
      }
      await page.setViewportSize({ width: 1280, height: 900 });
    });
    await page.context().close();
  });

  it("show where the focus is, at every stop of the Tab key", async () => {
    const { page } = await site.page("/play");
    await visited(page, async (address) => {
      await page.evaluate("document.activeElement.blur(); window.scrollTo(0, 0)");
      const unseen: string[] = [];
      const stops = new Set<string>();
      for (let i = 0; i < 25; i++) {
        await page.keyboard.press("Tab");
        const [stop, seen] = (await page.evaluate(FOCUSED)) as [stop: string, seen: boolean];
        stops.add(stop);
        if (!seen) unseen.push(stop);
      }
      expect(unseen, address).toEqual([]);
      expect(stops.size, address).toBeGreaterThan(5);
    });
    await page.context().close();
  });

  it("move nothing if less motion is asked for", async () => {
    const { page } = await site.page("/play");
    await page.emulateMedia({ reducedMotion: "reduce" });
    await visited(page, async (address) => {
      expect(
        await page.evaluate(
          `[...document.querySelectorAll("*")].filter((each) => { const { animationName, transitionDuration } = getComputedStyle(each); return animationName !== "none" || !/^0s(, 0s)*$/.test(transitionDuration); }).length`,
        ),
        address,
      ).toBe(0);
      expect(await page.evaluate("document.getAnimations().length"), address).toBe(0);
    });
    await page.context().close();
  });
});

/** What has the focus, and whether it, or the label that holds it, is outlined. */
const FOCUSED = `(() => {
  const at = document.activeElement;
  const outlined = (each) => each !== null && getComputedStyle(each).outlineStyle !== "none" && parseFloat(getComputedStyle(each).outlineWidth) >= 1;
  return [at.tagName + " " + at.className + " " + (at.textContent ?? "").slice(0, 30), at === document.body || outlined(at) || outlined(at.closest("label"))];
})()`;

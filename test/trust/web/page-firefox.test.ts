import { existsSync } from "node:fs";
import puppeteer, { type Browser, type KeyInput, type Page } from "puppeteer-core";
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { ended, PageSite } from "./page-site.ts";

/** Debian's browser. It is driven by WebDriver BiDi. */
const FIREFOX = "/usr/bin/firefox-esr";
const noFirefox = !existsSync(FIREFOX);

/** A busy machine takes its time. */
const SLOW = { timeout: 60_000 };

describe(`the page in ${FIREFOX}`, () => {
  let site: PageSite;
  let browser: Browser;
  beforeAll(async () => {
    if (noFirefox) return;
    site = new PageSite();
    const sets = ["learn.games=200", "learn.every=100", "curve.games=2", "gain.games=1"];
    const args = sets.flatMap((each) => ["--set", `graph.${each}`]);
    expect(await ended(site.start("run", "quickstart", ...args, "--out", "runs/quickstart/A"))).toBe(0);
    await site.serve();
    browser = await puppeteer.launch({ browser: "firefox", executablePath: FIREFOX });
  });
  beforeEach(({ skip }) => skip(noFirefox, "no Firefox: Debian's package firefox-esr"));
  afterAll(async () => {
    if (noFirefox) return;
    await browser.close();
    await site.close();
  });

  async function opened(path: string): Promise<{ readonly page: Page; readonly wrong: string[] }> {
    const page = await browser.newPage();
    await page.setViewport({ width: 1280, height: 900 });
    page.setDefaultTimeout(SLOW.timeout);
    const wrong: string[] = [];
    page.on("console", (message) => message.type() === "error" && wrong.push(message.text()));
    page.on("pageerror", (error) => wrong.push(String(error)));
    await page.goto(site.link);
    await page.goto(new URL(path, site.link).href);
    return { page, wrong };
  }
  const text = (page: Page, selector: string) =>
    page.$eval(selector, (element) => (element as unknown as { readonly textContent: string }).textContent);
  const inside = (page: Page, wider: string) => page.evaluate(`${wider}.scrollWidth <= ${wider}.clientWidth`);

  it("shows a run by its sentence and its curve, without a scroll to the side at 390 and 1,280 pixels", async () => {
    const { page, wrong } = await opened("/runs/quickstart/A");
    await page.waitForSelector(".chart path, figure svg path");
    expect(await text(page, "main")).toMatch(/quickstart/);
    for (const width of [390, 1280]) {
      await page.setViewport({ width, height: 844 });
      expect(await inside(page, "document.documentElement")).toBe(true);
    }
    expect(wrong).toEqual([]);
  });

  it("goes through a stored game by keys", async () => {
    const { page, wrong } = await opened("/runs/quickstart/A/games/curve/0?ply=3");
    await page.waitForSelector(".board-canvas svg");
    for (let i = 0; i < 10; i++) await page.keyboard.press("ArrowRight");
    await expect.poll(() => text(page, ".at-step-text"), SLOW).toContain("11 of");
    expect(wrong).toEqual([]);
  });

  it("plays 2048 by keys, and gives a hint when asked", async () => {
    const { page, wrong } = await opened("/runs/quickstart/A");
    await (await page.waitForSelector("::-p-text(Play it)"))!.click();
    await (await page.waitForSelector(".set-up .main"))!.click();
    await page.waitForSelector("::-p-text(Your move.)");
    await page.keyboard.press("h");
    await page.waitForSelector(".hint b");
    const move = await text(page, ".hint b");
    await page.keyboard.press(`Arrow${move.charAt(0).toUpperCase()}${move.slice(1)}` as KeyInput);
    await page.waitForSelector('.board-place[aria-label*=" 1 move played"]');
    expect(wrong).toEqual([]);
  });
});

import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { type Browser, chromium } from "playwright-core";
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { type PageServer, startPageServer } from "../../../../src/web/server/page-server.ts";
import { builtPage } from "../../../trust/web/built-page.ts";
import { BROWSER, findings, noBrowser } from "../../../trust/web/page-site.ts";

// The least of the tests in browsers, so that `npm test` has one: all others are in test/{slow,trust}/web.
describe(`the page in ${BROWSER}, in short`, () => {
  const folder = mkdtempSync(join(tmpdir(), "ludoflow-page-"));
  let server: PageServer;
  let browser: Browser;
  beforeAll(async () => {
    if (noBrowser) return;
    await builtPage();
    server = await startPageServer(folder);
    browser = await chromium.launch({ executablePath: BROWSER, args: ["--no-sandbox"] });
  });
  beforeEach(({ skip }) => skip(noBrowser, "no Chromium: Debian's package chromium"));
  afterAll(async () => {
    if (!noBrowser) {
      await browser.close();
      await server.close();
    }
    rmSync(folder, { recursive: true });
  });

  it("opens by its link alone, and plays a move", async () => {
    const page = await browser.newPage();
    const wrong: string[] = [];
    page.on("pageerror", (error) => wrong.push(error.message));
    const refused = await page.goto(new URL("/play", server.link).href);
    expect(refused!.status()).toBe(401);
    await page.goto(server.link);
    await page.waitForSelector("text=Nothing has run in this folder yet.");
    await page.goto(new URL("/play/tic-tac-toe?player=search:tic-tac-toe:random", server.link).href);
    await page.locator(".set-up .main").click();
    await page.waitForSelector("text=Your move.");
    await page.locator(".board-canvas svg").click();
    await page.waitForSelector('.board-place[aria-label*=" 2 moves played"]');
    expect(await findings(page)).toEqual([]);
    expect(wrong).toEqual([]);
  });
});

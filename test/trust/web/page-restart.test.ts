import type { ChildProcess } from "node:child_process";
import { readdirSync, rmSync, statSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { BROWSER, ended, noBrowser, PageSite } from "./page-site.ts";

/** A busy machine takes its time. */
const SLOW = { timeout: 60_000 };

describe(`a server that was killed and started again, in ${BROWSER}`, () => {
  let site: PageSite;
  let server: ChildProcess;
  let port: string;
  let link: string;
  const memory = () => join(site.folder, "state/ludoflow/pages");
  const serve = async (...flags: readonly string[]) => {
    server = site.start("serve", "runs", ...flags);
    link = await site.linkOf(server);
    return new URL(link).port;
  };
  const kill = async () => {
    const over = ended(server);
    server.kill("SIGKILL");
    await over;
  };
  beforeAll(async () => {
    if (noBrowser) return;
    site = new PageSite();
    const sets = ["learn.games=600", "learn.every=150", "curve.games=4", "gain.games=1"];
    const args = sets.flatMap((each) => ["--set", `graph.${each}`]);
    expect(await ended(site.start("run", "quickstart", ...args, "--out", "runs/quickstart/A"))).toBe(0);
    await site.open();
    port = await serve();
  }, 600_000);
  beforeEach((context) => site.before(context));
  afterAll(async () => {
    if (!noBrowser) await site.close();
  });

  it("has pages that turn grey within 5 s, then catch up with stretch and ply kept", async () => {
    const context = await site.browser.newContext({ viewport: { width: 1280, height: 900 } });
    const first = await context.newPage();
    await first.goto(link);
    const at = async (path: string) => {
      const page = await context.newPage();
      // How long there was no contact when the page first says so, by its own clock.
      await page.addInitScript(
        `new MutationObserver(() => {
          const notice = /No contact with ludoflow for (\\d+) s/.exec(document.body?.textContent ?? "");
          if (notice !== null) window.firstNotice ??= Number(notice[1]);
        }).observe(document, { childList: true, subtree: true, characterData: true })`,
      );
      await page.goto(`http://127.0.0.1:${port}${path}`);
      return page;
    };
    const charts = await at("/runs/quickstart/A/charts?zoom=200~500~games");
    const game = await at("/runs/quickstart/A/games/curve/0?ply=101");
    const list = await at("/runs/quickstart/A/games");
    await charts.locator(".canvas svg .line").first().waitFor({ state: "attached" });
    await game.waitForSelector(".board-canvas svg");
    await list.waitForSelector(".game-line a");
    const address = charts.url();
    const step = await game.textContent(".at-step-text");
    await kill();
    for (const page of [charts, game, list]) {
      await page.waitForSelector("main.stale", SLOW);
      await page.waitForSelector("text=No contact with ludoflow", SLOW);
      expect(await page.evaluate("window.firstNotice")).toBeLessThanOrEqual(5);
    }
    // What was fetched before is there to step through.
    await game.keyboard.press("ArrowRight");
    await game.keyboard.press("ArrowLeft");
    expect(await game.textContent(".at-step-text")).toBe(step);
    await game.keyboard.press("End");
    await serve("--port", port);
    for (const page of [charts, game, list]) {
      await page.waitForSelector("main:not(.stale)", SLOW);
      expect(await page.locator(".notice").count()).toBe(0);
    }
    expect(charts.url()).toBe(address);
    // Positions that were asked for in vain are there now.
    const label = /before ply (\d+) of (\d+)/;
    const positions = async () => {
      const [, ply, plies] = label.exec(
        (await game.getAttribute(".game-board .board-place", "aria-label"))!,
      )!;
      return Number(ply) - Number(plies);
    };
    await expect.poll(positions, SLOW).toBe(1);
    expect(await game.textContent(".at-step-text")).toBe("the end");
    await list.locator(".game-line a").first().click();
    await list.waitForSelector(".board-canvas svg", SLOW);
    await context.close();
  });

  it("is found again at the same port without a new link, and asks a page that it does not know to open the link", async () => {
    await kill();
    expect(await serve()).toBe(port);
    const context = await site.browser.newContext();
    const page = await context.newPage();
    await page.goto(link);
    await page.waitForSelector("h1:not(.loading)");
    const [name, ...others] = readdirSync(memory());
    expect(others).toEqual([]);
    expect(statSync(join(memory(), name!)).mode & 0o777).toBe(0o600);
    await kill();
    rmSync(memory(), { recursive: true });
    await serve("--port", port);
    await page.waitForSelector("text=ludoflow was started anew and does not know this page", SLOW);
    expect(await page.locator("main.stale").count()).toBe(1);
    // The cookie of the earlier server opens nothing.
    expect((await page.request.get(`http://127.0.0.1:${port}/api/runs`)).status()).toBe(401);
    await page.goto(link);
    await page.waitForSelector("main:not(.stale)");
    await context.close();
  });
});

import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { type Browser, chromium, type Page } from "playwright-core";
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { ContestTally } from "../../../src/operators/measuring/match/contest.ts";
import { Random } from "../../../src/random.ts";
import { writeReport } from "../../../src/report/report.ts";
import { exampleEvents, timed, writeRun } from "../../report/example-run.ts";
import { BROWSER, findings, noBrowser } from "./page-site.ts";

/** Long names, as people give them when they try many settings: they make the tables of matches wide. */
const agents = ["simulations-1600-noise-0.25-temperature-1", "simulations-400-noise-0.25-temperature-0.5"];

/** A match of two agents after the example's learning. */
function duel() {
  const random = Random.named("duel");
  const wins = Array.from({ length: 40 }, () => Math.floor(random.float() * 3) / 2);
  const tally = new ContestTally(agents, 2);
  for (const [i, win] of wins.entries())
    tally.add({ seats: agents, returns: [win, 1 - win], actions: Int32Array.of(i) }, i);
  const result = (agent: string, returns: readonly number[]) => {
    const mean = returns.reduce((sum, value) => sum + value, 0) / returns.length;
    return { agent, games: returns.length, mean, interval: [0, 1] as const, returns, facts: {} };
  };
  return timed(90, {
    type: "match",
    stage: "match-of-all-settings",
    learned: 12_000,
    unit: "games",
    agents: [
      result(agents[0]!, wins),
      result(
        agents[1]!,
        wins.map((win) => 1 - win),
      ),
    ],
    contest: { ...tally.contest, failures: [] },
  });
}

describe(`a report in ${BROWSER}`, () => {
  const folder = mkdtempSync(join(tmpdir(), "ludoflow-test-"));
  let browser: Browser;
  let path: string;

  beforeAll(async () => {
    if (noBrowser) return;
    writeRun(folder, [...exampleEvents(), duel()]);
    path = writeReport(folder);
    // Playwright hides scroll bars by default.
    browser = await chromium.launch({
      executablePath: BROWSER,
      args: ["--no-sandbox"],
      ignoreDefaultArgs: ["--hide-scrollbars"],
    });
  });
  beforeEach(({ skip }) => skip(noBrowser, "no Chromium: Debian's package chromium"));
  afterAll(async () => {
    await browser?.close();
    rmSync(folder, { recursive: true, force: true });
  });

  /** The report at a width, with all its data unfolded, and what the page asked for. */
  async function opened(width: number): Promise<{ readonly page: Page; readonly asked: string[] }> {
    // The report needs no script; those that look at it run all the same.
    const page = await browser.newPage({ viewport: { width, height: 900 } });
    const asked: string[] = [];
    page.on("request", (request) => asked.push(request.url()));
    await page.goto(pathToFileURL(path).href);
    for (const summary of await page.locator("details > summary").all()) await summary.click();
    return { page, asked };
  }

  it.each([1280, 390])(
    "scrolls wide tables visibly at %i pixels, and never itself sideways",
    async (width) => {
      const { page } = await opened(width);
      const sizes = (await page.evaluate(`[...document.querySelectorAll(".table")].map((frame) => ({
      wide: frame.scrollWidth > frame.clientWidth,
      bar: frame.offsetHeight - frame.clientHeight,
      name: frame.getAttribute("aria-label"),
      right: frame.getBoundingClientRect().right,
    }))`)) as { wide: boolean; bar: number; name: string | null; right: number }[];
      const wide = sizes.filter((each) => each.wide);
      expect(sizes.length).toBeGreaterThan(8);
      expect(wide.map(({ name }) => name).join("\n")).toContain("Share of games won");
      for (const { bar } of wide) expect(bar).toBeGreaterThanOrEqual(8);
      for (const { right } of sizes) expect(right).toBeLessThanOrEqual(width);
      const frame = page.locator(".table").nth(sizes.indexOf(wide[0]!));
      await frame.focus();
      await page.keyboard.press("ArrowRight");
      await expect.poll(() => frame.evaluate((element) => element.scrollLeft)).toBeGreaterThan(0);
      const [inner, whole] = (await page.evaluate(
        "[document.documentElement.clientWidth, document.documentElement.scrollWidth]",
      )) as [number, number];
      expect(whole).toBe(inner);
      expect(await findings(page)).toEqual([]);
      await page.close();
    },
  );

  it("has no script, and asks for nothing but itself", async () => {
    expect(readFileSync(path, "utf8")).not.toMatch(/<script|javascript:|\son[a-z]+=/i);
    const { asked, page } = await opened(1280);
    expect(asked).toEqual([pathToFileURL(path).href]);
    const context = await browser.newContext({
      javaScriptEnabled: false,
      viewport: { width: 1280, height: 900 },
    });
    const plain = await context.newPage();
    await plain.goto(pathToFileURL(path).href);
    expect(await plain.locator("figure svg:visible").count()).toBe(
      await page.locator("figure svg:visible").count(),
    );
    expect(await plain.locator("h1").textContent()).toBe("2048-example");
    await page.close();
    await context.close();
  });
});

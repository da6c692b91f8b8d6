import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { packageRoot } from "../../../src/package-root.ts";
import { BROWSER, ended, findings, noBrowser, PageSite } from "./page-site.ts";

const site = new PageSite();
const { folder } = site;
const start = site.start.bind(site);
const opened = (path: string, width = 1280, theme: "light" | "dark" = "light") =>
  site.page(path, { width, theme });

/** The pages of which all of these are true: no sideways scroll, no findings, no shift. */
const PAGES = [
  "/",
  "/start",
  "/runs/quickstart/B",
  "/runs/quickstart/B/charts",
  "/compare?runs=quickstart/B,quickstart/C",
];

/** A run of a few seconds; `more` are further flags. */
function smallRun(...more: readonly string[]) {
  const sizes = ["games=600", "every=150"].flatMap((each) => ["--set", `graph.learn.${each}`]);
  return start(
    "run",
    "quickstart",
    ...sizes,
    "--set",
    "graph.curve.games=10",
    "--set",
    "graph.gain.games=2",
    ...more,
  );
}

/** By title of a figure and by line: the values of the points, and what a pixel of their axis is worth. */
type Curves = Record<string, (readonly [value: number, pixel: number])[][][]>;

/** Reads values back from drawings, by the attributes of their axes. Runs in the browser. */
const READ_CURVES = `function curvesIn(root, figures, titleOf, drawing) {
  const found = {};
  for (const figure of root.querySelectorAll(figures)) {
    const svg = figure.querySelector(drawing);
    if (svg === null || !svg.hasAttribute("data-v")) continue;
    const [low, high, from, to] = svg.getAttribute("data-x").split(" ").map(Number);
    const [top, bottom] = svg.getAttribute("data-y").split(" ").map(Number);
    const [least, most] = svg.getAttribute("data-v").split(" ").map(Number);
    const [x, y] = [(high - low) / (to - from), (most - least) / (bottom - top)];
    found[titleOf(figure)] = [...svg.querySelectorAll("path.line[d^=M]")].filter((path) => path.parentElement === svg).map((path) =>
      path.getAttribute("d").slice(1).split(/[ML]/).map((point) => point.split(" ").map(Number)).map(([px, py]) => [
        [low + (px - from) * x, x],
        [least + (bottom - py) * y, y],
      ]),
    );
  }
  return found;
}`;

describe(`the page in ${BROWSER}`, () => {
  beforeAll(async () => {
    if (!noBrowser) await site.open();
  });

  beforeEach(site.before);

  afterAll(async () => {
    await site.close();
  });

  it("offers experiments in a folder without runs, and refuses browsers without a token", async () => {
    const { page, wrong } = await opened("/");
    await page.waitForSelector("text=Nothing has run in this folder yet.");
    expect(await findings(page)).toEqual([]);
    expect(wrong).toEqual([]);
    const stranger = await (await site.browser.newContext()).newPage();
    const answer = await stranger.goto(new URL("/", site.link).href);
    expect(answer!.status()).toBe(401);
  });

  it("shows a run live, its death by kill -9, and that it was resumed and has finished", async () => {
    const run = start(
      "run",
      "quickstart",
      "--out",
      "runs/quickstart/A",
      "--set",
      "graph.learn.every=300",
      "--set",
      "graph.curve.games=10",
      "--set",
      "graph.gain.games=2",
    );
    const { page, wrong } = await opened("/");
    await page.waitForSelector(".state.live");
    await page.click("text=quickstart");
    await page.waitForSelector("h1:not(.loading)");
    await page.waitForSelector(".node.busy");
    // A line that is level has no height, by which it would count as visible.
    await page.waitForSelector(".canvas svg .line", { state: "attached", timeout: 120_000 });
    // The overview lists the newest few: their number stays the same when more come.
    const events = () => page.locator(".events li").allTextContents();
    const before = await events();
    await expect
      .poll(async () => (await events()).filter((line) => !before.includes(line)).length, { timeout: 60_000 })
      .toBeGreaterThan(0);
    run.kill("SIGKILL");
    await page.waitForSelector("text=This run gives no sign of life");
    await page.locator(".actions >> text=Resume").click();
    await page.waitForSelector(".state.live");
    await page.locator(".actions >> text=Stop").click();
    await page.waitForSelector("text=Interrupted");
    expect(wrong).toEqual([]);
  });

  it("shows figures of the report point for point, and axe finds nothing in either theme", async () => {
    expect(await ended(smallRun("--out", "runs/quickstart/B"))).toBe(0);
    for (const theme of ["light", "dark"] as const)
      for (const path of ["", "/charts", "/events", "/settings"]) {
        const { page, wrong } = await opened(`/runs/quickstart/B${path}`, 1280, theme);
        await page.waitForSelector("h1:not(.loading)");
        await page.waitForSelector(".panel h2");
        expect(await findings(page), `${path} ${theme}`).toEqual([]);
        expect(wrong).toEqual([]);
        await page.context().close();
      }
    const { page } = await opened("/runs/quickstart/B/charts");
    await page.locator(".canvas svg .line").first().waitFor({ state: "attached" });
    const report = readFileSync(join(folder, "runs/quickstart/B/report.html"), "utf8");
    const inReport = (await page.evaluate(
      `{ ${READ_CURVES} curvesIn(new DOMParser().parseFromString(${JSON.stringify(report)}, "text/html"), "figure", (each) => each.querySelector("figcaption b").textContent.replace(/\\.$/, ""), ".wide svg"); }`,
    )) as Curves;
    // Charts are drawn once they are in sight.
    const onPage: Curves = {};
    for (const title of Object.keys(inReport)) {
      const panel = page
        .locator("figure.panel")
        .filter({ has: page.getByRole("heading", { name: title, exact: true }) });
      if ((await panel.count()) === 0) continue;
      await panel.scrollIntoViewIfNeeded();
      // A line of equal values has no height, which a wait for sight takes for hidden.
      await panel.locator("svg .line").first().waitFor({ state: "attached" });
      Object.assign(
        onPage,
        await page.evaluate(
          `{ ${READ_CURVES} curvesIn(document, "figure.panel", (each) => each.querySelector("h2").textContent, ".canvas svg"); }`,
        ),
      );
    }
    expect(Object.keys(onPage).length).toBeGreaterThan(1);
    for (const [title, curves] of Object.entries(onPage)) {
      expect(
        curves.map(({ length }) => length),
        title,
      ).toEqual(inReport[title]!.map(({ length }) => length));
      for (const [i, points] of curves.entries())
        for (const [k, point] of points.entries())
          for (const axis of [0, 1] as const) {
            const [value, pixel] = point[axis]!;
            const [same, other] = inReport[title]![i]![k]![axis]!;
            // Drawings have tenths of a pixel.
            expect(Math.abs(value - same), `${title}: ${value} and ${same}`).toBeLessThanOrEqual(
              0.11 * (pixel + other),
            );
          }
    }
  });

  it("enlarges a stretch of all charts with one axis, which the address holds, and shows the same place in all of them", async () => {
    const { page, wrong } = await opened("/runs/quickstart/B/charts");
    const chart = page.locator(".chart[tabindex]").first();
    await chart.locator("svg .line").first().waitFor({ state: "attached" });
    const points = async () =>
      (await chart.locator("svg .line").first().getAttribute("d", { timeout: 60_000 }))!.split(/[ML]/).length;
    const all = await points();
    const box = (await chart.locator("svg").boundingBox())!;
    await page.mouse.move(box.x + 0.3 * box.width, box.y + 100);
    await page.waitForSelector(".at-line");
    const same = await page.evaluate(
      `[...document.querySelectorAll(".at-box b:first-child")].map((each) => each.textContent.split(":")[0])`,
    );
    expect(new Set(same as string[]).size).toBe(1);
    await page.mouse.down();
    await page.mouse.move(box.x + 0.7 * box.width, box.y + 100, { steps: 5 });
    await page.waitForSelector(".dragged");
    await page.mouse.up();
    await expect.poll(points).toBeLessThan(all);
    await page.waitForSelector("text=after this stretch");
    expect(new URL(page.url()).searchParams.get("zoom")).toMatch(/^\d+~\d+~/);
    const part = await points();
    await page.keyboard.press("l");
    await page.reload();
    await chart.locator("svg .line").first().waitFor({ state: "attached" });
    expect(await points()).toBe(part);
    expect(await page.locator(".chart-tools [aria-pressed=true]").textContent()).toBe("Logarithmic");
    await page.keyboard.press("r");
    await expect.poll(points).toBe(all);
    expect(wrong).toEqual([]);
  });

  it("compares runs that were chosen in the list", async () => {
    expect(await ended(smallRun("--out", "runs/quickstart/C", "--set", "graph.learn.lambda=0"))).toBe(0);
    const { page, wrong } = await opened("/?filter=600");
    await page.goto(new URL("/", site.link).href);
    for (const name of ["B", "C"]) {
      const id = JSON.parse(readFileSync(join(folder, `runs/quickstart/${name}/manifest.json`), "utf8")) as {
        id: string;
      };
      await page.getByLabel(`Choose quickstart ${id.id}`).check();
    }
    await page.click(".chosen >> text=Compare");
    await page.waitForSelector("h1:not(.loading)");
    expect(await page.textContent("h1")).toMatch(/lambda 0.* \[.*\]/);
    expect(await page.textContent("body")).toContain("graph.learn.lambda");
    expect(await findings(page)).toEqual([]);
    expect(wrong).toEqual([]);
  });

  it("shows all of a run's line, whatever the width", async () => {
    const { page } = await opened("/");
    await page.locator(".run-line small").first().waitFor();
    for (const width of [390, 640, 700, 821, 1100, 1171, 1280]) {
      await page.setViewportSize({ width, height: 900 });
      const cut = await page.evaluate(
        `[...document.querySelectorAll(".run-line, .of-time small")].filter((each) => each.scrollWidth > each.clientWidth).length`,
      );
      expect(cut, `at ${width}`).toBe(0);
    }
  });

  it("is quick and small, and nothing scrolls sideways from 390 to 3,840 pixels", async () => {
    const assets = join(packageRoot(), "dist/page/assets");
    const bytes = readdirSync(assets).reduce((sum, name) => sum + readFileSync(join(assets, name)).length, 0);
    expect(bytes).toBeLessThan(300_000);
    // 640 pixels are a window of 1,280 at 200%.
    for (const width of [390, 640, 1280, 2560, 3840])
      for (const path of PAGES) {
        const { page } = await opened(path, width);
        await page.waitForSelector("h1:not(.loading)");
        const paint = (await page.evaluate(
          `performance.getEntriesByName("first-contentful-paint")[0]?.startTime ?? 0`,
        )) as number;
        // On a machine that does nothing else it is a tenth of that.
        expect(paint).toBeLessThan(5000);
        await page.waitForTimeout(300);
        const over = await page.evaluate(`document.documentElement.scrollWidth - window.innerWidth`);
        expect(over, `${path} at ${width}`).toBeLessThanOrEqual(0);
        await page.context().close();
      }
  });

  it("hides nothing from axe in either theme, moves nothing once it is there, and nothing at all if motion is not wanted", async () => {
    for (const theme of ["light", "dark"] as const)
      for (const path of PAGES) {
        const context = await site.browser.newContext({
          viewport: { width: 1280, height: 900 },
          colorScheme: theme,
          reducedMotion: "reduce",
        });
        const page = await context.newPage();
        await page.goto(site.link);
        await page.addInitScript(
          `window.shift = 0; new PerformanceObserver((list) => { for (const each of list.getEntries()) if (!each.hadRecentInput) window.shift += each.value; }).observe({ type: "layout-shift", buffered: true });`,
        );
        await page.goto(new URL(path, site.link).href);
        await page.waitForSelector("h1:not(.loading)");
        await page.waitForSelector(".panel h2, .run-line, .card");
        await page.waitForTimeout(1500);
        expect(await page.evaluate("window.shift"), `${path} ${theme}`).toBeLessThan(0.02);
        expect(await page.evaluate("document.getAnimations().length"), path).toBe(0);
        expect(await findings(page), `${path} ${theme}`).toEqual([]);
        await context.close();
      }
  });

  it("says that there is no contact, and catches up by itself", async () => {
    const server = start("serve", "runs");
    const own = await site.linkOf(server);
    const page = await (await site.browser.newContext()).newPage();
    await page.goto(own);
    await page.waitForSelector("h1:not(.loading)");
    server.kill("SIGTERM");
    await page.waitForSelector("text=No contact with ludoflow", { timeout: 15_000 });
    expect(await page.locator("main.stale").count()).toBe(1);
  });
});

import { writeFileSync } from "node:fs";
import { join } from "node:path";
import type { Page } from "playwright-core";
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { BROWSER, ended, findings, noBrowser, PageSite } from "./page-site.ts";
import { HARMLESS, HOSTILE, strangersRun } from "./strangers-run.ts";

/** A busy machine takes its time. */
const SLOW = { timeout: 60_000 };

/** The folders of the runs: names of folders are a stranger's as well. */
const FOLDER = `${HOSTILE.japanese} <img src=x onerror=alert("folder")>`;
const RUNS = [`${FOLDER}/${HOSTILE.arabic}`, `${FOLDER}/B`];

describe(`a stranger's run in ${BROWSER}`, () => {
  let site: PageSite;
  beforeAll(async () => {
    if (noBrowser) return;
    site = new PageSite();
    writeFileSync(join(site.folder, "harmless.yaml"), HARMLESS);
    for (const [i, run] of RUNS.entries()) {
      const out = `harmless-${i}`;
      const games = ["--set", `graph.a-stage.games=${24 - 12 * i}`];
      expect(await ended(site.start("run", "harmless.yaml", ...games, "--out", out))).toBe(0);
      strangersRun(join(site.folder, out), join(site.folder, "runs", run));
    }
    await site.open();
  }, 600_000);
  beforeEach((context) => site.before(context));
  afterAll(async () => {
    if (!noBrowser) await site.close();
  });

  const [path] = RUNS.map((run) => run.split("/").map(encodeURIComponent).join("/"));
  const stage = encodeURIComponent(HOSTILE.stage);
  /** The addresses of all pages, with what each must show of the hostile names as text. */
  const pages = [
    ["/", HOSTILE.name],
    ["/start", ""],
    [`/runs/${path}`, HOSTILE.html],
    [`/runs/${path}/charts`, HOSTILE.japanese],
    [`/runs/${path}/games`, HOSTILE.stage],
    [`/runs/${path}/events`, ""],
    [`/runs/${path}/settings`, HOSTILE.html],
    [`/runs/${path}/games/${stage}/0?ply=4`, HOSTILE.stage],
    [`/runs/${path}/games/${stage}/3?ply=2`, HOSTILE.stage],
    [`/compare?runs=${RUNS.map(encodeURIComponent).join(",")}`, ""],
    ["/play", ""],
    [`/play/tic-tac-toe?player=${encodeURIComponent(`run:${RUNS[0]}#${HOSTILE.html}`)}`, HOSTILE.html],
  ] as const;

  it.each([390, 1280])(
    "runs no script, breaks no layout and is shown as its text, on all pages at %d pixels",
    async (width) => {
      const { page, wrong } = await site.page("/", { width });
      const dialogs: string[] = [];
      page.on("dialog", (dialog) => {
        dialogs.push(dialog.message());
        void dialog.dismiss();
      });
      for (const [address, text] of pages) {
        await page.goto(new URL(address, site.link).href);
        await page.locator("h1:not(.loading)").waitFor(SLOW);
        if (text !== "") await expect.poll(() => page.evaluate(TEXTS), SLOW).toContain(text);
        // What is drawn later is drawn by then.
        await page.waitForTimeout(500);
        expect(await foreign(page), address).toEqual([]);
        const over = await page.evaluate("document.documentElement.scrollWidth - window.innerWidth");
        expect(over, `${address} at ${width}`).toBeLessThanOrEqual(0);
        expect(await page.evaluate(OUTSIDE), `${address} at ${width}`).toEqual([]);
        expect(await findings(page), `${address} at ${width}`).toEqual([]);
      }
      expect(dialogs).toEqual([]);
      expect(wrong).toEqual([]);
    },
  );

  it("is played against, and its report runs no script", async () => {
    const { page, wrong } = await site.page(pages.at(-1)![0]);
    const dialogs: string[] = [];
    page.on("dialog", (dialog) => {
      dialogs.push(dialog.message());
      void dialog.dismiss();
    });
    await page.locator(".set-up .main").click();
    await page.locator("h1", { hasText: "Your move." }).waitFor(SLOW);
    expect(await page.textContent("body")).toContain(HOSTILE.html);
    await page.keyboard.press("h");
    await page.waitForSelector(".hint b", SLOW);
    expect(await foreign(page)).toEqual([]);
    await page.goto(new URL(`/report/${path}/report.html`, site.link).href);
    await page.waitForSelector("h1");
    expect(await page.locator("img[onerror], svg[onload], b[onclick]").count()).toBe(0);
    expect(dialogs).toEqual([]);
    expect(wrong).toEqual([]);
  });

  it("is not shown to a browser with a wrong token, which keeps nothing of it", async () => {
    const context = await site.browser.newContext();
    const page = await context.newPage();
    for (const token of ["wrong", "x".repeat(32), ""]) {
      const answer = await page.goto(new URL(`/?token=${token}`, site.link).href);
      expect(answer!.status()).toBe(401);
      expect(await page.textContent("body")).toMatch(/open the newest one/);
      expect(await context.cookies()).toEqual([]);
    }
    const { hostname, port } = new URL(site.link);
    await context.addCookies([
      { name: `ludoflow-${port}`, value: "x".repeat(32), domain: hostname, path: "/" },
    ]);
    for (const address of ["/", "/api/runs", `/runs/${path}`]) {
      const answer = await page.goto(new URL(address, site.link).href);
      expect(answer!.status()).toBe(401);
      expect(await page.textContent("body")).toContain("Open the link that ludoflow has printed");
      expect(await page.content()).not.toContain("onerror");
    }
    await context.close();
  });
});

/** Elements of the page that its own code never makes: those of a hostile name that has become markup. */
async function foreign(page: Page): Promise<string[]> {
  return page
    .locator("#page [onerror], #page [onload], #page [onclick], #page script, #page img:not([src^='data:'])")
    .evaluateAll((elements) => elements.map((each) => String((each as { outerHTML?: string }).outerHTML)));
}

/** Panels that stick out of the window, and texts that stick out of their panel and are not cut by it. */
const OUTSIDE = `[...document.querySelectorAll(".panel, .card, main h1, .head > *")]
  .filter((each) => each.getBoundingClientRect().right > window.innerWidth + 0.5)
  .map((each) => each.className + ": " + each.textContent.slice(0, 60))`;

/** The texts of the page, with those that are shown at a resting pointer: long names are cut on screen. */
const TEXTS = `[document.body.textContent, ...[...document.querySelectorAll("[title]")].map((each) => each.title)].join(" ")`;

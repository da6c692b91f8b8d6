import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as pause } from "node:timers/promises";
import puppeteer, { type Browser, type Page } from "puppeteer-core";
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import type { RecordedEvent } from "../../../src/events/event.ts";
import { MetricsFile } from "../../../src/events/metrics-file.ts";
import { metricsPath } from "../../../src/graph/folder/run-folder.ts";
import { processorSeconds } from "../../../src/workers/processor-time.ts";
import { ended, PageSite } from "./page-site.ts";

/** Browsers have six connections for each host. */
const TABS = 20;
/** The time over which the server's processor time is compared, in milliseconds, and the interval of events meanwhile. */
const WATCHED_MS = 10_000;
const EVENT_MS = 250;
/** The share of a processor by which many tabs may cost the server more than one. */
const MORE = 0.01;
/** A server ends connections without a request after five seconds. */
const IDLE_MS = 7000;
const SLOW = { timeout: 60_000 };
/** A busy machine needs minutes for twenty tabs. */
const LONGEST = 900_000;

const browsers = [
  { browser: "chrome", executablePath: "/usr/bin/chromium", args: ["--no-sandbox"] },
  { browser: "firefox", executablePath: "/usr/bin/firefox-esr", args: [] },
] as const;

describe.each(browsers)("$executablePath with many tabs", ({ args, browser: kind, executablePath }) => {
  const missing = !existsSync(executablePath);
  const site = new PageSite();
  let browser: Browser | undefined;
  let server: number;
  let metrics: MetricsFile | undefined;
  let notes = 0;
  const note = () => {
    const event = { type: "note", stage: "learn", level: "info", message: `note ${++notes}.` };
    metrics!.record({
      ...event,
      seq: 1e6 + notes,
      time: new Date().toISOString(),
      elapsed: 60,
    } as RecordedEvent);
    metrics!.flush();
  };
  beforeAll(async () => {
    if (missing) return;
    const sets = ["learn.games=100", "learn.every=50", "curve.games=2", "gain.games=1"];
    const flags = sets.flatMap((each) => ["--set", `graph.${each}`]);
    expect(await ended(site.start("run", "quickstart", ...flags, "--out", "runs/quickstart/A"))).toBe(0);
    metrics = MetricsFile.open(metricsPath(join(site.folder, "runs/quickstart/A")));
    server = (await site.serve()).pid!;
    browser = await puppeteer.launch({ browser: kind, executablePath, args: [...args] });
  }, LONGEST);
  beforeEach(({ skip }) => skip(missing, `no ${executablePath}`));
  afterAll(async () => {
    if (!missing) {
      await browser?.close();
      metrics?.close();
    }
    await site.close();
  });

  /** A tab with the events of the run, which keeps when it was shown last and when the newest event came. */
  const tab = async (own = ""): Promise<Page> => {
    const page = await browser!.newPage();
    page.setDefaultTimeout(SLOW.timeout);
    await page.evaluateOnNewDocument(
      `${own}; document.addEventListener("visibilitychange", () => { if (document.visibilityState === "visible") window.shownAt = performance.now(); });
      new MutationObserver(() => {
        const [newest] = document.querySelectorAll(".events li");
        if (newest !== undefined && window.newest !== newest.textContent) [window.newest, window.newestAt] = [newest.textContent, performance.now()];
      }).observe(document, { childList: true, subtree: true, characterData: true });`,
    );
    await page.goto(new URL(`/runs/quickstart/A/events${new URL(site.link).search}`, site.link).href);
    await page.waitForSelector(".events li");
    return page;
  };
  const newest = (page: Page) => page.evaluate("window.newest") as Promise<string>;
  /** Processor seconds of the server while events come. */
  const cost = async (): Promise<number> => {
    const before = processorSeconds(server)!;
    for (let i = 0; i < WATCHED_MS / EVENT_MS; i++, await pause(EVENT_MS)) note();
    return processorSeconds(server)! - before;
  };

  it(
    "has one connection for all of them, none for hidden ones, which are current within a second of being shown",
    { timeout: LONGEST },
    async () => {
      const pages = [await tab()];
      const one = await cost();
      while (pages.length < TABS) pages.push(await tab());
      const many = await cost();
      expect(many - one).toBeLessThan((MORE * WATCHED_MS) / 1000);
      await pause(IDLE_MS);
      expect(connections(site)).toBe(1);
      const hidden = [];
      for (const page of pages)
        if ((await page.evaluate("document.visibilityState")) === "hidden") hidden.push(page);
      expect(hidden.length).toBe(TABS - 1);
      for (const page of hidden.slice(0, 3)) {
        const before = await newest(page);
        expect(before).not.toContain(`note ${notes}.`);
        note();
        // The server looks for what is new once a second.
        await pause(1500);
        expect(await newest(page)).toBe(before);
        await page.bringToFront();
        await expect.poll(() => newest(page), SLOW).toContain(`note ${notes}.`);
        expect(await page.evaluate("window.newestAt - window.shownAt")).toBeLessThan(1000);
      }
      // The last tab that follows something takes the connection with it.
      const other = await browser!.newPage();
      await other.bringToFront();
      await pause(IDLE_MS);
      expect(connections(site)).toBe(0);
      for (const page of [...pages, other]) await page.close();
    },
  );

  it(
    "has three streams and else requests if it has no shared workers, and the newest event in every window",
    { timeout: LONGEST },
    async () => {
      // As if each were a window of its own, in sight.
      const own = `delete window.SharedWorker; Object.defineProperty(document, "visibilityState", { get: () => "visible" })`;
      const pages = [];
      for (let i = 0; i < 8; i++) pages.push(await tab(own));
      note();
      for (const page of pages) await expect.poll(() => newest(page), SLOW).toContain(`note ${notes}.`);
      for (const page of pages) await page.close();
    },
  );
});

/** The connections that the server of a site has. */
function connections(site: PageSite): number {
  const port = Number(new URL(site.link).port).toString(16).toUpperCase().padStart(4, "0");
  const lines = readFileSync("/proc/net/tcp", "utf8").split("\n").slice(1, -1);
  // proc(5): the local address and port, the other end's, the state; 01 is established.
  return lines.filter((line) => new RegExp(`^ *\\d+: 0100007F:${port} \\S+ 01 `).test(line)).length;
}

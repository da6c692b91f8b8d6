// `npm run page-load`: what the page costs a run, and how it holds under load, in Debian's Chromium. Writes docs/results/page-load.csv,
// from which docs/page.md has its table. Takes about five minutes, best on a machine that does nothing else.
import { type ChildProcess, spawn } from "node:child_process";
import { cpSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as pause } from "node:timers/promises";
import { type Browser, chromium, type Page } from "playwright-core";
import { MetricsFile, readMetrics } from "../src/events/metrics-file.ts";
import { decodeGameRecord } from "../src/formats/game-records.ts";
import { encodeCsv } from "../src/formats/csv.ts";
import { metricsPath } from "../src/graph/folder/run-folder.ts";
import { claimRunFolder } from "../src/graph/folder/run-lock.ts";
import { gamesPath, readLog } from "../src/operators/run/run-files.ts";
import { packageRoot } from "../src/package-root.ts";
import { processorSeconds } from "../src/workers/processor-time.ts";

/** Pages that follow a run, and the seconds for which they do. */
const CLIENTS = 20;
const FOLLOWED_S = 30;
const RUNS = 500;
const EVENTS_A_SECOND = 1000;
const EVENTS_S = 15;
/** Events of a day: one each second. */
const DAY = 86_400;

const folder = mkdtempSync(join(tmpdir(), "ludoflow-page-load-"));
const runs = join(folder, "runs");
const started: ChildProcess[] = [];
const rows: [what: string, measured: string, value: number, unit: string][] = [];
const tell = (what: string, measured: string, value: number, unit: string): void => {
  rows.push([what, measured, value, unit]);
  console.log(`${what}: ${measured} ${value.toPrecision(3)} ${unit}`);
};

function ludoflow(...args: string[]): ChildProcess {
  const child = spawn(process.execPath, [join(packageRoot(), "bin/ludoflow.js"), ...args], {
    cwd: folder,
    stdio: ["ignore", "pipe", "ignore"],
  });
  started.push(child);
  return child;
}

const ended = (child: ChildProcess): Promise<unknown> =>
  new Promise((resolve) => child.once("exit", resolve));

async function served(): Promise<{ readonly child: ChildProcess; readonly link: string }> {
  const child = ludoflow("serve", runs);
  const link = await new Promise<string>((resolve) => {
    let text = "";
    child.stdout!.on("data", (more: Buffer) => {
      text += String(more);
      if (text.includes("\n")) resolve(text.split("\n")[0]!.trim());
    });
  });
  return { child, link };
}

/** What serving costs beside a run, with pages that follow it. */
async function costOfServing(): Promise<void> {
  const run = ludoflow("run", "quickstart", "--set", "graph.learn.games=1000000", "--out", "runs/load/long");
  const { child, link } = await served();
  // Both have started, and the run learns.
  await pause(15_000);
  const stop = new AbortController();
  const answer = await fetch(link, { redirect: "manual" });
  const cookie = answer.headers.getSetCookie()[0]!.split(";")[0]!;
  for (let i = 0; i < CLIENTS; i++) {
    const { body } = await fetch(new URL("/api/run-stream/load/long", link), {
      headers: { cookie },
      signal: stop.signal,
    });
    void body!.pipeTo(new WritableStream()).catch(() => undefined);
  }
  // What they are sent as they open is another cost.
  await pause(10_000);
  const before = [processorSeconds(child.pid!)!, processorSeconds(run.pid!)!] as const;
  await pause(1000 * FOLLOWED_S);
  const serving = processorSeconds(child.pid!)! - before[0];
  const running = processorSeconds(run.pid!)! - before[1];
  tell(
    `${CLIENTS} pages follow a run for ${FOLLOWED_S} s`,
    "processor time of serving in that of the run",
    (100 * serving) / running,
    "%",
  );
  stop.abort();
  run.kill("SIGINT");
  await ended(run);
  child.kill("SIGTERM");
  await ended(child);
}

/** Begins to watch how long frames take; the greatest is asked for later. */
const WATCH = `window.longest = 0; { let last = performance.now(); const next = (now) => { window.longest = Math.max(window.longest, now - last); last = now; requestAnimationFrame(next); }; requestAnimationFrame(next); }`;
const longest = (page: Page) => page.evaluate("window.longest") as Promise<number>;

async function opened(browser: Browser, link: string, path: string): Promise<Page> {
  const page = await (await browser.newContext({ viewport: { width: 1280, height: 900 } })).newPage();
  await page.goto(link);
  await page.goto(new URL(path, link).href);
  return page;
}

/** Milliseconds from a key to the second frame after it, which shows what it changed. */
async function answersIn(page: Page, key: string): Promise<number> {
  await page.evaluate(
    `window.answered = new Promise((resolve) => document.addEventListener("keydown", () => { const begun = performance.now(); requestAnimationFrame(() => requestAnimationFrame(() => resolve(performance.now() - begun))); }, { once: true, capture: true })); undefined`,
  );
  await page.keyboard.press(key);
  return (await page.evaluate("window.answered")) as number;
}

async function manyRuns(browser: Browser): Promise<void> {
  const few = ["learn.games=200", "learn.every=100", "curve.games=2", "gain.games=1"];
  await ended(
    ludoflow(
      "run",
      "quickstart",
      ...few.flatMap((each) => ["--set", `graph.${each}`]),
      "--out",
      "runs/many/0",
    ),
  );
  for (let i = 1; i < RUNS; i++)
    cpSync(join(runs, "many/0"), join(runs, `many${i % 7}`, String(i)), { recursive: true });
  const { child, link } = await served();
  const page = await opened(browser, link, "/");
  await page.waitForSelector(".run-line");
  await page.waitForTimeout(3000);
  await page.focus("input");
  const typed: number[] = [];
  for (const key of "many3") typed.push(await answersIn(page, key));
  tell(`a list of ${RUNS} runs`, "longest answer of the filter to a key", Math.max(...typed), "ms");
  for (let i = 0; i < 5; i++) await page.keyboard.press("Backspace");
  await page.evaluate(WATCH);
  await page.mouse.move(600, 500);
  for (let i = 0; i < 60; i++) {
    await page.mouse.wheel(0, 400);
    await page.waitForTimeout(30);
  }
  tell(`a list of ${RUNS} runs`, "longest frame while it scrolls", await longest(page), "ms");
  await page.context().close();
  child.kill("SIGTERM");
  await ended(child);
}

/** The run of the list with a metrics file that grows by itself. */
async function manyEvents(browser: Browser): Promise<void> {
  const at = join(runs, "many/0");
  const release = claimRunFolder(at);
  const template = readMetrics(metricsPath(at)).find(({ type }) => type === "games");
  if (template === undefined) throw new Error("the run has told nothing of its learning");
  const metrics = MetricsFile.open(metricsPath(at));
  let seq = readMetrics(metricsPath(at)).length;
  const record = (elapsed: number) =>
    metrics.record({ ...template, seq: seq++, time: new Date().toISOString(), elapsed });
  const { child, link } = await served();
  const page = await opened(browser, link, "/runs/many/0");
  await page.waitForSelector("figure svg");
  await page.waitForTimeout(2000);
  await page.evaluate(WATCH);
  for (let tick = 0; tick < EVENTS_S * 20; tick++) {
    for (let i = 0; i < EVENTS_A_SECOND / 20; i++) record(60 + tick / 20);
    metrics.flush();
    await pause(50);
  }
  tell(`${EVENTS_A_SECOND} events a second`, "longest frame", await longest(page), "ms");
  for (let i = 0; i < DAY; i++) record(100 + i);
  metrics.flush();
  await page.waitForTimeout(5000);
  await page.reload();
  await page.waitForSelector("figure svg");
  await page.waitForTimeout(2000);
  await page.evaluate(WATCH);
  const heap = async () => {
    await page.requestGC();
    return (await page.evaluate("performance.memory.usedJSHeapSize / 1e6")) as number;
  };
  const before = await heap();
  for (let tick = 0; tick < EVENTS_S; tick++) {
    for (let i = 0; i < EVENTS_A_SECOND; i++) record(90_000 + tick);
    metrics.flush();
    await pause(1000);
  }
  tell(`a day of ${DAY} events and ${EVENTS_A_SECOND} a second`, "longest frame", await longest(page), "ms");
  tell(
    `a day of ${DAY} events and ${EVENTS_S * EVENTS_A_SECOND} more`,
    "growth of the page's memory",
    (await heap()) - before,
    "MB",
  );
  metrics.close();
  release();
  await page.context().close();
  child.kill("SIGTERM");
  await ended(child);
}

async function longGame(browser: Browser): Promise<void> {
  await ended(
    ludoflow(
      "run",
      "quickstart",
      "--set",
      "graph.curve.games=20",
      "--set",
      "graph.gain.games=1",
      "--out",
      "runs/games/0",
    ),
  );
  const path = gamesPath(join(runs, "games/0"), "curve");
  const games = [...readLog(path)].map((bytes) => decodeGameRecord(bytes, path));
  const game = games.reduce((most, each) => (each.actions.length > most.actions.length ? each : most));
  const { child, link } = await served();
  const times: number[] = [];
  for (let i = 0; i < 5; i++) {
    const page = await opened(browser, link, "/runs/games/0/games");
    await page.waitForSelector(".game-line a");
    const begun = performance.now();
    await page.goto(new URL(`/runs/games/0/games/curve/${game.game}`, link).href);
    await page.waitForSelector(".board-canvas svg");
    await page.waitForSelector(".curve-slider");
    times.push(performance.now() - begun);
    await page.context().close();
  }
  tell(
    `a game of ${game.actions.length} plies`,
    "opened (median of 5)",
    times.toSorted((a, b) => a - b)[2]!,
    "ms",
  );
  child.kill("SIGTERM");
  await ended(child);
}

mkdirSync(runs);
const browser = await chromium.launch({ executablePath: "/usr/bin/chromium", args: ["--no-sandbox"] });
try {
  await longGame(browser);
  await manyRuns(browser);
  await manyEvents(browser);
  await costOfServing();
  writeFileSync(
    join(packageRoot(), "docs/results/page-load.csv"),
    encodeCsv({
      columns: [
        { name: "case", type: "text" },
        { name: "measured", type: "text" },
        { name: "value", type: "number" },
        { name: "unit", type: "text" },
      ],
      rows,
    }),
  );
} finally {
  await browser.close();
  for (const child of started) if (child.exitCode === null) child.kill("SIGTERM");
  rmSync(folder, { recursive: true, force: true });
}

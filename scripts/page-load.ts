// `npm run page-load`: what the page costs a run, and how it holds under load, in Debian's Chromium. Writes docs/results/page-load.csv,
// from which docs/page.md has its table. Takes about ten minutes, best on a machine that does nothing else.
// `npm run page-load -- manyRuns` measures one case, and writes nothing.
import { type ChildProcess, spawn } from "node:child_process";
import { cpSync, existsSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as pause } from "node:timers/promises";
import { type Browser, chromium, type Page } from "playwright-core";
import type { RecordedEvent, RunEvent } from "../src/events/event.ts";
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
const FOLLOWED_S = 60;
const RUNS = 500;
const EVENTS_A_SECOND = 1000;
const EVENTS_S = 120;
/** A day in seconds: so many events of it, one each second. */
const DAY = 86_400;
/** Milliseconds that a page may take to show the last events of the run. */
const PATIENCE_MS = 60_000;

const folder = mkdtempSync(join(tmpdir(), "ludoflow-page-load-"));
const runs = join(folder, "runs");
const started: ChildProcess[] = [];
const rows: [what: string, measured: string, value: number, unit: string][] = [];
const report = (what: string, measured: string, value: number, unit: string): void => {
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

/** What serving costs beside a run, with pages that follow it or the list that contains it. */
async function costOfServing(): Promise<void> {
  const run = ludoflow("run", "quickstart", "--set", "graph.learn.games=1000000", "--out", "runs/load/long");
  const { child, link } = await served();
  // Both have started, and the run learns.
  await pause(15_000);
  const answer = await fetch(link, { redirect: "manual" });
  const cookie = answer.headers.getSetCookie()[0]!.split(";")[0]!;
  for (const [what, path] of [
    ["follow a run", "/api/live?topic=run/load/long"],
    [`follow the list of ${RUNS} runs`, "/api/live?topic=runs"],
  ] as const) {
    const stop = new AbortController();
    for (let i = 0; i < CLIENTS; i++) {
      const { body } = await fetch(new URL(path, link), { headers: { cookie }, signal: stop.signal });
      void body!.pipeTo(new WritableStream()).catch(() => undefined);
    }
    // What they are sent as they open is another cost.
    await pause(15_000);
    const before = [processorSeconds(child.pid!)!, processorSeconds(run.pid!)!] as const;
    await pause(1000 * FOLLOWED_S);
    const serving = processorSeconds(child.pid!)! - before[0];
    const running = processorSeconds(run.pid!)! - before[1];
    report(
      `${CLIENTS} pages ${what} for ${FOLLOWED_S} s`,
      "processor time of serving in that of the run",
      (100 * serving) / running,
      "%",
    );
    stop.abort();
    await pause(2000);
  }
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

/** A small run, of which there are copies. */
async function firstOfMany(): Promise<void> {
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
}

async function manyRuns(browser: Browser): Promise<void> {
  if (!existsSync(join(runs, "many/0"))) await firstOfMany();
  for (let i = 1; i < RUNS; i++)
    cpSync(join(runs, "many/0"), join(runs, `many${i % 7}`, String(i)), { recursive: true });
  const { child, link } = await served();
  const page = await opened(browser, link, "/");
  await page.waitForSelector(".run-line");
  await page.waitForTimeout(3000);
  await page.focus("input");
  const typed: number[] = [];
  for (const key of "many3") typed.push(await answersIn(page, key));
  report(`a list of ${RUNS} runs`, "longest answer of the filter to a key", Math.max(...typed), "ms");
  for (let i = 0; i < 5; i++) await page.keyboard.press("Backspace");
  await page.evaluate(WATCH);
  await page.mouse.move(600, 500);
  for (let i = 0; i < 60; i++) {
    await page.mouse.wheel(0, 400);
    await page.waitForTimeout(30);
  }
  report(`a list of ${RUNS} runs`, "longest frame while it scrolls", await longest(page), "ms");
  await page.context().close();
  child.kill("SIGTERM");
  await ended(child);
}

/** Writes the events of a run that learns, at any rate: games, now and then a match, a note, flows. */
class EventWriter {
  readonly #metrics: MetricsFile;
  readonly #matches: Extract<RecordedEvent, { type: "match" }>;
  readonly #games: Extract<RecordedEvent, { type: "games" }>;
  #seq: number;
  #written = 0;
  /** Games that were played. */
  done: number;

  constructor(run: string) {
    const events = readMetrics(metricsPath(run));
    const [games, matches] = [
      events.findLast((event) => event.type === "games"),
      events.findLast((event) => event.type === "match" && event.stage === "curve"),
    ];
    if (games === undefined || matches?.type !== "match")
      throw new Error("the run has written no games or no match of its learning");
    this.#games = games;
    this.#matches = matches;
    this.#metrics = MetricsFile.open(metricsPath(run));
    this.#seq = events.length;
    this.done = games.done;
    const started = events.find((event) => event.type === "run-started")!;
    this.#record({ ...started, resumed: true }, games.elapsed + 1);
  }

  /** Writes one event at a time of the run in seconds. */
  next(elapsed: number): void {
    const i = this.#written++;
    this.done += 10;
    const mean = 20_000 + 8000 * Math.sin(i / 5000) + ((7919 * i) % 4000);
    if (i % 500 === 499) {
      const agents = this.#matches.agents.map((each) => ({
        ...each,
        mean,
        interval: [mean - 900, mean + 900] as const,
      }));
      this.#record({ ...this.#matches, agents, learned: this.done }, elapsed);
    } else if (i % 100 === 50) {
      this.#record({ type: "note", stage: "learn", level: "info", message: `note ${i}` }, elapsed);
    } else if (i % 50 === 25) {
      const [worked, waited] = [0.6, 0.3];
      const counts = { itemsIn: 0, itemsOut: 1, readers: 3 };
      this.#record(
        { type: "stage-flow", stage: "learn", seconds: 1, worked, waited, held: 0, ...counts },
        elapsed,
      );
    } else this.#record({ ...this.#games, done: this.done, count: 10, mean }, elapsed);
  }

  flush(): void {
    this.#metrics.flush();
  }

  /** Ends with games, whose number the page then shows. */
  close(elapsed: number): void {
    this.done += 10;
    this.#record({ ...this.#games, done: this.done, count: 10 }, elapsed);
    this.flush();
    this.#metrics.close();
  }

  #record(event: RunEvent, elapsed: number): void {
    this.#metrics.record({ ...event, seq: this.#seq++, time: new Date().toISOString(), elapsed });
  }
}

/** Waits until a page's first chart shows the last games. */
async function shows(page: Page, done: number): Promise<void> {
  // The page's policy lets no function be made of text in it.
  const last = `Number(document.querySelector("figure svg[data-x]")?.getAttribute("data-x").split(" ")[1])`;
  const begun = performance.now();
  while ((await page.evaluate(last)) !== done) {
    if (performance.now() - begun > PATIENCE_MS) throw new Error(`the chart does not show game ${done}`);
    await page.waitForTimeout(100);
  }
}

/** The run of the list with a metrics file that grows by itself. */
async function manyEvents(browser: Browser): Promise<void> {
  const at = join(runs, "many/0");
  if (!existsSync(at)) await firstOfMany();
  const release = claimRunFolder(at);
  const writer = new EventWriter(at);
  const { child, link } = await served();
  const page = await opened(browser, link, "/runs/many/0");
  await page.waitForSelector("figure svg");
  await page.waitForTimeout(2000);
  await page.evaluate(WATCH);
  await writeFor(writer, EVENTS_S, 60);
  report(`${EVENTS_A_SECOND} events a second for ${EVENTS_S} s`, "longest frame", await longest(page), "ms");
  for (let i = 0; i < DAY; i++) writer.next(200 + i);
  writer.flush();
  await page.reload();
  await page.waitForSelector("figure svg");
  await page.waitForTimeout(5000);
  await page.evaluate(WATCH);
  const heap = async () => {
    await page.requestGC();
    return (await page.evaluate("performance.memory.usedJSHeapSize / 1e6")) as number;
  };
  const before = await heap();
  await writeFor(writer, EVENTS_S, 200 + DAY);
  const more = EVENTS_S * EVENTS_A_SECOND;
  report(
    `a day of ${DAY} events and ${EVENTS_A_SECOND} a second`,
    "longest frame",
    await longest(page),
    "ms",
  );
  writer.close(200 + DAY + EVENTS_S);
  await shows(page, writer.done);
  report(
    `a day of ${DAY} events and ${more} more`,
    "growth of the page's memory",
    (await heap()) - before,
    "MB",
  );
  release();
  await page.context().close();
  child.kill("SIGTERM");
  await ended(child);
}

/** Writes events at the measured rate, for some seconds. */
async function writeFor(writer: EventWriter, seconds: number, from: number): Promise<void> {
  const begun = performance.now();
  for (let i = 0; i < 20 * seconds; i++) {
    for (let k = 0; k < EVENTS_A_SECOND / 20; k++) writer.next(from + i / 20);
    writer.flush();
    await pause(Math.max(0, begun + 50 * (i + 1) - performance.now()));
  }
}

/** How soon pages show something, and how much of them moves after that. */
async function firstPaints(browser: Browser): Promise<void> {
  if (!existsSync(join(runs, "many/0"))) await firstOfMany();
  const { child, link } = await served();
  for (const [name, path] of [
    ["the list of runs", "/"],
    ["a run", "/runs/many/0"],
    ["the charts of a run", "/runs/many/0/charts"],
    ["the experiments", "/start"],
  ] as const) {
    const context = await browser.newContext({ viewport: { width: 1280, height: 900 } });
    const page = await context.newPage();
    await page.goto(link);
    await page.addInitScript(
      `window.shift = 0; new PerformanceObserver((list) => { for (const each of list.getEntries()) if (!each.hadRecentInput) window.shift += each.value; }).observe({ type: "layout-shift", buffered: true });`,
    );
    await page.goto(new URL(path, link).href);
    await page.waitForSelector("h1:not(.loading)");
    await page.waitForTimeout(4000);
    const paint = await page.evaluate(`performance.getEntriesByName("first-contentful-paint")[0].startTime`);
    report(name, "first paint", paint as number, "ms");
    report(name, "layout shift", await page.evaluate("window.shift"), "");
    await context.close();
  }
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
  report(
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
/** The cases by name: those that the command names, or all, whose figures are then written. */
const cases = { longGame, firstPaints, manyRuns, manyEvents, costOfServing };
const wanted = process.argv.slice(2);
try {
  for (const [name, measure] of Object.entries(cases))
    if (wanted.length === 0 || wanted.includes(name)) await measure(browser);
  if (wanted.length === 0)
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

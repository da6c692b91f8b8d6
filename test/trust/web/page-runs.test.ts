import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import type { Page } from "playwright-core";
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { packageRoot } from "../../../src/package-root.ts";
import { BROWSER, ended, noBrowser, PageSite } from "../web/page-site.ts";

const site = new PageSite();
const { folder } = site;
const opened = (path: string) => site.page(path);

/** quickstart, as small as is wanted: `sizes` are numbers of its stages. */
function experimentText(name: string, sizes: Readonly<Record<string, number>>): string {
  const text = readFileSync(join(packageRoot(), "experiments/quickstart.yaml"), "utf8");
  return Object.entries(sizes).reduce(
    (edited, [key, value]) => {
      const [stage, setting] = key.split(".");
      return edited.replace(new RegExp(`(  ${stage}: .*\\b${setting}: )\\d+`), `$1${value}`);
    },
    text.replace("name: quickstart", `name: ${name}`),
  );
}

const TINY = { "learn.games": 300, "learn.every": 100, "curve.games": 4, "gain.games": 2 };

/** What a command has printed once it has ended. */
async function printed(
  ...args: readonly string[]
): Promise<{ readonly code: number | null; readonly text: string }> {
  const child = site.start(...args);
  let text = "";
  for (const output of [child.stdout, child.stderr])
    output!.setEncoding("utf8").on("data", (more: string) => (text += more));
  return { code: await ended(child), text };
}

const card = (page: Page, name: string) => page.locator(`section.card[aria-label="${name}"]`);

/** The greatest place on the horizontal axis of the page's first curve. */
const reached = (page: Page) =>
  page.evaluate(
    `Number(document.querySelector("figure svg[data-x]")?.getAttribute("data-x").split(" ")[1] ?? 0)`,
  ) as Promise<number>;

/** A busy machine takes its time. */
const PATIENCE = { timeout: 240_000 };

describe(`runs on the page in ${BROWSER}`, () => {
  beforeAll(async () => {
    if (noBrowser) return;
    writeFileSync(join(folder, "small.yaml"), experimentText("small", TINY));
    writeFileSync(
      join(folder, "wrong.yaml"),
      experimentText("wrong", TINY).replace("lambda: 0.5", "lamda: 0.5"),
    );
    writeFileSync(join(folder, "stranger.ts"), `throw new Error("a stranger's code was executed");\n`);
    writeFileSync(
      join(folder, "plugged.yaml"),
      experimentText("plugged", TINY).replace("seed: 2048", "seed: 2048\nplugins: [./stranger.ts]"),
    );
    await site.open();
  });

  beforeEach(site.before);

  afterAll(async () => {
    await site.close();
  });

  it("checks files and starts them; a wrong one shows what `check` says, and starts nothing", async () => {
    const { page, wrong } = await opened("/start");
    await card(page, "wrong.yaml").getByText("Check").click();
    const said = await card(page, "wrong.yaml").locator("pre.bad").textContent(PATIENCE);
    const { code, text } = await printed("check", "wrong.yaml");
    expect(code).not.toBe(0);
    expect(text).toMatch(/wrong\.yaml:\d+:\d+/);
    expect(text).toContain("lamda");
    expect(said!.trim()).toBe(text.trim());
    await card(page, "wrong.yaml").getByText("Run", { exact: true }).click();
    expect(await page.locator("[role=alert]").textContent(PATIENCE)).toContain("lamda");
    await card(page, "small.yaml").getByText("Check").click();
    await card(page, "small.yaml").locator("pre:not(.bad)").waitFor(PATIENCE);
    await card(page, "small.yaml").getByText("Run", { exact: true }).click();
    await page.waitForURL(/\/runs\/small\//, PATIENCE);
    await page.locator(".facts >> text=Finished").waitFor(PATIENCE);
    // The browser prints answers that refuse too.
    expect(wrong.filter((each) => !each.includes("409"))).toEqual([]);
  });

  it("executes no stranger's code: a file with a plug-in is refused by the rule of the command line", async () => {
    const { page } = await opened("/start");
    await card(page, "plugged.yaml").getByText("Run", { exact: true }).click();
    const said = await page.locator("[role=alert]").textContent(PATIENCE);
    expect(said).toContain("stranger.ts");
    expect(said).toContain("Such code has your rights on this machine, and you have not allowed it.");
    expect(said).not.toContain("was executed");
  });

  it("puts the experiment for beginners first, and says what others need", async () => {
    const { page } = await opened("/start");
    await card(page, "quickstart").waitFor(PATIENCE);
    // Behind the files of the folder.
    const shipped = page
      .locator("section")
      .filter({ has: page.getByText("Experiments that come with ludoflow") });
    expect(await shipped.locator("section.card").first().getAttribute("aria-label")).toBe("quickstart");
    expect(await card(page, "2048-deep").locator(".needs").textContent()).toContain("Needs weights");
  });

  it("is served beside a run by `run --page`, shows its end, and ends by Ctrl-C", async () => {
    const run = site.start("run", "small.yaml", "--page", "--out", "runs/beside/A");
    let text = "";
    const link = await new Promise<string>((resolve, reject) => {
      for (const output of [run.stdout, run.stderr])
        output!.setEncoding("utf8").on("data", (more: string) => {
          text += more;
          const found = /http:\/\/127\.0\.0\.1:\d+\S*token=\S+/.exec(text);
          if (found !== null) resolve(found[0]);
        });
      run.once("exit", () => reject(new Error(`no link: ${text}`)));
    });
    const page = await (await site.browser.newContext()).newPage();
    await page.goto(link);
    await page.locator(".facts >> text=Finished").waitFor(PATIENCE);
    expect(page.url()).toMatch(/\/runs\/beside\/A$/);
    expect(await page.textContent("h1")).toMatch(/After 300 games mc-softmax scores [\d,]+ \[/);
    await expect.poll(() => text, PATIENCE).toContain("The page stays until Ctrl-C.");
    run.kill("SIGINT");
    expect(await ended(run)).toBe(0);
  });

  it("shows a curve that grows without a reload, after kill -9 and resumption too, to the end", async () => {
    // Many games for each point: a page's curves are some seconds old, and a fast machine must not be done by then.
    const long = { "learn.games": 900, "learn.every": 100, "curve.games": 800 };
    writeFileSync(join(folder, "long.yaml"), experimentText("long", long).replace(/^ *gain: .*\n?/m, ""));
    const run = site.start("run", "long.yaml", "--out", "runs/long/A");
    const { page, wrong } = await opened("/");
    await page.locator(".run-line >> text=long").first().click(PATIENCE);
    await page.evaluate("window.same = true");
    await expect.poll(() => reached(page), PATIENCE).toBeGreaterThan(0);
    const first = await reached(page);
    await expect.poll(() => reached(page), PATIENCE).toBeGreaterThan(first);
    run.kill("SIGKILL");
    await page.waitForSelector("text=This run gives no sign of life", PATIENCE);
    const atDeath = await reached(page);
    await page.locator(".actions >> text=Resume").click();
    await page.locator(".facts >> text=Finished").waitFor(PATIENCE);
    await expect.poll(() => reached(page), PATIENCE).toBe(900);
    expect(atDeath).toBeLessThan(900);
    await page.locator("h1 >> text=After 900 games").waitFor(PATIENCE);
    expect(await page.evaluate("window.same")).toBe(true);
    expect(await page.title()).toContain("✓");
    expect(wrong).toEqual([]);
    // Several of these waits can each take most of their time.
  }, 600_000);

  it("catches up by itself after its server was gone, with its stretch as it was", async () => {
    const dropped = { "learn.games": 100_000, "learn.every": 200, "curve.games": 10, "gain.games": 2 };
    writeFileSync(join(folder, "dropped.yaml"), experimentText("dropped", dropped));
    const run = site.start("run", "dropped.yaml", "--out", "runs/dropped/A");
    const server = site.start("serve", "runs");
    const link = await site.linkOf(server);
    const context = await site.browser.newContext();
    const page = await context.newPage();
    await page.goto(link);
    // A run is listed once it has recorded an event.
    await page.locator(".run-line >> text=dropped").first().waitFor(PATIENCE);
    await page.goto(new URL("/runs/dropped/A/charts", link).href);
    await expect.poll(() => reached(page), PATIENCE).toBeGreaterThan(200);
    await page.goto(new URL("/runs/dropped/A/charts?zoom=0~200~Games+learned", link).href);
    await page.waitForSelector("text=after this stretch", PATIENCE);
    const more = async () =>
      Number(
        /(\d+) new points?/.exec((await page.locator("text=after this stretch").first().textContent())!)![1],
      );
    const before = await more();
    server.kill("SIGKILL");
    await page.waitForSelector("text=No contact with ludoflow", PATIENCE);
    expect(await page.locator("main.stale").count()).toBe(1);
    // The run continues meanwhile.
    await expect
      .poll(
        () => readFileSync(join(folder, "runs/dropped/A/metrics.jsonl"), "utf8").split('"match"').length,
        PATIENCE,
      )
      .toBeGreaterThan(before + 4);
    // Another server at this address has another token, which the browser gets by its link.
    const again = await site.linkOf(site.start("serve", "runs", "--port", new URL(link).port));
    await (await context.newPage()).goto(again);
    await page.locator("main.stale").waitFor({ state: "detached", ...PATIENCE });
    await expect.poll(more, PATIENCE).toBeGreaterThan(before);
    expect(new URL(page.url()).searchParams.get("zoom")).toBe("0~200~Games learned");
    expect(await reached(page)).toBe(200);
    run.kill("SIGINT");
  });

  it("says of a run that fills its buffer when training begins", async () => {
    const run = site.start("run", "duo-zero", "--set", "graph.curve.games=2", "--out", "runs/duo/A");
    const { page } = await opened("/");
    await page.locator(".state.live >> text=Filling").waitFor(PATIENCE);
    run.kill("SIGINT");
    await page.locator(".state >> text=Interrupted").first().waitFor(PATIENCE);
    await ended(run);
  });

  it("says that a difference is not settled if its interval holds zero", async () => {
    const two = { ...TINY, "curve.games": 2 };
    for (const [name, lambda] of [
      ["one", "0.5"],
      ["other", "0.6"],
    ] as const) {
      writeFileSync(
        join(folder, `${name}.yaml`),
        experimentText("settled", two).replace("lambda: 0.5", `lambda: ${lambda}`),
      );
      expect(await ended(site.start("run", `${name}.yaml`, "--out", `runs/settled/${name}`))).toBe(0);
    }
    const { page, wrong } = await opened("/compare?runs=settled/one,settled/other");
    const sentence = (await page.locator("h1:not(.loading)").textContent(PATIENCE))!;
    const [, low, high] = /\[([−\d,]+), ([−\d,]+)\]/.exec(sentence)!;
    const number = (text: string) => Number(text.replaceAll(",", "").replace("−", "-"));
    expect(number(low!)).toBeLessThanOrEqual(0);
    expect(number(high!)).toBeGreaterThanOrEqual(0);
    expect(sentence).toContain("lambda 0.6 may score");
    expect(sentence).toContain("not settled");
    expect(await page.locator(".verdicts >> text=not settled").count()).toBeGreaterThan(0);
    // One more run can be added to these.
    await page.locator("text=+ Add a run").click();
    await page.locator(".chosen >> text=2 runs").waitFor(PATIENCE);
    expect(wrong).toEqual([]);
  });
});

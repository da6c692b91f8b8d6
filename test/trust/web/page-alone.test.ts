import { execFileSync } from "node:child_process";
import { mkdtempSync, rmSync, statSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { chromium } from "playwright-core";
import { build } from "vite";
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { packageRoot } from "../../../src/package-root.ts";
import { BROWSER, findings, noBrowser } from "./page-site.ts";

/** Learns Connect Four in a few seconds. */
const experiment = `name: four
seed: 4
game: { rules: connect-four }
nets:
  linear: { use: linear }
graph:
  learn:
    use: td-learner
    net: linear
    exploration: { use: epsilon-greedy, epsilon: 0.1 }
    games: 2000
    every: 2000
    lambda: 0.8
    step: td
    rate: 0.01
  saved: { use: checkpoint, from: learn }
`;

describe(`an exported game page in ${BROWSER}`, () => {
  const folder = mkdtempSync(join(tmpdir(), "ludoflow-test-"));
  const page = join(folder, "four.html");
  const ludoflow = (...args: readonly string[]) =>
    execFileSync(process.execPath, [join(packageRoot(), "bin/ludoflow.js"), ...args], {
      cwd: folder,
      encoding: "utf8",
      stdio: ["ignore", "pipe", "ignore"],
    });
  beforeAll(async () => {
    if (noBrowser) return;
    await build({ configFile: join(packageRoot(), "vite.alone.config.ts"), logLevel: "error" });
    writeFileSync(join(folder, "four.yaml"), experiment);
    ludoflow("run", "four.yaml", "--out", "runs/A");
    ludoflow(
      "play",
      "runs/A/checkpoints/linear/0000002000",
      "--agent",
      "{ use: expectimax, plies: 1 }",
      "--page",
      page,
    );
  });
  beforeEach(({ skip }) => skip(noBrowser, "no Chromium: Debian's package chromium"));
  afterAll(() => rmSync(folder, { recursive: true, force: true }));

  it("is below 1 MB, loads nothing, and wins 95 of 100 games against uniform play", async () => {
    expect(statSync(page).size).toBeLessThan(1_000_000);
    const browser = await chromium.launch({ executablePath: BROWSER, args: ["--no-sandbox"] });
    const shown = await browser.newPage({ viewport: { width: 390, height: 844 } });
    const wrong: string[] = [];
    const loaded: string[] = [];
    shown.on("console", (message) => message.type() === "error" && wrong.push(message.text()));
    shown.on("pageerror", (error) => wrong.push(error.message));
    shown.on("request", (request) => loaded.push(request.url()));
    await shown.goto(pathToFileURL(page).href);
    await shown.waitForSelector("#board svg");
    expect(await findings(shown)).toEqual([]);
    // Presses buttons of legal moves, each with the same probability, by a generator with a fixed seed.
    const ends = (await shown.evaluate(`(async () => {
      let seed = 7;
      const below = (n) => (seed = (seed * 48271) % 2147483647) % n;
      const text = () => document.querySelector("#status").textContent;
      const ends = [];
      for (let game = 0; game < 100; game++) {
        document.querySelector(game % 2 === 0 ? "#new" : "#swap").click();
        while (!/won|draw/.test(text())) {
          const moves = [...document.querySelectorAll("#moves button:enabled")];
          if (moves.length > 0) moves[below(moves.length)].click();
          else await new Promise((done) => setTimeout(done));
        }
        ends.push(text());
      }
      return ends;
    })()`)) as string[];
    expect(ends).toHaveLength(100);
    expect(ends.filter((end) => end === "linear has won.").length).toBeGreaterThanOrEqual(95);
    // A column is chosen by a pointer anywhere in it, and undo takes it back with the reply.
    await shown.click("#new");
    await expect.poll(() => shown.textContent("#status")).toBe("Your move.");
    const before = await shown.getAttribute("#board", "aria-label");
    await shown.locator("#board svg").click({ position: { x: 180, y: 20 } });
    await expect.poll(() => shown.textContent("#status")).toBe("Your move.");
    expect(await shown.getAttribute("#board", "aria-label")).not.toBe(before);
    await shown.click("#undo");
    expect(await shown.getAttribute("#board", "aria-label")).toBe(before);
    expect(loaded).toEqual([pathToFileURL(page).href]);
    expect(wrong).toEqual([]);
    await browser.close();
  });

  it("is refused for players that it cannot hold", () => {
    writeFileSync(join(folder, "bad.yaml"), "");
    const refused = (...args: readonly string[]) => {
      try {
        ludoflow("play", ...args, "--page", join(folder, "no.html"));
      } catch (error) {
        return (error as { status: number }).status;
      }
      return 0;
    };
    expect(refused("runs/A/checkpoints/linear/0000002000", "--agent", "{ use: mc-softmax }")).toBe(2);
    expect(refused("tic-tac-toe-versions#uct")).toBe(2);
    expect(statSync(join(folder, "no.html"), { throwIfNoEntry: false })).toBeUndefined();
  });
});

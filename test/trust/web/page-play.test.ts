import { realpathSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import type { Page } from "playwright-core";
import { afterAll, beforeAll, beforeEach, describe, expect } from "vitest";
import { pluginCode } from "../../../src/graph/code/outside-code.ts";
import { allow } from "../../../src/graph/code/permission.ts";
import type { PlayOffers, PlayView } from "../../../src/web/views/play-views.ts";
import { itOfThisTenth } from "../tenth.ts";
import { BROWSER, ended, findings, noBrowser, PageSite } from "./page-site.ts";

/** A game of a plug-in without a board of its own: two players count to ten by one or two. */
const PLUGIN = `import { defineGame } from "ludoflow";
export default defineGame({
  name: "count-to-ten",
  description: "Two players count to ten by one or two; who says ten wins.",
  players: 2,
  create: (_, rules) =>
    rules({
      actions: 2,
      initial: () => ({ at: 0, mover: 0 }),
      toMove: ({ at, mover }) => (at >= 10 ? -2 : mover),
      legal: ({ at }, out) => {
        if (at >= 10) return 0;
        out[0] = 0;
        if (at === 9) return 1;
        out[1] = 1;
        return 2;
      },
      play: (state, action) => {
        state.at += action + 1;
        state.mover = 1 - state.mover;
      },
      copy: (from, into) => void Object.assign(into, from),
      returns: ({ at, mover }, out) => {
        for (let seat = 0; seat < 2; seat++) out[seat] = at >= 10 && mover !== seat ? 1 : 0;
      },
    }),
});
`;

const COUNTED = `name: counted
seed: 1
plugins: [./count.ts]
game: { rules: count-to-ten }
agents:
  quick: { use: random }
  other: { use: uct, simulations: 20 }
graph:
  match: { use: arena, agents: [quick, other], games: 2 }
`;

/** A player with the most simulations: it thinks for many seconds. */
const SLOW = `name: slow
seed: 1
game: { rules: tic-tac-toe }
agents:
  quick: { use: random }
  slow: { use: uct, simulations: 10000000 }
graph:
  match: { use: arena, agents: [quick], games: 2 }
`;

/** A process of a player starts within a second, on a busy machine within a minute. */
const PATIENCE_MS = 180_000;

const it = itOfThisTenth();

describe(`playing on the page in ${BROWSER}`, () => {
  let site: PageSite;
  const config = process.env["XDG_CONFIG_HOME"];
  beforeAll(async () => {
    if (noBrowser) return;
    site = new PageSite();
    // What is allowed here is forgotten with the folder.
    process.env["XDG_CONFIG_HOME"] = join(site.folder, "config");
    const sets = ["learn.games=300", "learn.every=150", "curve.games=4", "gain.games=2"];
    const args = sets.flatMap((each) => ["--set", `graph.${each}`]);
    expect(await ended(site.start("run", "quickstart", ...args, "--out", "runs/quickstart/A"))).toBe(0);
    await site.open();
  });
  beforeEach((context) => site.before(context));
  afterAll(async () => {
    if (noBrowser) return;
    await site.close();
    if (config === undefined) delete process.env["XDG_CONFIG_HOME"];
    else process.env["XDG_CONFIG_HOME"] = config;
  });

  /** Starts a game against the player whose key contains this, and waits for the first turn. */
  async function begun(rules: string, player: string, size = {}) {
    const { page, wrong } = await site.page(
      `/play/${rules}?player=${encodeURIComponent(`search:${rules}:${player}`)}`,
      size,
    );
    page.setDefaultTimeout(PATIENCE_MS);
    await page.locator(".set-up .main").click();
    await page.waitForSelector(".play");
    await turn(page);
    return { page, wrong };
  }

  it("leads from a finished quickstart to the first move in two clicks, and shows what its player would do when asked", async () => {
    const { page, wrong } = await site.page("/runs/quickstart/A");
    await page.locator("text=Play it").click();
    await page.locator(".set-up .main").click();
    await page.waitForSelector("text=Your move.");
    expect(await page.locator(".thinking, .hint b").count()).toBe(0);
    await page.keyboard.press("h");
    await page.waitForSelector(".hint b");
    await page.keyboard.press("k");
    await page.waitForSelector(".thinking tbody tr, .thinking p b");
    const move = (await page.locator(".hint b").textContent())!;
    await page.keyboard.press(`Arrow${move.charAt(0).toUpperCase()}${move.slice(1)}`);
    await expect.poll(() => decisions(page)).toBe(1);
    await page.keyboard.press("Backspace");
    await expect.poll(() => decisions(page)).toBe(0);
    expect(wrong).toEqual([]);
  });

  it("plays 2048 to its end by arrow keys, and stores the game", async () => {
    const { page, wrong } = await begun("2048", "random");
    for (let i = 0; !(await isOver(page)); i++) {
      const before = await decisions(page);
      for (const key of ["ArrowDown", "ArrowLeft", "ArrowRight", "ArrowUp"]) {
        await page.keyboard.press(key);
        const moved = await moves(page, before, 150);
        if (moved) break;
      }
      expect(i).toBeLessThan(2000);
    }
    expect(await page.locator("h1").textContent()).toContain("The game is over");
    expect(await page.locator("text=Look at the game").getAttribute("href")).toMatch(
      /^\/runs\/played\/2048-[0-9a-f]{8}\/games\/games\/0$/,
    );
    const check = site.start(
      "analyse",
      await storedRun(page),
      "--agent",
      "{ use: random }",
      "--plies",
      "1-2",
    );
    expect([0, 2]).toContain(await ended(check));
    expect(wrong).toEqual([]);
  });

  for (const rules of ["tic-tac-toe", "connect-four", "othello"])
    it(`plays ${rules} to its end by pressing cells`, async () => {
      const { page, wrong } = await begun(rules, "random");
      await playCells(page);
      expect(await page.locator("h1").textContent()).toMatch(/^(You won|You lost|A draw)/);
      expect(wrong).toEqual([]);
    });

  it("plays Go to its end: a stone by arrow keys, then passes", async () => {
    const { page, wrong } = await begun("go", "size=5:random");
    await page.keyboard.press("ArrowRight");
    await page.keyboard.press("ArrowUp");
    await page.keyboard.press("Enter");
    await expect.poll(() => decisions(page)).toBeGreaterThan(1);
    while (!(await turnOrEnd(page))) {
      const before = await decisions(page);
      await page.locator(".move-buttons button", { hasText: "pass" }).click();
      await expect.poll(() => moves(page, before, 1000), { timeout: 60_000 }).toBe(true);
    }
    expect(await page.locator("h1").textContent()).toMatch(/^(You won|You lost|A draw)/);
    expect(wrong).toEqual([]);
  });

  it("plays Blokus Duo to its end with keys alone", async () => {
    const { page, wrong } = await begun("blokus-duo", "random");
    const letters = "filnptuvwxyzo21".split("");
    while (!(await turnOrEnd(page))) {
      const before = await decisions(page);
      for (const letter of letters) {
        await page.keyboard.press(letter);
        if (await page.locator(".piece-bar .main").isEnabled()) break;
      }
      if (before === 0) {
        // Turned, flipped and moved about, it finds its way back to a place that fits.
        for (const key of ["q", "e", "r", "r", "ArrowLeft", "ArrowUp", "d", "a", "d"])
          await page.keyboard.press(key);
        expect(await page.locator(".piece-bar .main").isEnabled()).toBe(true);
      }
      await page.keyboard.press("Enter");
      await expect.poll(() => moves(page, before, 1000), { timeout: 60_000 }).toBe(true);
    }
    expect(await page.locator("h1").textContent()).toMatch(/^(You won|You lost|A draw)/);
    expect(wrong).toEqual([]);
  });

  it("plays Blokus to its end with a thumb alone", async () => {
    const context = await site.browser.newContext({ viewport: { width: 390, height: 844 }, hasTouch: true });
    const page = await context.newPage();
    page.setDefaultTimeout(PATIENCE_MS);
    await page.goto(site.link);
    await page.goto(new URL("/play/blokus?player=search:blokus:random", site.link).href);
    await page.locator(".set-up .main").tap();
    await turn(page);
    while (!(await turnOrEnd(page))) {
      const before = await decisions(page);
      await page.locator(".tray button:enabled").first().tap();
      if (before === 0) {
        // A tap on the start corner takes the nearest place that fits.
        const board = page.locator(".board-canvas svg");
        await board.waitFor();
        const box = (await board.boundingBox())!;
        await page.touchscreen.tap(box.x + box.width - 8, box.y + 12);
        await page.locator(".piece-bar button", { hasText: "Flip" }).tap();
        const next = page.locator(".tray button:enabled").nth(1);
        await next.tap();
      }
      await page.locator(".piece-bar .main").tap();
      await expect.poll(() => moves(page, before, 1000), { timeout: 60_000 }).toBe(true);
    }
    expect(await page.locator("h1").textContent()).toMatch(/has won|You won|share the first place/);
    await context.close();
  });

  it("plays Daihinmin to its end by hints, and sends no card that a seat cannot see", async () => {
    const { page, wrong } = await begun("daihinmin", "default");
    const id = new URL(page.url()).pathname.split("/").at(-1)!;
    const mine = await streamed(page, id);
    expect(handsIn(mine)).toEqual([true, false, false, false, false]);
    const stranger = await site.page("/play");
    const theirs = await streamed(stranger.page, id);
    expect(handsIn(theirs)).toEqual([false, false, false, false, false]);
    expect(theirs.moves).toEqual([]);
    const colours = new Map<string, string>();
    while (!(await turnOrEnd(page))) {
      const before = await decisions(page);
      await page.keyboard.press("h");
      await page.waitForSelector(".hint b");
      await page.keyboard.press("Enter");
      await expect.poll(() => moves(page, before, 1000), { timeout: 60_000 }).toBe(true);
      for (const [seat, colour] of (await page.evaluate(SEAT_COLOURS)) as [string, string][])
        colours.set(seat, colour);
    }
    expect(await page.locator("h1").textContent()).toMatch(/has won|You won/);
    // Five seats have five colours.
    expect(colours.size).toBe(5);
    expect(new Set(colours.values()).size).toBe(5);
    expect(wrong).toEqual([]);
  });

  it("sends nothing of what the player thinks unless it is asked", async () => {
    const { page } = await begun("connect-four", "uct");
    await page.locator(".board-canvas svg").click();
    await expect.poll(() => decisions(page), { timeout: 60_000 }).toBe(2);
    const view = await streamed(page, new URL(page.url()).pathname.split("/").at(-1)!);
    expect(JSON.stringify(view)).not.toMatch(/"(visits|values?|shares?|prior|actionValues|expects)"/);
    expect(await page.locator(".thinking").count()).toBe(0);
  });

  it("lets two people play at two browsers, each its own seat", async () => {
    const { page } = await site.page("/play/tic-tac-toe?player=search:tic-tac-toe:random");
    await page.getByRole("group", { name: "Seat 2" }).getByText("Somebody else").click();
    await page.locator(".set-up .main").click();
    await turn(page);
    const other = await site.page(new URL(page.url()).pathname);
    await other.page.getByText("Sit down here").click();
    await page.locator(".board-canvas svg").click({ position: { x: 60, y: 60 } });
    await other.page.waitForSelector("text=Your move.");
    const refused = await page.evaluate(
      `fetch("/api/play/act/" + location.pathname.split("/").at(-1), { method: "POST", headers: { "Content-Type": "application/json" }, body: JSON.stringify({ do: "move", ply: 1, action: 8 }) }).then((answer) => answer.status)`,
    );
    expect(refused).toBe(409);
    await other.page.locator(".board-canvas svg").click();
    await turn(page);
    expect(await decisions(page)).toBe(2);
  });

  it("plays a plug-in's game by its drawing and a list of moves", async () => {
    writeFileSync(join(site.folder, "count.ts"), PLUGIN);
    writeFileSync(join(site.folder, "counted.yaml"), COUNTED);
    const run = site.start("run", "counted.yaml", "--allow-code", "--out", "runs/counted/A");
    expect(await ended(run)).toBe(0);
    const { page, wrong } = await site.page("/play/count-to-ten");
    page.setDefaultTimeout(PATIENCE_MS);
    await page.locator(".set-up .main").click();
    // Code of others runs only when its user has allowed it.
    await page.waitForSelector(".notice.bad >> text=you have not allowed it");
    wrong.length = 0;
    allow([pluginCode(realpathSync(join(site.folder, "count.ts")), "counted.yaml")]);
    await page.locator(".set-up .main").click();
    await page.waitForSelector(".play");
    while (!(await turnOrEnd(page))) {
      const before = await decisions(page);
      await page.locator(".move-buttons button").first().click();
      await expect.poll(() => moves(page, before, 1000), { timeout: 60_000 }).toBe(true);
    }
    expect(await page.locator("h1").textContent()).toMatch(/^(You won|You lost)/);
    // Its stored game has the picture that the plug-in's rules are drawn by, ply by ply, and continues from any of them.
    await page.getByText("Look at the game").click();
    await page.waitForSelector(".game-board img", { timeout: 30_000 });
    expect(await page.textContent(".at-step-text")).toBe("the end");
    await page.keyboard.press("Home");
    await page.keyboard.press("ArrowRight");
    await expect.poll(() => page.textContent(".at-step-text")).toContain("2 of");
    await page.getByText("Play from here").click();
    await page.locator(".set-up .main").click();
    await page.waitForSelector(".move-buttons button");
    expect(await decisions(page)).toBeGreaterThan(0);
    expect(wrong).toEqual([]);
  });

  it("has each net that comes with ludoflow make a move, with as few simulations as it is asked for", async () => {
    const { page, wrong } = await site.page("/play");
    const { games } = (await page.evaluate(
      `fetch("/api/play/offers").then((answer) => answer.json())`,
    )) as PlayOffers;
    const nets = games.flatMap(({ players, rules }) =>
      players.filter(({ kind }) => kind === "net").map((player) => ({ ...player, rules })),
    );
    expect(nets.length).toBeGreaterThanOrEqual(6);
    page.setDefaultTimeout(PATIENCE_MS);
    for (const { key, name, rules, seats } of nets) {
      const chosen = new URLSearchParams({ player: key, sims: "1" });
      await page.goto(new URL(`/play/${rules}?${chosen.toString()}`, site.link).href);
      // The net moves first: the seats change places.
      const seat = (n: number) => page.locator(".set-up-table .field [role=group]").nth(n);
      await seat(1).getByText("Player", { exact: true }).click();
      await seat(seats.length).getByText("You", { exact: true }).click();
      await page.locator(".set-up .main").click();
      await turn(page);
      // If the cards let the person begin, the net follows.
      if ((await decisions(page)) === 0) {
        await page.keyboard.press("h");
        await page.waitForSelector(".hint b");
        await page.keyboard.press("Enter");
        await expect.poll(() => decisions(page), { timeout: 60_000 }).toBeGreaterThan(1);
      }
      expect(await decisions(page), key).toBeGreaterThan(0);
      expect(await page.textContent(".level h2 >> nth=-1"), key).toContain(name);
      expect(await page.textContent(".level [aria-pressed=true] >> nth=-1"), key).toBe("1");
    }
    expect(wrong).toEqual([]);
  });

  it("gives the player another number of simulations in the midst of a game, which its next move has", async () => {
    const { page, wrong } = await begun("connect-four", "uct");
    const levels = page.getByRole("group", { name: "Simulations a move" });
    await levels.getByText("16", { exact: true }).click();
    await expect.poll(() => levels.locator("[aria-pressed=true]").textContent()).toBe("16");
    await page.keyboard.press("k");
    await page.waitForSelector("text=16 simulations.");
    await levels.getByText("256", { exact: true }).click();
    await page.waitForSelector("text=256 simulations.");
    await page.keyboard.press("k");
    await page.locator(".board-canvas svg").click();
    await expect.poll(() => decisions(page), { timeout: 60_000 }).toBe(2);
    await turn(page);
    expect(await page.textContent(".player-line")).toContain("256 simulations");
    expect(await page.textContent(".level p")).toMatch(/^About .* a move here\./);
    expect(wrong).toEqual([]);
  });

  it("hands the browser over between people with hidden hands: no card is sent before it is asked for", async () => {
    const { page, wrong } = await site.page("/play/daihinmin?player=search:daihinmin:default");
    page.setDefaultTimeout(PATIENCE_MS);
    for (const seat of [1, 2, 3, 4]) {
      const group = page.locator(".set-up-table .field [role=group]").nth(seat - 1);
      await group.getByText("You", { exact: true }).click();
    }
    await page.locator(".set-up .main").click();
    const shows = page.getByRole("button", { name: /^Show the cards of / });
    await page.waitForSelector(".play");
    const id = new URL(page.url()).pathname.split("/").at(-1)!;
    const seen = new Set<string>();
    for (let i = 0; i < 6; i++) {
      await shows
        .or(page.locator("h1", { hasText: /to move\.|Your move\./ }))
        .first()
        .waitFor();
      if (await shows.isVisible()) {
        // The turn is shown; no hand is.
        const hidden = await streamed(page, id);
        const open = handsIn(hidden).filter(Boolean).length;
        expect(open).toBeLessThanOrEqual(hidden.seenBy === undefined ? 0 : 1);
        expect(hidden.seenBy).not.toBe(hidden.toMove);
        expect(hidden.moves).toEqual([]);
        await shows.click();
        await shows.waitFor({ state: "detached" });
      }
      const mine = await streamed(page, id);
      if (mine.toMove === undefined || mine.moves.length === 0) continue;
      expect(handsIn(mine)).toEqual([0, 1, 2, 3, 4].map((seat) => seat === mine.toMove));
      seen.add(String(mine.toMove));
      const before = await decisions(page);
      await page.keyboard.press("h");
      await page.waitForSelector(".hint b");
      await page.keyboard.press("Enter");
      await expect.poll(() => moves(page, before, 1000), { timeout: 60_000 }).toBe(true);
    }
    expect(seen.size).toBeGreaterThan(1);
    expect(wrong).toEqual([]);
  });

  it("marks no legal moves, few or all of them, as the address says", async () => {
    const { page, wrong } = await begun("go", "size=5:random");
    const dots = page.locator(".board-canvas svg > circle");
    const choice = page.getByRole("group", { name: "Legal moves" });
    const few = await dots.count();
    await choice.getByText("none").click();
    await expect.poll(() => dots.count()).toBeLessThan(few + 1);
    const none = await dots.count();
    await choice.getByText("all").click();
    await expect.poll(() => dots.count()).toBe(none + 25);
    expect(new URL(page.url()).searchParams.get("legal")).toBe("all");
    await page.goto(new URL("/play/blokus-duo?player=search:blokus-duo:random", site.link).href);
    await page.locator(".set-up .main").click();
    await turn(page);
    const corners = await dots.count();
    await choice.getByText("all").click();
    await expect.poll(() => dots.count()).toBeGreaterThan(corners + 10);
    expect(wrong).toEqual([]);
  });

  it("stops a player that thinks long, keeps the game, and lets another one play", async () => {
    writeFileSync(join(site.folder, "slow.yaml"), SLOW);
    expect(await ended(site.start("run", "slow.yaml", "--out", "runs/slow/A"))).toBe(0);
    const { page } = await site.page(`/play/tic-tac-toe?player=${encodeURIComponent("run:slow/A#slow")}`);
    await page.getByRole("group", { name: "Seat 1" }).getByText("Player").click();
    await page.getByRole("group", { name: "Seat 2" }).getByText("You").click();
    await page.locator(".set-up .main").click();
    const stop = page.locator("button", { hasText: "Stop thinking" });
    await stop.click();
    await page.waitForSelector("text=was stopped after");
    await page.locator(".notice select").selectOption("search:tic-tac-toe:random");
    await turn(page);
    expect(await decisions(page)).toBe(1);
  });

  it("has nothing that axe finds, and nothing that scrolls sideways, on phones and large screens in both themes", async () => {
    const screens = [
      [390, "dark"],
      [1280, "light"],
      [2560, "dark"],
    ] as const;
    const looked = async (page: Page) => {
      for (const [width, theme] of screens) {
        await page.setViewportSize({ width, height: 900 });
        await page.emulateMedia({ colorScheme: theme });
        expect(await findings(page)).toEqual([]);
        expect(await page.evaluate("document.documentElement.scrollWidth")).toBeLessThanOrEqual(width);
      }
    };
    // One game of each: a server has a bounded number of them.
    for (const rules of ["2048", "blokus-duo", "daihinmin", "go"]) {
      const { page } = await begun(rules, rules === "daihinmin" ? "default" : "random");
      await page.keyboard.press("k");
      await page.waitForSelector(".thinking p b");
      await looked(page);
      for (const path of rules === "go" ? ["/play", "/play/blokus"] : []) {
        await page.goto(new URL(path, site.link).href);
        await page.waitForSelector(".game-picture svg");
        await looked(page);
      }
    }
  });
});

/** Waits for a turn of this browser. */
async function turn(page: Page): Promise<void> {
  await page.locator("h1", { hasText: "Your move." }).waitFor();
}

/** Waits for a turn or the end; returns whether the game is over. */
async function turnOrEnd(page: Page): Promise<boolean> {
  const yours = page.locator("h1", { hasText: "Your move." });
  await yours.or(page.getByText("Play again")).first().waitFor();
  return await isOver(page);
}

async function isOver(page: Page): Promise<boolean> {
  return (await page.locator("text=Play again").count()) > 0;
}

/** The number of decisions so far, from the board's label. */
async function decisions(page: Page): Promise<number> {
  const label = await page.locator(".board-place").getAttribute("aria-label");
  return Number(/([\d,]+) moves? played/.exec(label ?? "")?.[1]?.replaceAll(",", ""));
}

/** Whether the game has gone on since, or has ended, within a time. */
async function moves(page: Page, before: number, within: number): Promise<boolean> {
  for (const until = performance.now() + within; performance.now() < until; await page.waitForTimeout(10))
    if ((await decisions(page)) !== before || (await isOver(page))) return true;
  return false;
}

/** The folder of the run that has the stored game. */
async function storedRun(page: Page): Promise<string> {
  const href = (await page.locator("text=Look at the game").getAttribute("href"))!;
  return href.slice(1).split("/").slice(0, 3).join("/");
}

/** Presses legal cells, and passes if there are none, until the game is over. */
async function playCells(page: Page): Promise<void> {
  while (!(await turnOrEnd(page))) {
    const before = await decisions(page);
    const pass = page.locator(".move-buttons button", { hasText: "pass" });
    // The board may be drawn anew while the mouse is on its way, on a busy machine: then it is pressed again.
    const press = async () => {
      if ((await pass.count()) > 0) {
        await pass.click();
        return moves(page, before, 10_000);
      }
      const { x, y } = (await page.evaluate(
        `(() => { const dots = [...document.querySelectorAll(".board-canvas svg > circle")]; const { x, y, width, height } = dots.at(-1).getBoundingClientRect(); return { x: x + width / 2, y: y + height / 2 }; })()`,
      )) as { readonly x: number; readonly y: number };
      await page.mouse.click(x, y);
      return moves(page, before, 10_000);
    };
    await expect.poll(press, { timeout: 60_000 }).toBe(true);
  }
}

/** What the server sends to this browser of a game. */
async function streamed(page: Page, id: string): Promise<PlayView> {
  return (await page.evaluate(
    `fetch("/api/live?once&topic=game/${id}").then((response) => response.text()).then((text) => JSON.parse(text.slice(text.indexOf(" game ") + 6)))`,
  )) as PlayView;
}

/** By seat: whether its cards are shown. */
function handsIn({ board }: PlayView): boolean[] {
  return board?.kind === "cards" ? board.hands.map(({ cards }) => cards !== undefined) : [];
}

/** Each listed move's seat, and the colour beside it. */
const SEAT_COLOURS = `[...document.querySelectorAll(".played li")].map((each) => [/Seat \\d/.exec(each.textContent)[0], getComputedStyle(each.querySelector(".swatch")).backgroundColor])`;

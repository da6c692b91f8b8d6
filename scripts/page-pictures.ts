// `npm run page-pictures -- FOLDER OUT`: pictures of the page of the runs in a folder, in both themes, as docs/page has them. A run of each
// further state is shown too. Debian's package chromium has the browser.
import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { type Browser, chromium } from "playwright-core";
import { startPageServer } from "../src/web/server/page-server.ts";

const [folder = "runs", out = "page-pictures"] = process.argv.slice(2);
const viewport = { width: 1280, height: 900 };
/** Of WebP, in per cent. */
const QUALITY = 65;

const server = await startPageServer(folder);
const browser = await chromium.launch({ executablePath: "/usr/bin/chromium", args: ["--no-sandbox"] });
mkdirSync(out, { recursive: true });
try {
  for (const [name, path] of await addresses(browser))
    for (const theme of ["light", "dark"] as const) await picture(name, path, theme);
} finally {
  await browser.close();
  await server.close();
}

/** The pages to show: those of the first of several runs of one name, a comparison of these, and a run of each other state. */
async function addresses(browser: Browser): Promise<(readonly [name: string, path: string])[]> {
  const page = await browser.newPage();
  await page.goto(server.link);
  const games = async (path: string) => {
    const { games: newest } = (await page.evaluate(
      `fetch("/api/newest-games/${path}?count=1").then((answer) => answer.json())`,
    )) as { readonly games: readonly { readonly stage: string; readonly game: number }[] };
    return newest.map(
      ({ game, stage }) =>
        ["game", `/runs/${path}/games/${encodeURIComponent(stage)}/${game}?ply=41`] as const,
    );
  };
  const { runs } = (await page.evaluate(`fetch("/api/runs").then((answer) => answer.json())`)) as {
    readonly runs: readonly { readonly name: string; readonly path: string; readonly condition: string }[];
  };
  const groups = [...Map.groupBy(runs, ({ name }) => name).values()];
  const pair = groups.find(({ length }) => length > 1)?.slice(0, 3) ?? [];
  const run = pair[0] ?? runs[0];
  const states = [...Map.groupBy(runs, ({ condition }) => condition)].filter(
    ([condition]) => condition !== run?.condition,
  );
  const game = run === undefined ? [] : await games(run.path);
  await page.close();
  return [
    ["runs", "/"],
    ["start", "/start"],
    ["play", "/play"],
    ["table", "/play/blokus"],
    ...(run === undefined
      ? []
      : ([
          ["run", `/runs/${run.path}`],
          ["charts", `/runs/${run.path}/charts`],
          ["games", `/runs/${run.path}/games`],
          ...game,
        ] as const)),
    ...(pair.length < 2
      ? []
      : ([["compare", `/compare?runs=${pair.map(({ path }) => path).join(",")}`]] as const)),
    ...states.map(([condition, [first]]) => [`run-${condition}`, `/runs/${first!.path}`] as const),
  ];
}

async function picture(name: string, path: string, theme: "light" | "dark"): Promise<void> {
  const context = await browser.newContext({ viewport, colorScheme: theme });
  const page = await context.newPage();
  await page.goto(server.link);
  await page.goto(new URL(path, server.link).href);
  await page.waitForSelector("h1:not(.loading)");
  if (name === "table") {
    // A game in progress, a piece in the hand.
    await page.locator(".set-up .main").click();
    await page.locator(".tray button:enabled").first().click();
  }
  // Charts are drawn where they are in sight, a moment after they come there.
  await page.waitForTimeout(1500);
  const devtools = await context.newCDPSession(page);
  const { data } = await devtools.send("Page.captureScreenshot", { format: "webp", quality: QUALITY });
  writeFileSync(join(out, `${name}-${viewport.width}-${theme}.webp`), Buffer.from(data, "base64"));
  await context.close();
}

import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { afterAll, expect, it } from "vitest";
import { agent, play } from "../../src/api/index.ts";
import { openGameOf } from "../../src/api/games.ts";
import { definedGame } from "../../src/games/define-game.ts";
import { addGame, games, openGame } from "../../src/games/registry.ts";
import { brokenLaws } from "../../src/plugins/game-laws.ts";

const root = new URL("../../", import.meta.url);
const folder = mkdtempSync(join(tmpdir(), "ludoflow-test-"));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

/** The imports of a game in `src/games/nim`, as docs/add-a-game.md has them. */
const imports = /```ts\n(import [^]*?)```/.exec(
  readFileSync(new URL("docs/add-a-game.md", root), "utf8"),
)![1]!;

it("plays the game of new projects as one of the sources, with other imports and a line in the registry", async () => {
  const plugin = readFileSync(new URL("template/games/nim.ts", root), "utf8");
  const moved = plugin.replace(/^import .* from "ludoflow";\n/m, imports);
  expect(moved).not.toBe(plugin);
  const file = join(folder, "nim.ts");
  writeFileSync(
    file,
    moved.replaceAll(
      /(?<=from ")\..*(?=";$)/gm,
      (path) => new URL(path, new URL("src/games/nim/", root)).href,
    ),
  );
  const { default: nim } = (await import(pathToFileURL(file).href)) as { readonly default: unknown };
  addGame(definedGame(nim)!);
  expect(games.map(({ name }) => name)).toContain("nim");
  const game = openGame("nim", { heaps: 3 });
  expect(brokenLaws(game)).toEqual([]);
  expect([game.maxLegal, game.returnBounds]).toEqual([15, [0, 1]]);
  expect(game.notation.position(game.initial())).toBe('{"heaps":[1,3,5],"toMove":0,"winner":-1}');
  expect(game.drawing.svg(game.initial())).toMatch(/^<svg [^]*>c \|{5}<\/text>/);
  const opened = await openGameOf("nim", { heaps: 2 });
  const { returns } = await play(opened, await agent(opened, { use: "uct", simulations: 50 }));
  expect(returns.reduce((sum, each) => sum + each)).toBe(1);
});

import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { afterAll, describe, expect, it } from "vitest";
import { OVER } from "../../src/games/game.ts";
import { openGame } from "../../src/games/registry.ts";
import { loadPlugin, PluginInvalid } from "../../src/plugins/load-plugins.ts";
import { startWorker, workerModule } from "../../src/workers/worker-thread.ts";
import { Random } from "../../src/random.ts";

const hex = join(import.meta.dirname, "../../examples/own-game/hex.ts");

// Threads load all plug-ins that were loaded before, so these stay until the end.
const scratch = mkdtempSync(join(tmpdir(), "ludoflow-test-"));
afterAll(() => rmSync(scratch, { recursive: true, force: true }));

function fileOf(files: Readonly<Record<string, string>>): string {
  const folder = mkdtempSync(join(scratch, "plug-in-"));
  for (const [name, text] of Object.entries(files)) {
    mkdirSync(dirname(join(folder, name)), { recursive: true });
    writeFileSync(join(folder, name), text);
  }
  return join(folder, Object.keys(files)[0]!);
}

function complaintOf(files: Readonly<Record<string, string>>): string {
  const file = fileOf(files);
  try {
    loadPlugin(file);
  } catch (error) {
    expect(error).toBeInstanceOf(PluginInvalid);
    return (error as Error).message.replaceAll(`${dirname(file)}/`, "");
  }
  throw new Error("it was loaded");
}

const small = (name: string, more = "") => `import { defineGame, OVER } from "ludoflow";
export default defineGame({
  name: "${name}", description: "Two moves.", players: 2,
  create: (_, rules) => rules({
    actions: 2,
    initial: () => ({ plies: 0, taken: [] as number[] }),
    toMove: (state) => (state.plies === 2 ? OVER : state.plies),
    legal: (state, out) => { out[0] = 0; out[1] = 1; return state.plies === 2 ? 0 : 2; },
    play: (state, action) => { state.plies++; state.taken.push(action); },
    copy: (from, into) => { into.plies = from.plies; into.taken = [...from.taken]; },
    returns: (state, out) => { out[0] = state.taken[0] === 1 ? 1 : 0; out[1] = 1 - out[0]; },
    ${more}
  }),
});
`;

describe("a plug-in with a game", () => {
  it("can be opened by its name, with the defaults of its options, and plays to an end", () => {
    expect(loadPlugin(hex).defines).toEqual([{ kind: "game", name: "hex" }]);
    expect(openGame("hex").actions).toBe(121);
    expect(() => openGame("hex", { size: 1 })).toThrow(/hex: size.*2/);
    const game = openGame("hex", { size: 4 });
    const random = Random.named("hex");
    const legal = new Int32Array(game.maxLegal);
    for (let n = 0; n < 20; n++) {
      const state: unknown = game.initial();
      const returns = new Float64Array(2);
      while (game.toMove(state) !== OVER) game.play(state, legal[random.below(game.legal(state, legal))]!);
      game.returns(state, returns);
      expect([...returns].toSorted((a, b) => a - b)).toEqual([0, 1]);
      const text = game.notation.position(state);
      const reading = game.notation.parsePosition(text);
      expect("state" in reading && game.notation.position(reading.state)).toBe(text);
      expect(game.drawing.svg(state)).toContain("<svg");
    }
  });

  it("is loaded once, with the hash of all its files", () => {
    const files = {
      "one.ts": `import { two } from "./inner/two.ts";\nimport type { Three } from "./three.ts";\n${small("twice")}\nexport const three = two;\n`,
      "inner/two.ts": "export const two = 2;\n",
      "three.ts": "export type Three = 3;\n",
    };
    const file = fileOf(files);
    const plugin = loadPlugin(file);
    expect(plugin.files.map(({ path }) => path.slice(dirname(file).length))).toEqual([
      "/inner/two.ts",
      "/one.ts",
    ]);
    expect(loadPlugin(file)).toBe(plugin);
  });

  it("needs six functions: moves are numbers, positions states as JSON", () => {
    loadPlugin(fileOf({ "six.ts": small("six") }));
    const game = openGame("six");
    const state: unknown = game.initial();
    game.play(state, 1);
    expect([game.maxLegal, game.returnBounds]).toEqual([2, [0, 1]]);
    expect(game.notation.position(state)).toBe('{"plies":1,"taken":[1]}');
    expect([
      game.notation.parse(state, "1"),
      game.notation.parse(state, "2"),
      game.notation.parse(state, "01"),
    ]).toEqual([1, undefined, undefined]);
    for (const text of ["{}", "[1]", "x", '{"plies":"1","taken":[]}', '{"plies":1,"taken":[],"more":1}'])
      expect(game.notation.parsePosition(text)).toMatchObject({ error: { code: "ERR_SYNTAX" } });
  });
});

describe("a plug-in in the threads that are started after it", () => {
  const answer = (game: string) =>
    new Promise<unknown>((resolve) => {
      const module = workerModule("game-thread", import.meta.url);
      const thread = startWorker<never, unknown>({ name: "game", module, data: game });
      const end = (what: unknown) => void thread.stop().then(() => resolve(what));
      thread.onMessage(end);
      thread.onCrash(({ reason }) => end(reason));
    });

  it("is there, and has not changed meanwhile", async () => {
    const file = fileOf({ "seven.ts": small("seven") });
    loadPlugin(file);
    expect(await answer("seven")).toBe('{"plies":0,"taken":[]}');
    writeFileSync(file, small("seven").replace("Two moves.", "2 moves."));
    expect(await answer("seven")).toMatch(
      /seven\.ts: it, or a file that it imports, has changed since the command began/,
    );
  });
});

describe("a plug-in that cannot be used", () => {
  it("is told with its file and line, and what to do", () => {
    expect(complaintOf({ "a.ts": "export const x = 1;\nexport default {{;\n" })).toMatch(
      /^a\.ts:2: Unexpected token/,
    );
    expect(complaintOf({ "a.ts": "\nenum X { A }\nexport default X;\n" })).toMatch(
      /^a\.ts:2: TypeScript enum .*write constants/,
    );
    expect(complaintOf({ "a.ts": "const x = await 1;\nexport default x;\n" })).toBe(
      "a.ts: a plug-in is loaded at once: it has no await outside of functions",
    );
    expect(complaintOf({ "a.ts": '\nexport default 1;\nthrow new Error("boom");\n' })).toBe("a.ts:3:7: boom");
    expect(
      complaintOf({
        "a.ts": 'import x from "./b.ts";\nexport default x;\n',
        "b.ts": "export default null!.x;\n",
      }),
    ).toMatch(/^b\.ts:1:\d+: Cannot read/);
    expect(complaintOf({ "a.ts": 'import x from "./none.ts";\nexport default x;\n' })).toMatch(
      /^a\.ts: Cannot find module 'none\.ts'/,
    );
    expect(complaintOf({ "a.ts": "export const x = 1;\n" })).toMatch(/^a\.ts: it has no default export/);
    expect(complaintOf({ "a.ts": "export default [{}];\n" })).toBe(
      "a.ts: entry 1 of its default export is not made by defineGame, defineNet, defineSearch or defineStage",
    );
  });

  it("may not take a name that is taken", () => {
    expect(complaintOf({ "a.ts": small("go") })).toBe(
      'a.ts: ludoflow has a game "go" of its own; choose another name',
    );
    loadPlugin(fileOf({ "mine.ts": small("mine") }));
    expect(complaintOf({ "other.ts": small("mine") })).toMatch(
      /^other\.ts: the game "mine" is defined by .*mine\.ts already/,
    );
  });

  it("is told what cannot be derived", () => {
    loadPlugin(
      fileOf({
        "map.ts": small("map").replace("taken: [] as number[]", "taken: [] as number[], map: new Map()"),
      }),
    );
    expect(() => openGame("map")).toThrow(
      "map: notation.position and notation.parsePosition are missing, and positions cannot be written as JSON: state.map is a Map",
    );
    loadPlugin(fileOf({ "half.ts": small("half", 'notation: { format: () => "x" },') }));
    expect(() => openGame("half")).toThrow("half: notation.parse is missing: it undoes notation.format");
  });
});

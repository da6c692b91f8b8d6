import { mkdirSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { describe, expect, it } from "vitest";
import { scratchFolder } from "../formats/scratch-folder.ts";
import { OVER } from "../../src/games/game.ts";
import { openGame } from "../../src/games/registry.ts";
import { loadPlugin, PluginInvalid } from "../../src/plugins/load-plugins.ts";
import { placedMessage } from "../../src/messages/outside-place.ts";
import { Random } from "../../src/random.ts";
import { small } from "./small-game.ts";

const hex = join(import.meta.dirname, "../../examples/own-game/hex.ts");

function fileOf(files: Readonly<Record<string, string>>): string {
  const folder = scratchFolder();
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

describe("a plug-in that cannot be used", () => {
  it("is reported with its file and line, and what to do", () => {
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
    const imports = (specifier: string) =>
      complaintOf({
        "a.ts": `\nimport x from "${specifier}";\nexport default x;\n`,
        "in/b.ts": "",
        "in/index.ts": "",
      });
    expect(imports("./none.ts")).toBe('a.ts:2: there is no file "./none.ts"');
    for (const specifier of ["./in/b", "./in/b.js"])
      expect(imports(specifier)).toBe(
        `a.ts:2: there is no file "${specifier}"; write "./in/b.ts", because Node adds no extensions`,
      );
    expect(imports("./in")).toMatch(/^a\.ts:2: there is no file ".\/in"; write ".\/in\/index.ts"/);
    expect(imports("no-such-package")).toMatch(
      /^a\.ts:2: the package "no-such-package" is not installed in .*; npm install no-such-package$/,
    );
    expect(complaintOf({ "a.ts": "export const x = 1;\n" })).toMatch(/^a\.ts: it has no default export/);
    expect(complaintOf({ "a.ts": "export default [{}];\n" })).toBe(
      "a.ts: entry 1 of its default export is not made by defineGame, defineNet, defineSearch or defineStage",
    );
  });

  it("is reported if a package that it imports has a damaged package.json, and if it exports nothing", () => {
    for (const manifest of ["null", "{", "[]"])
      expect(
        complaintOf({
          "a.ts": 'import { b } from "dep";\nexport default b;\n',
          "node_modules/dep/package.json": manifest,
          "node_modules/dep/index.js": "export const b = 1;\n",
        }),
      ).toMatch(/package config .*node_modules\/dep\/package\.json/);
    expect(complaintOf({ "a.cjs": "module.exports = null;\n" })).toMatch(/^a\.cjs: it has no default export/);
  });

  it("gets a message with all that is wrong with a definition, at its place", () => {
    const messageOf = (code: string) =>
      complaintOf({
        "a.ts": `import { defineGame, defineNet, defineSearch, defineStage, integer } from "ludoflow";\nexport default\n  ${code};\n`,
      }).split("\n");
    const size = (more: string) => `options: { size: integer({ min: 2, max: 4, ${more} }) }`;
    expect(messageOf('defineGame({ name: "my game", descripton: "x.", players: 0, create: 3 })')).toEqual([
      expect.stringMatching(/^a\.ts:3:3: defineGame: "name" must be a text of letters.* and is "my game"$/),
      'a.ts:3:3: defineGame: "description" is missing: it must be a sentence, for lists',
      'a.ts:3:3: defineGame: "players" must be a whole number from 1 on, and is 0',
      'a.ts:3:3: defineGame: "create" must be a function, and is 3',
      expect.stringMatching(/unknown key "descripton"; did you mean "description"\? \(known: name, /),
    ]);
    const create = 'name: "x", description: "x.", create() {}';
    expect(messageOf(`defineSearch({ ${create}, ${size('default: 9, description: ""')} })`)).toEqual([
      "a.ts:3:3: defineSearch: options.size has no description",
      "a.ts:3:3: defineSearch: options.size: its default, 9, is none of its values",
    ]);
    expect(messageOf(`defineSearch({ ${create}, needs: { value: true }, best: "value" })`)).toEqual([
      expect.stringMatching(
        /"needs" must be an object of values: true and policy: true, and is {"value":true}$/,
      ),
      expect.stringMatching(/"best" must be "values" or "visits" or "neither", and is "value"$/),
    ]);
    expect(messageOf(`defineSearch({ ${create}, options: { use: 1 } })`)).toEqual([
      expect.stringMatching(/options\.use: files use "use" for something else/),
    ]);
    expect(messageOf('defineNet({ name: "x", description: "x.", heads: {}, build() {} })')).toEqual([
      expect.stringMatching(/"heads" must be a function, or { value, policy } of which at least one is true/),
    ]);
    expect(
      messageOf('defineStage({ name: "x", description: "x.", reads: "weights", gives: "games", run() {} })'),
    ).toEqual(['a.ts:3:3: defineStage: only a stage that reads "games" gives "games"']);
    expect(messageOf("defineGame(7)")).toEqual([
      expect.stringMatching(/defineGame: it takes an object with the keys name, /),
    ]);
  });

  it("gets a message about its rules, at the definition", () => {
    const reason = (name: string, change: (text: string) => string) => {
      loadPlugin(fileOf({ "rules.ts": change(small(name)) }));
      try {
        openGame(name);
      } catch (error) {
        return placedMessage(error).replace(/^.*?(?=rules\.ts)/, "");
      }
      return "none";
    };
    expect(reason("rules-a", (text) => text.replace("legal:", "legl:").replace("play:", "played:"))).toBe(
      "rules.ts:2:16: rules-a: its rules have no legal (a function), play (a function); see docs/plugins.md#a-game",
    );
    expect(reason("rules-b", (text) => text.replace("actions: 2", "actions: 0"))).toMatch(
      /actions is 0; it must be/,
    );
    expect(reason("rules-c", (text) => text.replace("actions: 2", "actions: 2, symetry: {}"))).toMatch(
      /"symetry", which is not a part of rules; did you mean "symmetry"\?$/,
    );
    expect(
      reason("rules-d", (text) =>
        text.replace("actions: 2", "actions: 2, nets: { planes: { all: { shape: [1, 2] } } }"),
      ),
    ).toMatch(/nets\.planes\.all must be { shape: \[height, width, channels\], write/);
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

  it("gets a message about what cannot be derived", () => {
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

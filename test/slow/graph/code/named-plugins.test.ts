import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { checkGraph, checkKnownParts } from "../../../../src/graph/check-graph.ts";
import { drawConnections } from "../../../../src/graph/draw-graph.ts";
import { readExperiment } from "../../../../src/graph/experiment-file.ts";
import { pluginCode } from "../../../../src/graph/code/outside-code.ts";
import { CodeNotAllowed, type Permit, permitAllowed } from "../../../../src/graph/code/permission.ts";
import {
  changedPlugins,
  pluginExcuses,
  PLUGINS_CHANGED,
  pluginsOfRun,
  type RunPlugins,
} from "../../../../src/graph/folder/run-plugins.ts";
import { check, loadPlugins, run } from "../../../../src/api/index.ts";
import { readKnown, readPermitted } from "../../../../src/graph/read-permitted.ts";
import { ExperimentInvalid } from "../../../../src/graph/problem.ts";

const hex = readFileSync(join(import.meta.dirname, "../../../../examples/own-game/hex.ts"), "utf8");
const scratch = mkdtempSync(join(tmpdir(), "ludoflow-test-"));
let before: string | undefined;
beforeAll(() => {
  before = process.env["XDG_CONFIG_HOME"];
  process.env["XDG_CONFIG_HOME"] = join(scratch, "settings");
});
afterAll(() => {
  if (before === undefined) delete process.env["XDG_CONFIG_HOME"];
  else process.env["XDG_CONFIG_HOME"] = before;
  rmSync(scratch, { recursive: true, force: true });
});
const permitAll: Permit = () => undefined;

/** Writes files into a new folder; the path of the first. */
function write(files: Readonly<Record<string, string>>): string {
  const folder = mkdtempSync(join(scratch, "files-"));
  for (const [name, text] of Object.entries(files)) {
    mkdirSync(dirname(join(folder, name)), { recursive: true });
    writeFileSync(join(folder, name), text);
  }
  return join(folder, Object.keys(files)[0]!);
}

/** An experiment with a game that a plug-in defines; `named` names the plug-in. */
const experiment = (rules: string, named: string, options = "") => `
name: own
seed: 1
plugins: [${named}]
game: { rules: ${rules}${options} }
agents:
  uct: { use: uct, simulations: 20 }
  random: { use: random }
graph:
  match: { use: arena, agents: [uct, random], games: 2 }
`;
const game = (name: string) => hex.replace('name: "hex"', `name: "${name}"`);

/** The problems of an experiment that are found when it may load everything. */
async function problemsOf(file: string): Promise<string[]> {
  try {
    checkGraph(await readPermitted(file, [], permitAll));
    return [];
  } catch (error) {
    if (!(error instanceof ExperimentInvalid)) throw error;
    return error.problems.map(({ line, column, message }) => `${line}:${column} ${message}`);
  }
}

describe("an experiment that names plug-ins", () => {
  it("is checked with what they define, once they are permitted", async () => {
    const file = write({ "a.yaml": experiment("hexa", "./hexa.ts", ", size: 3"), "hexa.ts": game("hexa") });
    await expect(readPermitted(file, [], permitAllowed)).rejects.toThrow(
      /a\.yaml names a plug-in: .*hexa\.ts\n[^]*--allow-code/,
    );
    const known = await readKnown(file, [], permitAllowed);
    expect([known.notLoaded, known.unchecked, known.problems]).toEqual([
      [join(dirname(file), "hexa.ts")],
      ["/game"],
      [],
    ]);
    checkKnownParts(known);
    expect(() => checkGraph(known)).toThrow(/game: nothing of ludoflow has this name, and not loaded was/);
    expect(drawConnections(known.experiment.graph)).toBe('flowchart LR\n  match["<b>match: arena</b>"]\n');

    const read = await readPermitted(file, [], permitAll);
    expect(read.experiment.plugins).toEqual([join(dirname(file), "hexa.ts")]);
    expect(checkGraph(read).opened.game.actions).toBe(9);
    // What a plug-in defines is known to the files that name it.
    const other = write({ "b.yaml": experiment("hexa", "") });
    expect(await problemsOf(other)).toEqual([
      expect.stringMatching(/^5:16 the game "hexa" is defined by .*hexa\.ts, which this file does not name/),
    ]);
    const large = write({ "c.yaml": experiment("hexa", join(dirname(file), "hexa.ts"), ", size: 30") });
    expect(await problemsOf(large)).toEqual([expect.stringMatching(/^5:28 .*19/)]);
  });

  it("needs a permission for each call of a program, or its plug-in named by the program", async () => {
    const file = write({ "a.yaml": experiment("hexf", "./f.ts"), "f.ts": game("hexf") });
    expect((await check(file, { allowCode: true })).problems).toEqual([]);
    // Loaded is not allowed.
    for (const refused of [() => check(file), () => run(file)])
      await expect(refused()).rejects.toMatchObject({
        code: "ERR_CODE_NOT_ALLOWED",
        message: expect.stringMatching(
          /f\.ts\n[^]*load the plug-in before with: await loadPlugins\(PATH\), or give run, resume or check/,
        ) as string,
      });
    await loadPlugins(join(dirname(file), "f.ts"));
    expect((await check(file)).problems).toEqual([]);
  });

  it("is checked in what does not depend on them if they may not be loaded", async () => {
    const text = experiment("hexb", "./hexb.ts")
      .replace("simulations: 20", "simulation: 20")
      .replace("{ use: random }", "{ use: mine, strength: 1 }")
      .replace("games: 2 }", "games: 2 }\n  next: { use: checkpoint, from: match }");
    const known = await readKnown(write({ "a.yaml": text, "hexb.ts": game("hexb") }), [], permitAllowed);
    expect(known.unchecked).toEqual(["/game", "/agents/random"]);
    expect(() => checkKnownParts(known)).toThrow(
      /:7:20: agents\.uct\.simulation: unknown key[^]*:11:34: graph\.next\.from: checkpoint reads weights here/,
    );
  });

  it("names files relative to the file that says so, and packages from there", async () => {
    const file = write({
      "a.yaml": "extends: base/b.yaml\nname: above\n",
      "base/b.yaml": experiment("hexc", "./c.ts, hex-package"),
      "base/c.ts": game("hexc"),
      "base/node_modules/hex-package/package.json":
        '{"name":"hex-package","version":"1.2.0","type":"module","exports":{".":{"import":"./main.js"}}}',
      "base/node_modules/hex-package/main.js": 'export { default } from "./inner.js";\n',
      "base/node_modules/hex-package/inner.js":
        'import { defineSearch } from "ludoflow";\nexport default defineSearch({ name: "inner", description: "x.", create: () => ({}) });\n',
    });
    const base = join(dirname(file), "base");
    const { experiment: read } = await readPermitted(file, [], permitAll);
    expect(read.plugins).toEqual([join(base, "c.ts"), join(base, "node_modules/hex-package/main.js")]);
    expect(checkGraph(readExperiment(file)).opened.game.name).toBe("hexc");
    expect(pluginCode(read.plugins![1]!, "a.yaml").what).toMatch(/, which imports hex-package@1\.2\.0$/);
  });

  it("is refused with those of them that cannot be found", async () => {
    const named = "none.ts, ./none.ts, no-such-package, ./folder";
    const file = write({ "a.yaml": experiment("none", named), "none.ts": "", "folder/x": "" });
    expect(await problemsOf(file)).toEqual([
      expect.stringMatching(
        /^4:11 "none.ts" is the name of a package; a file beside this one is written \.\/none\.ts/,
      ),
      expect.stringMatching(/^4:31 no package "no-such-package" is installed in /),
      expect.stringMatching(/^4:48 ".*folder" is a folder/),
    ]);
  });
});

describe("the permission for a plug-in", () => {
  it("holds for all files that it imports, and lets it import no others", async () => {
    const file = write({
      "a.yaml": experiment("hexd", "./d.ts"),
      "d.ts": `import { two } from "./inner/two.ts";\n${game("hexd")}`,
      "inner/two.ts": 'import data from "./data.json" with { type: "json" };\nexport const two = data;\n',
      "inner/data.json": "2",
      "hidden.ts": `globalThis.hidden = 1;\n`,
    });
    const plugin = join(dirname(file), "d.ts");
    const contents = new Set([pluginCode(plugin, "x").content]);
    for (const name of ["inner/two.ts", "inner/data.json", "d.ts"]) {
      const path = join(dirname(file), name);
      writeFileSync(path, `${readFileSync(path, "utf8")}\n`);
      contents.add(pluginCode(plugin, "x").content);
    }
    expect(contents.size).toBe(4);
    expect(pluginCode(plugin, "a file").what).toMatch(
      /d\.ts, which imports inner\/data\.json, inner\/two\.ts$/,
    );
    writeFileSync(
      plugin,
      `const name = "./hidden.ts";\nprocess.getBuiltinModule("node:module").createRequire(import.meta.url)(name);\n`,
    );
    await expect(readPermitted(file, [], permitAll)).rejects.toThrow(
      /d\.ts: it imports "\.\/hidden\.ts", which was not found when its files were read/,
    );
    expect(Object.hasOwn(globalThis, "hidden")).toBe(false);
    expect(() => permitAllowed([pluginCode(plugin, "x")])).toThrow(CodeNotAllowed);
  });
});

describe("the plug-ins of a run", () => {
  it("are kept without their code, and compared with what is there", async () => {
    const file = write({
      "a.yaml": experiment("hexe", "./e.ts"),
      "e.ts": `import "./inner/two.ts";\n${game("hexe")}`,
      "inner/two.ts": "export const two = 2;\n",
    });
    const read = await readPermitted(file, [], permitAll);
    const kept = JSON.parse(JSON.stringify(pluginsOfRun(read.experiment))) as RunPlugins;
    const plugin = join(dirname(file), "e.ts");
    const inner = join(dirname(file), "inner/two.ts");
    expect(kept.plugins).toMatchObject([
      { file: plugin, defines: [{ kind: "game", name: "hexe" }], files: [{ path: plugin }, { path: inner }] },
    ]);
    expect(pluginExcuses(kept)).toEqual([]);
    writeFileSync(inner, "export const two = 3;\n");
    expect(changedPlugins(kept)).toEqual([inner]);
    expect(pluginExcuses(kept)).toEqual([`its plug-ins have changed since: ${inner}`]);
    await expect(readPermitted(file, [], permitAll)).rejects.toThrow(/has changed since the command began/);
    rmSync(plugin);
    expect(changedPlugins(kept)).toEqual([`${plugin} (it is gone)`]);
    expect(pluginExcuses({ earlierPlugins: [{ until: "", plugins: [] }] })).toEqual([PLUGINS_CHANGED]);
  });
});

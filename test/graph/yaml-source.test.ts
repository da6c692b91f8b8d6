import { spawnSync } from "node:child_process";
import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { ExperimentInvalid } from "../../src/graph/problem.ts";
import { readSource } from "../../src/graph/yaml-source.ts";
import { packageRoot } from "../../src/package-root.ts";
import { scratchFolder } from "../formats/scratch-folder.ts";
import { casesOf } from "../number-of-cases.ts";

/** Writes files by name and returns the folder. */
function folderOf(files: Readonly<Record<string, string>>): string {
  const folder = scratchFolder();
  for (const [name, text] of Object.entries(files)) {
    mkdirSync(join(folder, name, ".."), { recursive: true });
    writeFileSync(join(folder, name), text);
  }
  return folder;
}

/** What is wrong with reading, without the folder. */
function complaintOf(
  files: Readonly<Record<string, string>>,
  file: string,
  set: readonly string[] = [],
): string {
  const folder = folderOf(files);
  try {
    readSource(join(folder, file), set);
  } catch (error) {
    expect(error).toBeInstanceOf(ExperimentInvalid);
    return (error as Error).message.replaceAll(`${folder}/`, "");
  }
  throw new Error("it was read");
}

const valueOf = (text: string, set: readonly string[] = []) =>
  readSource(join(folderOf({ "a.yaml": text }), "a.yaml"), set).value;

describe("readSource", () => {
  it("knows the place of every key and value", () => {
    const folder = folderOf({
      "a.yaml": "# first\nname: x\ngraph:\n  games: { use: a,\n    list: [1, {b: 2}] }\n  ? deep\n  : 5\n",
    });
    const { places, value } = readSource(join(folder, "a.yaml"));
    expect(value).toEqual({ name: "x", graph: { games: { use: "a", list: [1, { b: 2 }] }, deep: 5 } });
    const at = (pointer: string) => {
      const { key, value: found } = places.get(pointer)!;
      return [key.line, key.column, found.line, found.column];
    };
    expect(at("/name")).toEqual([2, 1, 2, 7]);
    expect(at("/graph/games")).toEqual([4, 3, 4, 10]);
    expect(at("/graph/games/use")).toEqual([4, 12, 4, 17]);
    expect(at("/graph/games/list/0")).toEqual([5, 12, 5, 12]);
    expect(at("/graph/games/list/1/b")).toEqual([5, 16, 5, 19]);
    expect(at("/graph/deep")).toEqual([6, 5, 7, 5]);
  });

  it("reports what is not there, not readable, or not a map", () => {
    const files = { "list.yaml": "- 1\n", "empty.yaml": "", "text.yaml": "hello" };
    expect(complaintOf(files, "none.yaml")).toBe(
      'none.yaml: no such file "none.yaml"; give the path of an experiment file',
    );
    expect(complaintOf({ "a/b.yaml": "" }, "a")).toBe(
      'a: "a" is a folder; give the path of an experiment file',
    );
    for (const file of Object.keys(files))
      expect(complaintOf(files, file)).toBe(`${file}:1:1: expected a map of keys and values at the top`);
  });

  it("reports every error of YAML with its place", () => {
    expect(complaintOf({ "a.yaml": "a: [1\nb: 2\n" }, "a.yaml")).toMatch(/^a\.yaml:2:1: YAML: /);
    expect(complaintOf({ "a.yaml": "a: 1\nb: 2\na: 3\n" }, "a.yaml")).toMatch(
      'a.yaml:3:1: the key "a" is given twice',
    );
    const page = Array.from({ length: 50 }, (_, i) => `<p>${i}: {</p>`).join("\n");
    const shown = complaintOf({ "a.yaml": page }, "a.yaml").split("\n");
    expect(shown).toHaveLength(21);
    expect(shown.at(-1)).toMatch(/^and \d+ more mistakes$/);
    expect(complaintOf({ "a.yaml": "a: *nowhere\n" }, "a.yaml")).toBe(
      "a.yaml:1:4: the alias *nowhere has no anchor before it",
    );
    expect(complaintOf({ "a.yaml": "b: 1\na: &a [*a]\n" }, "a.yaml")).toBe(
      "a.yaml:2:8: the alias *a is within its own anchor &a",
    );
    const levels = Array.from(
      { length: 9 },
      (_, i) => `a${i + 1}: &a${i + 1} [${Array(10).fill(`*a${i}`).join(", ")}]`,
    );
    expect(complaintOf({ "a.yaml": ["a0: &a0 [x]", ...levels].join("\n") }, "a.yaml")).toMatch(
      /YAML: Excessive alias/,
    );
  });

  it("takes anchors and aliases", () => {
    expect(valueOf("a: &x { b: 1 }\nc: *x\n")).toEqual({ a: { b: 1 }, c: { b: 1 } });
  });
});

describe("extends", () => {
  it("does not take what a file says of itself for people", () => {
    const folder = folderOf({
      "base.yaml": "name: base\ndescription: Long.\ncost: days\nseed: 1\n",
      "own.yaml": "extends: base.yaml\nname: own\n",
    });
    const { places, value } = readSource(join(folder, "own.yaml"));
    expect(value).toEqual({ name: "own", seed: 1 });
    expect(places.has("/description")).toBe(false);
  });

  const base = "name: base\nseed: 1\nnets:\n  v: { use: mlp, hidden: [1, 2], scale: 3 }\n  w: { use: mlp }\n";

  it("merges maps key by key, replaces all else, removes what is null", () => {
    const folder = folderOf({
      "base.yaml": base,
      "own.yaml": "extends: base.yaml\nseed: 2\nnets: { v: { hidden: [9] }, w: null, x: { use: mlp } }\n",
    });
    const { value } = readSource(join(folder, "own.yaml"));
    expect(value).toEqual({
      name: "base",
      seed: 2,
      nets: { v: { use: "mlp", hidden: [9], scale: 3 }, x: { use: "mlp" } },
    });
  });

  it("replaces a map as a whole if it is another thing", () => {
    const files = {
      "base.yaml": `${base}game: { rules: 2048, rows: 3 }\n`,
      "own.yaml": "extends: base.yaml\nnets: { v: { use: cnn22 } }\ngame: { rules: tic-tac-toe }\n",
      "same.yaml": "extends: base.yaml\nnets: { v: { use: mlp, scale: 4 } }\ngame: { rules: 2048 }\n",
    };
    const folder = folderOf(files);
    const own = readSource(join(folder, "own.yaml")).value;
    expect(own).toMatchObject({ game: { rules: "tic-tac-toe" } });
    expect((own["nets"] as Record<string, unknown>)["v"]).toEqual({ use: "cnn22" });
    expect(own["game"]).toEqual({ rules: "tic-tac-toe" });
    const same = readSource(join(folder, "same.yaml")).value;
    expect((same["nets"] as Record<string, unknown>)["v"]).toEqual({ use: "mlp", hidden: [1, 2], scale: 4 });
    expect(same["game"]).toEqual({ rules: 2048, rows: 3 });
  });

  it("follows chains, each file relative to the one that names it, and places lead to the right file", () => {
    const folder = folderOf({
      "deep/one.yaml": "a: { use: x, p: 1 }\nb: 1\nc: 1\n",
      "two.yaml": "extends: deep/one.yaml\na: { q: 2 }\nb: 2\n",
      "three.yaml": "extends: two.yaml\n\n\na: { r: 3 }\n",
    });
    const { value, places } = readSource(join(folder, "three.yaml"));
    expect(value).toEqual({ a: { use: "x", p: 1, q: 2, r: 3 }, b: 2, c: 1 });
    const where = (pointer: string) => {
      const place = places.get(pointer)!;
      return `${place.file.slice(folder.length + 1)}:${place.value.line}`;
    };
    expect(["/a", "/a/p", "/a/q", "/a/r", "/b", "/c"].map(where)).toEqual([
      "three.yaml:4",
      "deep/one.yaml:1",
      "two.yaml:2",
      "three.yaml:4",
      "two.yaml:3",
      "deep/one.yaml:3",
    ]);
    expect(places.has("/extends")).toBe(false);
  });

  it("takes an experiment of this package by its name, if no file has it", () => {
    const folder = folderOf({
      "own.yaml": "extends: connect-four-player\nname: own\n",
      "beside.yaml": "extends: quickstart\n",
      quickstart: "name: a file\n",
    });
    const { value, places } = readSource(join(folder, "own.yaml"));
    expect(value).toMatchObject({ name: "own", game: { rules: "connect-four" } });
    expect(places.get("/nets/zero/weights")!.folder).toBe(join(packageRoot(), "experiments"));
    expect(readSource(join(folder, "beside.yaml")).value).toEqual({ name: "a file" });
  });

  it("refuses circles and files that are missing, at the line that names them", () => {
    const circle = { "a.yaml": "extends: b.yaml\n", "b.yaml": "x: 1\nextends: a.yaml\n" };
    expect(complaintOf(circle, "a.yaml")).toBe(
      'b.yaml:2:10: extends: "a.yaml" extends itself, by way of 2 file(s); break the circle',
    );
    expect(complaintOf({ "a.yaml": "extends: a.yaml\n" }, "a.yaml")).toMatch(
      /^a\.yaml:1:10: extends: "a\.yaml" extends itself/,
    );
    expect(complaintOf({ "a.yaml": "x: 1\nextends: none.yaml\n" }, "a.yaml")).toBe(
      'a.yaml:2:10: extends: no such file "none.yaml"; give the path of an experiment file, or the name of one that comes with ludoflow',
    );
    expect(complaintOf({ "a.yaml": "extends: [b.yaml]\n" }, "a.yaml")).toBe(
      "a.yaml:1:10: extends: expected the path of the file to extend",
    );
    expect(complaintOf({ "a.yaml": "extends: b.yaml\n", "b.yaml": "a: [" }, "a.yaml")).toMatch(
      /^b\.yaml:1:\d+: YAML/,
    );
  });
});

describe("--set", () => {
  const text = "name: x\nlist: [1, { a: 1 }, 3]\nmap: { deep: { b: 1 } }\n";

  it("changes, adds and removes values, given in YAML", () => {
    expect(valueOf(text, ["map.deep.b=2.5"])["map"]).toEqual({ deep: { b: 2.5 } });
    expect(valueOf(text, ["map.new.er=[1, x]"])["map"]).toEqual({ deep: { b: 1 }, new: { er: [1, "x"] } });
    expect(valueOf(text, ["map={ c: true }"])["map"]).toEqual({ c: true });
    expect(valueOf(text, ["map.deep=null"])["map"]).toEqual({});
    expect(valueOf(text, ["name=a=b"])["name"]).toBe("a=b");
    expect(valueOf(text, ['name="5"', "name=six"])["name"]).toBe("six");
  });

  it("reaches into lists", () => {
    expect(valueOf(text, ["list.0=9", "list.1.a=2", "list.3=4"])["list"]).toEqual([9, { a: 2 }, 3, 4]);
    expect(valueOf(text, ["list.0=null"])["list"]).toEqual([{ a: 1 }, 3]);
  });

  it("refuses what leads nowhere", () => {
    const complaint = (set: string) => complaintOf({ "a.yaml": text }, "a.yaml", [set]);
    for (const set of ["name", "=1", "a..b=1", ".a=1", "a.=1"])
      expect(complaint(set)).toBe(`--set ${set}: expected path=value, as in graph.learn.games=500`);
    expect(complaint("name.x=1")).toBe('--set name.x=1: "name" is not a map or list in a.yaml');
    expect(complaint("list.x=1")).toBe(
      '--set list.x=1: "x" is not a place in a list of 3; places count from 0',
    );
    expect(complaint("list.4=1")).toBe(
      '--set list.4=1: "4" is not a place in a list of 3; places count from 0',
    );
    expect(complaint("list.-1=1")).toMatch(/"-1" is not a place/);
    expect(complaint("list.3.a=1")).toMatch(/"3" is not a place/);
    expect(complaint("name=[1")).toMatch(/^--set name=\[1: the value is not YAML: /);
    expect(complaint("name=[1")).not.toContain("\n");
    expect(complaint("name=1\n---\n2")).toMatch(/a second YAML document begins here; only one is read$/);
    expect(complaint("name=*a")).toBe("--set name=*a: the alias *a has no anchor before it");
    expect(complaint("name=&a [*a]")).toBe("--set name=&a [*a]: the alias *a is within its own anchor &a");
    expect(complaint(`name=${"[".repeat(5000)}${"]".repeat(5000)}`)).toMatch(
      /^--set name=\[+\.\.\.\]+: maps and lists are nested too deeply; at most 100 levels are read$/,
    );
  });

  it("gives paths the folder where it was said, as files give theirs", () => {
    const folder = folderOf({
      "a.yaml": "extends: base/b.yaml\nown: x\n",
      "base/b.yaml": "theirs: { x: y }\n",
    });
    const { places } = readSource(join(folder, "a.yaml"), ["set.it=z"], "/elsewhere");
    expect(places.get("/own")!.folder).toBe(folder);
    expect(places.get("/theirs/x")!.folder).toBe(join(folder, "base"));
    expect(places.get("/set/it")!.folder).toBe("/elsewhere");
  });

  it("is the place of what it has set, inner parts and new maps included", () => {
    const folder = folderOf({ "a.yaml": text });
    const { places } = readSource(join(folder, "a.yaml"), ["map.deep={ c: 1 }", "fresh.one=1"]);
    expect(places.get("/map/deep")!.file).toBe("--set map.deep={ c: 1 }");
    expect(places.has("/map/deep/b")).toBe(false);
    expect(places.get("/fresh")!.file).toBe("--set fresh.one=1");
    expect(places.get("/map")!.file).toBe(join(folder, "a.yaml"));
  });

  it("gives names that all objects know only if the file has them", () => {
    const value = valueOf("a: { b: 1 }\n") as { a: Record<string, unknown> };
    expect([value.a["constructor"], value.a["b"]]).toEqual([undefined, 1]);
    expect(valueOf("a: { constructor: 2 }\n")).toEqual({ a: { constructor: 2 } });
  });

  it("takes text and numbers as keys, and no maps and lists", () => {
    expect(valueOf("1: one\ntrue: yes\n")).toEqual({ 1: "one", true: "yes" });
    for (const key of ["? { x: 1 }\n", "? [1]\n", "~"])
      expect(complaintOf({ "a.yaml": `a: 1\n${key}: 2\n` }, "a.yaml")).toMatch(
        /^a\.yaml:2:\d: a key is a text or a number$/,
      );
    expect(complaintOf({ "a.yaml": '1: 1\n"1": 2\n' }, "a.yaml")).toBe(
      'a.yaml:2:1: the key "1" is given twice',
    );
  });

  it("never touches what all objects share", () => {
    const before = Object.getOwnPropertyNames(Object.prototype);
    for (const set of ["__proto__.polluted=1", "map.__proto__.polluted=1", "map.__proto__={ polluted: 1 }"])
      expect(complaintOf({ "a.yaml": text }, "a.yaml", [set])).toBe(
        `--set ${set}: no key can be called __proto__`,
      );
    expect(complaintOf({ "a.yaml": "a: 1\n__proto__: { polluted: 1 }\n" }, "a.yaml")).toBe(
      "a.yaml:2:1: no key can be called __proto__",
    );
    // Also if an alias takes the place of the key, in a file that builds on another one and in a change.
    const base = "description: &p __proto__\ngame: {}\n";
    expect(
      complaintOf(
        { "base.yaml": "game: {}\n", "a.yaml": `extends: base.yaml\n${base}*p : { polluted: 1 }\n` },
        "a.yaml",
      ),
    ).toBe("a.yaml:4:1: no key can be called __proto__");
    expect(
      complaintOf({ "a.yaml": text }, "a.yaml", ["map=[&p __proto__, { *p : { polluted: 1 } }]"]),
    ).toMatch("no key can be called __proto__");
    valueOf(text, ["constructor.prototype.polluted=1", "map.toString.x=1"]);
    expect(Object.getOwnPropertyNames(Object.prototype)).toEqual(before);
    expect(Object.getOwnPropertyDescriptor(Object, "prototype")!.value).not.toHaveProperty("polluted");
  });
});

describe("a file that is not text", () => {
  it("is refused as such, whatever its bytes are as YAML", () => {
    const folder = folderOf({});
    writeFileSync(join(folder, "a.yaml"), Uint8Array.of(0x61, 0x3a, 0x20, 0xff, 0xfe, 0x00));
    expect(() => readSource(join(folder, "a.yaml"))).toThrow(/a\.yaml" is not text in UTF-8; give the path/);
  });
});

describe("a file of several YAML documents", () => {
  it("is refused at the place of the second one", () => {
    expect(complaintOf({ "a.yaml": "a: 1\n---\nb: 2\n" }, "a.yaml")).toBe(
      "a.yaml:2:1: a second YAML document begins here; only one is read",
    );
  });
});

describe("a file of a size that nobody writes", () => {
  it("has its first mistakes listed, and the rest counted", () => {
    const lines = casesOf(10_000);
    const shown = complaintOf({ "a.yaml": "a: 1\n".repeat(lines) }, "a.yaml").split("\n");
    expect(shown).toHaveLength(21);
    expect(shown[0]).toBe('a.yaml:2:1: the key "a" is given twice');
    expect(shown.at(-1)).toBe(`and ${lines - 21} more mistakes`);
  });

  it("is refused if it nests too deeply, however it does so", () => {
    const flow = (depth: number) => `a: ${"[".repeat(depth)}${"]".repeat(depth)}\n`;
    expect(valueOf(flow(99))).toBeDefined();
    const refused = /^a\.yaml:\d+:\d+: maps and lists are nested too deeply; at most 100 levels are read$/;
    for (const depth of [101, 5000, casesOf(100_000)])
      expect(complaintOf({ "a.yaml": flow(depth) }, "a.yaml")).toMatch(refused);
    const block = Array.from({ length: 300 }, (_, i) => `${" ".repeat(i)}k:\n`).join("");
    expect(complaintOf({ "a.yaml": block }, "a.yaml")).toMatch(refused);
  });

  it("is refused if it is too large", () => {
    expect(complaintOf({ "a.yaml": "#".repeat((16 << 20) + 1) }, "a.yaml")).toMatch(
      /"a\.yaml" cannot be read: it has more than 16 MiB$/,
    );
    expect(() => readSource("/dev/zero")).toThrow('"/dev/zero" cannot be read: it has more than 16 MiB');
  });

  it("is refused if the heap has no room for it, which Node would end with a trace", () => {
    const file = join(folderOf({ "a.yaml": "k: 1\n".repeat(100_000) }), "a.yaml");
    const { stderr, status } = spawnSync(
      process.execPath,
      ["--max-old-space-size=64", join(packageRoot(), "bin/ludoflow.js"), "check", file],
      { encoding: "utf8" },
    );
    expect([status, stderr]).toEqual([
      2,
      `${file}: "${file}" has 0.5 MiB, and a heap of 64.0 MiB has room for 0.4 MiB of YAML; raise --max-old-space-size (NODE_OPTIONS)\n`,
    ]);
  });
});

import { describe, expect, it } from "vitest";
import { LineCounter } from "yaml";
import { isTooDeep, MOST_LEVELS, TOO_DEEP } from "../../src/formats/nesting.ts";
import { parseYaml, YamlInvalid, yamlValue } from "../../src/formats/yaml-document.ts";
import { casesOf } from "../number-of-cases.ts";

/** The mistakes of a text, each with its place. */
function mistakesOf(text: string): (readonly [offset: number, message: string])[] {
  try {
    parseYaml(text);
  } catch (error) {
    expect(error).toBeInstanceOf(YamlInvalid);
    return (error as YamlInvalid).mistakes.map(({ message, offset }) => [offset, message]);
  }
  return [];
}

const nested = (levels: number) => `${"[".repeat(levels)}${"]".repeat(levels)}`;

describe("what users write in YAML", () => {
  it("is read with its anchors and aliases", () => {
    expect(yamlValue("{ a: &x { b: 1 }, c: *x, &k d: 2, e: *k }")).toEqual({
      a: { b: 1 },
      c: { b: 1 },
      d: 2,
      e: "d",
    });
    // An anchor that is given again is the nearest one before the alias.
    expect(yamlValue("&a [&a 1, *a]")).toEqual([1, 1]);
    expect(yamlValue("[&k name, { *k : 1 }]")).toEqual(["name", { name: 1 }]);
    expect(yamlValue("")).toBeNull();
  });

  it("is of YAML 1.2: another version, in which numbers and words mean something else, is refused", () => {
    const told = (version: string) =>
      `YAML: %YAML ${version} asks for another version than 1.2, which is read here: in 1.1, 010 is 8, and yes, no, on and off are no texts; leave this line out, or write %YAML 1.2`;
    expect(mistakesOf("%YAML 1.1\n---\na: 010\n")).toEqual([[0, told("1.1")]]);
    expect(mistakesOf("# first\r\n\n%TAG ! !x\n%YAML\t1.3 # later\n---\na: 1\n")).toEqual([
      [20, told("1.3")],
    ]);
    const lines = new LineCounter();
    expect(() => parseYaml("# first\n\n%YAML 1.1\n---\na: 1\n", lines)).toThrow(YamlInvalid);
    expect(lines.linePos(9)).toEqual({ line: 3, col: 1 });
    expect(yamlValue("%YAML 1.2\n---\na: 010\n")).toEqual({ a: 10 });
    expect(yamlValue("a: |\n  x\n  %YAML 1.1\n")).toEqual({ a: "x\n%YAML 1.1\n" });
  });

  it("has no alias within its own anchor, and none without one", () => {
    expect(mistakesOf("&a { use: uct, simulations: *a }")).toEqual([
      [28, "the alias *a is within its own anchor &a"],
    ]);
    expect(mistakesOf("a: &b [{ c: [1, *b] }]\nd: *b\n")).toEqual([
      [16, "the alias *b is within its own anchor &b"],
    ]);
    expect(mistakesOf("a: *b\nb: &b 1\n")).toEqual([[3, "the alias *b has no anchor before it"]]);
  });

  it("has a limit of levels, aliases included", () => {
    expect(mistakesOf(nested(MOST_LEVELS))).toEqual([]);
    expect(mistakesOf(nested(MOST_LEVELS + 1))).toEqual([[MOST_LEVELS, TOO_DEEP]]);
    expect(mistakesOf(nested(casesOf(50_000))).at(-1)).toContain(TOO_DEEP);
    const half = MOST_LEVELS / 2;
    const twice = (levels: number) =>
      `a: &a ${nested(half - 1)}\nb: ${"[".repeat(levels)}*a${"]".repeat(levels)}\n`;
    expect(mistakesOf(twice(half))).toEqual([]);
    expect(mistakesOf(twice(half + 1))).toMatchObject([[expect.any(Number), TOO_DEEP]]);
    const chain = [
      "a0: &a0 []",
      ...Array.from({ length: casesOf(5000) }, (_, i) => `a${i + 1}: &a${i + 1} [*a${i}]`),
    ];
    expect(mistakesOf(chain.join("\n"))[0]).toContain(TOO_DEEP);
  });

  it("has keys that are texts or numbers, each once in its map", () => {
    expect(mistakesOf("{ a: 1, a: 2, [b]: 3, 1: 4, '1': 5 }").map(([, message]) => message)).toEqual([
      'the key "a" is given twice',
      "a key is a text or a number",
      'the key "1" is given twice',
    ]);
    expect(mistakesOf("[&k b, { b: 1, *k : 2 }]")).toEqual([[15, 'the key "b" is given twice']]);
    expect(mistakesOf("[&k [1], { *k : 2 }]")).toEqual([[11, "a key is a text or a number"]]);
    expect(mistakesOf("[&p __proto__, { *p : 2 }]")).toEqual([[17, "no key can be called __proto__"]]);
  });

  it("shows the text of a mistake on one line", () => {
    expect(mistakesOf("{ a: [")[0]![1]).toMatch(/^YAML: [^\n]*[^:]$/);
    expect(mistakesOf("1\n---\n2\n")).toEqual([[2, "a second YAML document begins here; only one is read"]]);
    expect(() => yamlValue("{ a: [")).toThrow(/^YAML: /);
  });
});

it("isTooDeep finds values with more levels than are read", () => {
  expect(isTooDeep(JSON.parse(nested(MOST_LEVELS)))).toBe(false);
  expect(isTooDeep(JSON.parse(nested(MOST_LEVELS + 1)))).toBe(true);
  expect(isTooDeep(JSON.parse(`{"a":[1,"b",null,${nested(100_000)}]}`))).toBe(true);
  expect(["a", 1, null, undefined, {}].map((value) => isTooDeep(value))).toEqual(Array(5).fill(false));
});

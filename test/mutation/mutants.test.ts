import { describe, expect, it } from "vitest";
import { draw } from "../../mutation/draw.ts";
import { mutantsOf, withMutant } from "../../mutation/mutants.ts";

/** The sources that the mutants of a source make, in the order of their sites. */
const mutations = (text: string) =>
  mutantsOf("a.ts", text)
    .flat()
    .map((mutant) => withMutant(text, mutant));

describe("mutants", () => {
  it.each<[string, string[]]>([
    ["a + b;", ["a - b;"]],
    ["a * b % c;", ["a * b * c;", "a / b % c;"]],
    ["a < b;", ["a <= b;", "a >= b;"]],
    ["a >= b;", ["a > b;", "a < b;"]],
    ["a === b;", ["a !== b;"]],
    ["a && b;", ["a || b;"]],
    ["a ?? b;", ["(a);", "(b);"]],
    ["a >>> b;", ["a << b;"]],
    ["!a;", ["(a);"]],
    ["x = -a;", [";", "x = (a);"]],
    ["i++;", [";", "i--;"]],
    ["--i;", [";", "++i;"]],
    ["a += b;", [";", "a -= b;"]],
    ["x = 1;", [";", "x = 2;", "x = 0;"]],
    ["x = 0;", [";", "x = 1;", "x = (-1);"]],
    ["x = 2n;", [";", "x = 3n;"]],
    ["x = true;", [";", "x = false;"]],
    ["f(a);", [";"]],
    ["Math.min(a, b);", [";", "Math.max(a, b);"]],
    ["x.every(f).y;", ["x.some(f).y;"]],
    ["x.toSorted(f).y;", ["x.y;"]],
    ["if (a) b;", ["if (!(a)) b;", "if (true) b;", "if (false) b;"]],
    ["if (a < b) c;", ["if (true) c;", "if (false) c;", "if (a <= b) c;", "if (a >= b) c;"]],
    ["a ? b : c;", ["!(a) ? b : c;"]],
    ["for (;;) break;", ["for (;;) ;"]],
    ["while (a) continue;", ["while (!(a)) continue;", "while (false) continue;", "while (a) ;"]],
    [
      "function f(): number { return a; }",
      ["function f(): number { return 0; }", "function f(): number { return 1; }"],
    ],
    [
      "const f = (): boolean => { return a; };",
      ["const f = (): boolean => { return true; };", "const f = (): boolean => { return false; };"],
    ],
    ["function f() { return; }", ["function f() { ; }"]],
    ["x[0]! as number;", ["x[1]! as number;", "x[(-1)]! as number;"]],
  ])("of %s are the small faults that one makes", (text, expected) => {
    expect(mutations(text)).toEqual(expected);
  });

  it.each([
    "// a + b",
    'const s = "a + b";',
    "const s = `a ${b} c`;",
    'const s = "a" + b + "c";',
    "type A = 1 | 2;",
    "interface A { a: 1; b(c: true): 2 }",
    "let a: 1 | undefined;",
    'import { a } from "b";',
    'export * from "b";',
    "throw new Error(`${1 + 2}`);",
    "const a = { 1: b };",
    "const a = <const T extends 1>(b: T): 2 => b;",
    "class A extends B { constructor() { super(); } }",
  ])("are not made of %s", (text) => {
    expect(mutations(text)).toEqual([]);
  });

  it("tell where they begin, and what they replace", () => {
    const sites = mutantsOf("a.ts", "// …\nlet 𝒙;\n  y = 𝒙 - b;\n");
    expect(sites[1]![0]).toEqual({
      file: "a.ts",
      line: 3,
      column: 10,
      start: 22,
      end: 23,
      operator: "arithmetic",
      original: "-",
      replacement: "+",
    });
  });

  it("are refused where the source has changed", () => {
    const mutant = mutantsOf("a.ts", "a + b;")[0]![0]!;
    expect(() => withMutant("a - b;", mutant)).toThrow("the source has changed");
  });
});

describe("a draw of mutants", () => {
  const sites = mutantsOf("a.ts", Array.from({ length: 40 }, (_, i) => `x${i} < y${i};`).join("\n"));

  it("takes one mutant at each of so many sites, the same ones by the same seed", () => {
    const drawn = draw(sites, 20, 1);
    expect(drawn).toHaveLength(20);
    expect(new Set(drawn.map(({ line }) => line)).size).toBe(20);
    expect(new Set(drawn.map(({ replacement }) => replacement))).toEqual(new Set(["<=", ">="]));
    expect(draw(sites, 20, 1)).toEqual(drawn);
    expect(draw(sites, 20, 2)).not.toEqual(drawn);
  });

  it("begins as a shorter one does, and ends with the sites", () => {
    expect(draw(sites, 30, 1).slice(0, 10)).toEqual(draw(sites, 10, 1));
    expect(new Set(draw(sites, 500, 1).map(({ line }) => line)).size).toBe(40);
  });
});

import { readFileSync } from "node:fs";
import { describe, expect, it } from "vitest";

const root = new URL("../../", import.meta.url);
const page = readFileSync(new URL("docs/add-a-game.md", root), "utf8");

describe("docs/add-a-game.md", () => {
  it("shows code as it is in the files that it names", () => {
    const quotes = [...page.matchAll(/^`([^`]+)`\n```ts\n([^]*?)```$/gm)];
    // The imports of a game that was moved are tried by nim-in-sources.test.ts.
    expect(quotes.length).toBe(page.split("```ts").length - 2);
    expect(quotes.length).toBeGreaterThan(4);
    for (const [, file, code] of quotes) expect(readFileSync(new URL(file!, root), "utf8")).toContain(code!);
  });

  it("names files that exist", () => {
    const names = [...page.matchAll(/`((?:src|test|docs|template)\/[^`]*?\.(?:ts|md))`/g)].map(
      ([, name]) => name!,
    );
    expect(names.length).toBeGreaterThan(8);
    for (const name of names) expect(() => readFileSync(new URL(name, root))).not.toThrow();
  });
});

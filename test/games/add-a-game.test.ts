import { readFileSync } from "node:fs";
import { describe, expect, it } from "vitest";

const root = new URL("../../", import.meta.url);
const page = readFileSync(new URL("docs/add-a-game.md", root), "utf8");

describe("docs/add-a-game.md", () => {
  it("shows code as it stands in the files that it names", () => {
    const quotes = [...page.matchAll(/^`([^`]+)`\n```ts\n([^]*?)```$/gm)];
    expect(quotes.length).toBe(page.split("```ts").length - 1);
    expect(quotes.length).toBeGreaterThan(4);
    for (const [, file, code] of quotes) expect(readFileSync(new URL(file!, root), "utf8")).toContain(code!);
  });

  it("names files that exist", () => {
    const names = [...page.matchAll(/`((?:src|test|docs)\/[^`]*?\.(?:ts|md))`/g)].map(([, name]) => name!);
    expect(names.length).toBeGreaterThan(8);
    for (const name of names) expect(() => readFileSync(new URL(name, root))).not.toThrow();
  });
});

import { existsSync } from "node:fs";
import { describe, expect, it } from "vitest";
import { searches } from "../../src/search/registry.ts";
import { filesUnder, root, textOf } from "./pages.ts";

describe("the pages of searches", () => {
  // What the examples say is checked together with those of all other pages.
  it.each(["docs/search.md", ...filesUnder("docs/search")])("%s has an example with an agent", (page) => {
    expect(textOf(page)).toMatch(/^```yaml\nagents:\n/m);
  });

  it("list every search with its file, in the order of the registry", () => {
    const rows = [...textOf("docs/search.md").matchAll(/^\| (?:\[`|`)([\w-]+)`.*\| `([\w/-]+\.ts)` \|$/gm)];
    expect(rows.map(([, name]) => name)).toEqual(searches.map(({ name }) => name));
    for (const [, , file] of rows) expect(existsSync(`${root}src/search/${file}`), file).toBe(true);
  });
});

import { readFileSync } from "node:fs";
import { expect, it } from "vitest";
import { root, textOf } from "./pages.ts";

it("docs/dependencies.md gives a reason for each runtime dependency", () => {
  const { dependencies } = JSON.parse(readFileSync(`${root}package.json`, "utf8")) as {
    dependencies: Record<string, string>;
  };
  const [table] = textOf("docs/dependencies.md").split("\n## ");
  const rows = [...table!.matchAll(/^\| `([^`]+)` \|/gm)].map(([, name]) => name!);
  expect(rows.toSorted()).toEqual(Object.keys(dependencies).toSorted());
});

import { existsSync, readdirSync } from "node:fs";
import { describe, expect, it } from "vitest";
import { parse } from "yaml";
import { anchorsOf, filesUnder, linksOf, pages, root, textOf } from "./pages.ts";

describe("the documentation", () => {
  it("has no link to a file or a heading that is not there", () => {
    const broken = pages
      .flatMap(linksOf)
      .filter(
        ({ target, anchor }) =>
          !existsSync(root + target) ||
          (anchor !== undefined && target.endsWith(".md") && !anchorsOf(target).includes(anchor)),
      )
      .map(({ page, target, anchor }) => `${page}: ${target}${anchor === undefined ? "" : `#${anchor}`}`);
    expect(broken).toEqual([]);
  });

  it("leads to every page, table and figure from the README", () => {
    const reached = new Set(["README.md"]);
    // A set is walked in the order of insertion, targets that are added on the way included.
    for (const page of reached)
      if (page.endsWith(".md"))
        for (const { target } of linksOf(page)) if (existsSync(root + target)) reached.add(target);
    const lost = filesUnder("docs").filter(
      (file) => ![...reached].some((target) => target === file || file.startsWith(`${target}/`)),
    );
    expect(lost).toEqual([]);
  });

  it("names no file of the sources that is not there", () => {
    const missing = pages
      // The change log also names files of earlier versions.
      .filter((page) => page !== "CHANGELOG.md")
      .flatMap((page) =>
        [...textOf(page).matchAll(/`((?:src|test|bench|experiments|schemas|bin)\/[\w./-]*\w)`/g)]
          .filter(([, path]) => !existsSync(root + path!))
          .map(([, path]) => `${page}: ${path}`),
      );
    // The files that docs/add-a-game.md has its reader write.
    expect(missing.filter((line) => !/nim/i.test(line))).toEqual([]);
  });

  it("has a row for every experiment, with the cost that its file tells", () => {
    const rows = [...textOf("docs/experiments.md").matchAll(/^\| `([\w-]+\.yaml)` \|.*\| ([^|]+) \|$/gm)].map(
      ([, name, cost]) => [name!, cost!],
    );
    const files = readdirSync(`${root}experiments`).filter((name) => name.endsWith(".yaml"));
    expect(Object.fromEntries(rows)).toEqual(
      Object.fromEntries(
        files.map((name) => [name, (parse(textOf(`experiments/${name}`)) as { cost: string }).cost]),
      ),
    );
    expect(rows.length).toBe(files.length);
  });

  it("keeps measurements out of the reference, and dates them in the notebook", () => {
    const dated = (page: string) => /\b20\d\d-\d\d-\d\d\b/.test(textOf(page));
    const inNotebook = (page: string) => page.startsWith("docs/notebook/");
    expect(pages.filter((page) => page.startsWith("docs/") && dated(page) !== inNotebook(page))).toEqual([]);
  });
});

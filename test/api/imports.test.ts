import { readFileSync } from "node:fs";
import { dirname, join, relative, resolve } from "node:path";
import { expect, it } from "vitest";
import { nodeRefusal } from "../../src/api/needs-node.ts";

const root = resolve(import.meta.dirname, "../..");

/** What a module loads at once when it is imported: files of this package, and packages. Types and `import()` load nothing. */
function loads(file: string) {
  const files = new Set([file]);
  const packages = new Set<string>();
  for (const each of files) {
    const source = readFileSync(join(root, each), "utf8");
    for (const [, clause, specifier] of source.matchAll(
      /^(?:import|export)\s+((?!type\b)[^;"]*?\s*from\s*)?"([^"]+)"/gm,
    )) {
      const names = /\{([^}]*)\}/.exec(clause ?? "")?.[1];
      const onlyTypes =
        names !== undefined &&
        !/^\s*\w+\s*,/.test(clause!) &&
        names.split(",").every((name) => name.trim() === "" || name.trim().startsWith("type "));
      if (onlyTypes) continue;
      if (specifier!.startsWith(".")) files.add(relative(root, join(root, dirname(each), specifier!)));
      else packages.add(specifier!);
    }
  }
  return { files: [...files], packages: [...packages] };
}

it("loads some thirty small files and no package when ludoflow is imported", () => {
  const { files, packages } = loads("src/api/index.ts");
  expect(packages.filter((name) => name !== "node:module")).toEqual([]);
  expect(files.length).toBeLessThan(36);
  expect(files.filter((file) => /src\/(graph|operators|workers|compute|cli|report)\//.test(file))).toEqual(
    [],
  );
});

it("counts what other files load", () => {
  expect(loads("src/events/bus.ts").packages).toContain("rxjs");
  expect(loads("src/api/nets.ts").packages).toEqual(["@tensorflow/tfjs-core"]);
  expect(loads("src/api/run.ts").files).toEqual([
    "src/api/run.ts",
    "src/api/errors.ts",
    "src/api/needs-node.ts",
    "src/messages/outside-place.ts",
  ]);
});

it("refuses versions of Node that are too old, and says what to do", () => {
  for (const old of ["20.20.2", "22.17.9", "21.0.0"])
    expect(nodeRefusal(old)).toContain(
      `this is ${old}. Run your script by: node node_modules/ludoflow/bin/node.js`,
    );
  for (const good of ["22.18.0", "24.0.0", "26.1.3"]) expect(nodeRefusal(good)).toBeUndefined();
});

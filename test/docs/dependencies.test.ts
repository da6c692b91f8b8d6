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

interface Locked {
  readonly dev?: boolean;
  readonly peer?: boolean;
  readonly hasInstallScript?: boolean;
  readonly os?: readonly string[];
  readonly cpu?: readonly string[];
}

it("docs/dependencies.md says of each package with compiled code or an install script why it can be trusted, and how to go without", () => {
  const { packages } = JSON.parse(readFileSync(`${root}package-lock.json`, "utf8")) as {
    packages: Record<string, Locked>;
  };
  const [, trusted] = textOf("docs/dependencies.md").split("\n## Why these packages can be trusted\n");
  // `@oxc-parser/binding-*` stands for a package of each platform.
  const named = [...trusted!.split("\n## ")[0]!.matchAll(/^\| (.+?) \| .+? \| .+? \|$/gm)].flatMap(
    ([, cell]) =>
      [...cell!.matchAll(/`([^`]+)`/g)].map(
        ([, name]) => new RegExp(`^${name!.replaceAll(/[.+?^$(){}|[\]\\]/g, "\\$&").replaceAll("*", ".*")}$`),
      ),
  );
  const compiled = Object.entries(packages)
    .filter(
      ([, { cpu, hasInstallScript, os }]) =>
        hasInstallScript === true || os !== undefined || cpu !== undefined,
    )
    .map(([path]) => path.replace(/^.*node_modules\//, ""));
  expect(compiled.length).toBeGreaterThan(50);
  expect(compiled.filter((name) => !named.some((form) => form.test(name)))).toEqual([]);
  // A row of what is gone says nothing.
  const all = Object.keys(packages).map((path) => path.replace(/^.*node_modules\//, ""));
  expect(named.filter((form) => !all.some((name) => form.test(name)))).toEqual([]);
});

it("no package of ours has a script that npm runs when it is installed, and those of dependencies are forbidden", () => {
  const scripts = (file: string) =>
    (JSON.parse(readFileSync(`${root}${file}`, "utf8")) as { readonly scripts?: Record<string, string> })
      .scripts ?? {};
  for (const file of ["package.json", "toolchain/package.json"])
    for (const moment of ["preinstall", "install", "postinstall", "prepare", "preprepare", "postprepare"])
      expect(Object.keys(scripts(file)), file).not.toContain(moment);
  const { allowScripts } = JSON.parse(readFileSync(`${root}package.json`, "utf8")) as {
    readonly allowScripts: Record<string, boolean>;
  };
  const { packages } = JSON.parse(readFileSync(`${root}package-lock.json`, "utf8")) as {
    packages: Record<string, Locked>;
  };
  const withScripts = Object.entries(packages)
    .filter(([, { hasInstallScript }]) => hasInstallScript === true)
    .map(([path]) => path.replace(/^.*node_modules\//, ""));
  for (const name of withScripts) expect(allowScripts[name], name).toBe(false);
  // pnpm ends with exit code 1 if one of them has a script. ONNX Runtime is installed by its user, with scripts off.
  const users = Object.entries(packages).filter(
    ([, { dev, hasInstallScript, peer }]) => hasInstallScript === true && dev !== true && peer !== true,
  );
  expect(users.map(([path]) => path).filter((path) => !path.endsWith("/onnxruntime-node"))).toEqual([]);
});

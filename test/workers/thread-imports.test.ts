import { existsSync, readdirSync, readFileSync } from "node:fs";
import { basename, dirname, join, resolve } from "node:path";
import { expect, it } from "vitest";
import { packageRoot } from "../../src/package-root.ts";

const sources = readdirSync(join(packageRoot(), "src"), { recursive: true, encoding: "utf8" })
  .filter((file) => file.endsWith(".ts"))
  .map((file) => join(packageRoot(), "src", file));

/** The modules that run in threads of their own: those that a source names in `workerModule`. */
function threadModules(): string[] {
  return sources.flatMap((file) =>
    [...readFileSync(file, "utf8").matchAll(/workerModule\("([\w-]+)", import\.meta\.url\)/g)].map(
      ([, name]) => join(dirname(file), `${name}.ts`),
    ),
  );
}

/** The packages that a module loads with all that it imports; imports of types load nothing. */
function packagesOf(module: string, seen = new Set<string>()): Set<string> {
  const packages = new Set<string>();
  seen.add(module);
  const imports = readFileSync(module, "utf8").matchAll(/^(?:import|export) (?!type )[^;]*?"([^"]+)";/gm);
  for (const [, target] of imports) {
    if (!target!.startsWith(".")) packages.add(target!);
    else if (!seen.has(resolve(dirname(module), target!)))
      for (const each of packagesOf(resolve(dirname(module), target!), seen)) packages.add(each);
  }
  return packages;
}

it("threads load neither Effect nor the checker of schemas, which would take longer than their own modules", () => {
  const modules = threadModules();
  expect(modules.filter((module) => !existsSync(module))).toEqual([]);
  expect(modules.map((module) => basename(module))).toContain("game-worker.ts");
  expect(modules.length).toBeGreaterThan(6);
  for (const module of modules)
    expect(
      [...packagesOf(module)].filter((name) => /^(?:effect|ajv)\b/.test(name)),
      basename(module),
    ).toEqual([]);
  expect([...packagesOf(join(packageRoot(), "src/operators/run/stage-activity.ts"))]).toEqual([
    "effect/Effect",
  ]);
});

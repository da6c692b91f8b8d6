#!/usr/bin/env node
// Runs the sources where they are (a checkout), else the compiled package.
import { existsSync } from "node:fs";
import module from "node:module";
import { fileURLToPath } from "node:url";
import { useNewEnoughNode } from "./node.js";

await useNewEnoughNode(fileURLToPath(import.meta.url), process.argv.slice(2), true);
// What is compiled once is kept for the next start, which takes two thirds of the time then.
module.enableCompileCache();
const source = new URL("../src/cli/main.ts", import.meta.url);
const compiled = new URL("../dist/src/cli/main.js", import.meta.url);
if (existsSync(source)) await import(source.href);
else if (existsSync(compiled)) await import(compiled.href);
else {
  console.error(
    "this package of ludoflow has no code in it: it was packed without its build, which npm leaves out if scripts are ignored; pack it again in a checkout by: npm run release",
  );
  process.exitCode = 2;
}

#!/usr/bin/env node
// Runs the sources where they are (a checkout), else the compiled package.
import { existsSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { useNewEnoughNode } from "./node.js";

useNewEnoughNode(fileURLToPath(import.meta.url), process.argv.slice(2));
const source = new URL("../src/cli/main.ts", import.meta.url);
await import(existsSync(source) ? source.href : new URL("../dist/src/cli/main.js", import.meta.url).href);

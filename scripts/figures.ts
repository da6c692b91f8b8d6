import { spawnSync } from "node:child_process";
import { existsSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import type { BenchRecord } from "../bench/record.ts";
import { filesWithFigures, figuresOf, withFigures } from "./figure-blocks.ts";
import { paperFigures } from "./paper-figures.ts";

// `npm run figures` writes the tables of measured figures in the documentation from the records in docs/results/bench, and
// draws the figures of docs/papers.md.
// `npm run figures -- --measure [NAME...]` runs the benches of these records first, by default all of them.

/** The greatest share of the processors' time that other work may take on an idle machine. */
const IDLE = 0.05;

const root = join(import.meta.dirname, "..");
const [measure, ...names] = process.argv.slice(2);
if (measure !== undefined && measure !== "--measure") {
  process.stderr.write(`unknown argument ${measure}; expected --measure [NAME...]\n`);
  process.exit(2);
}

const pages = filesWithFigures(root);
const all = pages.flatMap((page) => figuresOf(readFileSync(join(root, page), "utf8"), page));
if (measure !== undefined) {
  const known = all.map(({ name }) => name);
  const unknown = names.filter((name) => !known.includes(name));
  if (unknown.length > 0) {
    process.stderr.write(`no record ${unknown.join(", ")}; there are ${known.join(", ")}\n`);
    process.exit(2);
  }
  for (const { name, file, command } of all) {
    if (names.length > 0 && !names.includes(name)) continue;
    const begun = performance.now();
    process.stdout.write(`${command}\n`);
    mkdirSync(dirname(join(root, file)), { recursive: true });
    const [, ...args] = command.split(" ");
    const launcher = join(root, "bin/ludoflow.js");
    const { status } = spawnSync(process.execPath, [launcher, ...args, "--out", join(root, file)], {
      stdio: "inherit",
    });
    if (status !== 0) process.exit(status ?? 1);
    const { busy } = (JSON.parse(readFileSync(join(root, file), "utf8")) as BenchRecord).machine;
    process.stdout.write(`${file}, ${((performance.now() - begun) / 1000).toFixed(0)} s\n`);
    if (busy > IDLE)
      process.stderr.write(
        `other work took ${(100 * busy).toFixed(0)}% of the processors' time before it: measure ${name} again on an idle machine\n`,
      );
  }
}
for (const page of pages) {
  const before = readFileSync(join(root, page), "utf8");
  const after = withFigures(before, page, root);
  if (after === before) continue;
  writeFileSync(join(root, page), after);
  process.stdout.write(`${page}\n`);
}
for (const { file, svg } of paperFigures(root)) {
  mkdirSync(dirname(join(root, file)), { recursive: true });
  if (existsSync(join(root, file)) && readFileSync(join(root, file), "utf8") === svg) continue;
  writeFileSync(join(root, file), svg);
  process.stdout.write(`${file}\n`);
}

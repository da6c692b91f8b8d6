/**
 * Writes what is made from the registries: `schemas/experiment.schema.json`, and the types of experiments in programs; or with
 * `--check` compares them with the registries.
 */
import { existsSync, readFileSync } from "node:fs";
import { writeAtomically } from "../formats/files/atomic-file.ts";
import { schemaFile } from "../graph/generated/editor-schema.ts";
import { experimentTypes } from "../graph/generated/experiment-types.ts";

const files = [
  ["schemas/experiment.schema.json", schemaFile()],
  ["src/api/experiment.ts", experimentTypes()],
] as const;
for (const [path, text] of files)
  if (!process.argv.includes("--check")) writeAtomically(path, text);
  else if (!existsSync(path) || readFileSync(path, "utf8") !== text) {
    process.stderr.write(`${path} is stale; write it again with: npm run schema\n`);
    process.exitCode = 1;
  }

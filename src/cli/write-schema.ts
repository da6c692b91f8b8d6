/** Writes `schemas/experiment.schema.json`, or with `--check` compares it with the registries. */
import { existsSync, readFileSync } from "node:fs";
import { writeAtomically } from "../formats/files/atomic-file.ts";
import { schemaFile } from "../graph/editor-schema.ts";

const path = "schemas/experiment.schema.json";
const text = schemaFile();
if (process.argv.includes("--check")) {
  if (!existsSync(path) || readFileSync(path, "utf8") !== text) {
    process.stderr.write(`${path} is stale; write it again with: npm run schema\n`);
    process.exitCode = 1;
  }
} else writeAtomically(path, text);

// `npm run declarations [-- --check]`: writes the public declarations of the package, or compares them with the committed ones.
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { publicDeclarations } from "./public-declarations.ts";
import { checkout } from "./tarball.ts";

const path = join(checkout, "src/api/declarations.txt");
const text = publicDeclarations();
if (!process.argv.includes("--check")) writeFileSync(path, text);
else if (readFileSync(path, "utf8") !== text) {
  console.error("src/api/declarations.txt is stale; write it again with: npm run declarations");
  process.exitCode = 1;
}

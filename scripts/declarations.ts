// `npm run declarations [-- --check | --to DIST]`: writes the public declarations of the package into the sources, or compares
// them with the committed ones; or writes declaration files beside compiled code.
import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { declarationFiles, publicDeclarations } from "./public-declarations.ts";
import { checkout } from "./tarball.ts";

const path = join(checkout, "src/api/declarations.txt");
const to = process.argv[process.argv.indexOf("--to") + 1];
if (process.argv.includes("--to") && to !== undefined)
  for (const [source, text] of declarationFiles()) {
    const file = join(to, source.replace(/\.ts$/, ".d.ts"));
    mkdirSync(dirname(file), { recursive: true });
    writeFileSync(file, text);
  }
else if (!process.argv.includes("--check")) writeFileSync(path, publicDeclarations());
else if (readFileSync(path, "utf8") !== publicDeclarations()) {
  console.error("src/api/declarations.txt is stale; write it again with: npm run declarations");
  process.exitCode = 1;
}

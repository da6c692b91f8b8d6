import { spawnSync } from "node:child_process";
import { cpSync, mkdirSync, symlinkSync, writeFileSync } from "node:fs";
import { dirname, join, resolve } from "node:path";
import { expect, it } from "vitest";
import { declarationFiles } from "../../../scripts/public-declarations.ts";
import { scratchFolder } from "../../formats/scratch-folder.ts";

const checkout = resolve(import.meta.dirname, "../../..");

/** A project of a user that imports every entry of the package, and has its types as they are published. */
function userProject(compilerOptions: object): string {
  const folder = scratchFolder();
  const installed = join(folder, "node_modules/ludoflow");
  for (const [path, text] of declarationFiles()) {
    const file = join(installed, "dist", path.replace(/\.ts$/, ".d.ts"));
    mkdirSync(dirname(file), { recursive: true });
    writeFileSync(file, text);
  }
  cpSync(join(checkout, "package.json"), join(installed, "package.json"));
  mkdirSync(join(folder, "node_modules/@types"), { recursive: true });
  for (const each of ["@tensorflow", "@webgpu", "@types/node", "undici-types"])
    symlinkSync(join(checkout, "node_modules", each), join(folder, "node_modules", each));
  const options = { noEmit: true, strict: true, skipLibCheck: false, types: ["node"], ...compilerOptions };
  writeFileSync(
    join(folder, "tsconfig.json"),
    JSON.stringify({ compilerOptions: options, files: ["main.ts"] }),
  );
  writeFileSync(join(folder, "package.json"), JSON.stringify({ name: "user", type: "module" }));
  writeFileSync(
    join(folder, "main.ts"),
    `import { run, type StartedRun } from "ludoflow";
import * as data from "ludoflow/data";
import * as nets from "ludoflow/nets";
import * as search from "ludoflow/search";
import * as testing from "ludoflow/testing";
export const started: Promise<StartedRun> = run("quickstart");
export const names: string[] = [data, nets, search, testing].flatMap((entry) => Object.keys(entry));
export const wrong: number = started;
`,
  );
  return folder;
}

it.each([
  { target: "es2022", module: "nodenext", moduleResolution: "nodenext" },
  { target: "es2024", module: "esnext", moduleResolution: "bundler" },
])(
  "the types of the package have no error with skipLibCheck: false, target $target and $moduleResolution",
  (options) => {
    const compiler = join(checkout, "node_modules/typescript/bin/tsc");
    // Errors are named by paths relative to the working directory.
    const { stdout } = spawnSync(process.execPath, [compiler, "-p", ".", "--pretty", "false"], {
      cwd: userProject(options),
      encoding: "utf8",
    });
    const errors = stdout.split("\n").filter((line) => /: error TS\d+: /.test(line));
    // Types of tfjs, and of @webgpu/types with TypeScript's own of the DOM, do not agree (docs/api.md).
    const ours = errors.filter((line) => /^(main\.ts|node_modules\/ludoflow\/)/.test(line));
    expect(ours).toEqual([expect.stringMatching(/^main\.ts\(8,14\): error TS2322: /)]);
  },
);

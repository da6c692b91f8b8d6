import { spawnSync } from "node:child_process";
import { cpSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";
import { root } from "../docs/pages.ts";
import { scratchFolder } from "../formats/scratch-folder.ts";

it("a package without code says what is wrong with it and how to pack it, and ends as a mistake", () => {
  const folder = scratchFolder();
  for (const part of ["bin", "package.json"])
    cpSync(join(root, part), join(folder, part), { recursive: true });
  const { status, stdout, stderr } = spawnSync(
    process.execPath,
    [join(folder, "bin/ludoflow.js"), "--version"],
    {
      encoding: "utf8",
    },
  );
  expect({ status, stdout }).toEqual({ status: 2, stdout: "" });
  expect(stderr).toMatch(/^this package of ludoflow has no code in it: .*npm run release\n$/);
});

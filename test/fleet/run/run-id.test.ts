import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";
import { runId } from "../../../src/fleet/run/run-id.ts";
import { RunFolderInvalid } from "../../../src/graph/folder/run-folder-invalid.ts";
import { rewriteSealed } from "../../formats/rewrite-sealed.ts";
import { scratchFolder } from "../../formats/scratch-folder.ts";

it("keeps the name of a run, and gives each run another one", () => {
  const folder = scratchFolder();
  const run = runId(folder);
  expect(run).toMatch(/^[0-9a-f]{16}$/);
  expect(runId(folder)).toBe(run);
  expect(runId(scratchFolder())).not.toBe(run);
});

it("refuses a damaged name, whichever digit is another one, and says what to do", () => {
  const folder = scratchFolder();
  const path = join(folder, "fleet.json");
  const run = runId(folder);
  const text = readFileSync(path, "utf8");
  const at = text.indexOf(run);
  const others = Array.from(run, (digit, i) => {
    const other = digit === "0" ? "1" : "0";
    return text.slice(0, at + i) + other + text.slice(at + i + 1);
  });
  for (const damaged of [...others, text.slice(0, -5), "", "null", `{"run":"${run}"}\n`]) {
    writeFileSync(path, damaged);
    expect(() => runId(folder), damaged).toThrow(RunFolderInvalid);
    expect(() => runId(folder)).toThrow(
      /fleet\.json is .*Remove it: the run then has a new name in its fleet/,
    );
  }
  writeFileSync(path, text);
  rewriteSealed(path, () => ({ run: "a.>" }));
  expect(() => runId(folder)).toThrow(/it holds no name/);
});

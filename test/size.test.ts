import { execFileSync } from "node:child_process";
import { lstatSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";

const root = join(import.meta.dirname, "..");

it("tracked files outside experiments have less than 15 MB together: a clone is quick", () => {
  const listed = execFileSync("git", ["ls-files", "-z"], { cwd: root, encoding: "utf8", maxBuffer: 1 << 26 });
  const files = listed
    .split("\0")
    .filter((file) => file !== "" && !file.startsWith("experiments/"))
    // A file that was deleted and is not committed yet has no size.
    .map((file) => ({ file, size: lstatSync(join(root, file), { throwIfNoEntry: false })?.size ?? 0 }));
  expect(files.length).toBeGreaterThan(1000);
  const sum = files.reduce((total, { size }) => total + size, 0);
  const largest = files.toSorted((a, b) => b.size - a.size).slice(0, 5);
  expect(sum, `the largest: ${JSON.stringify(largest)}`).toBeLessThan(15_000_000);
});

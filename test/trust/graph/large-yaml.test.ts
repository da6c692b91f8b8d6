import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";
import { readSource } from "../../../src/graph/yaml-source.ts";
import { scratchFolder } from "../../formats/scratch-folder.ts";

it("a file of a size that nobody writes is laid on another one in time linear in its length", () => {
  const keys = Array.from({ length: 40_000 }, (_, i) => `k${i}: { v: ${i} }\n`).join("");
  const folder = scratchFolder();
  const [base, above] = [join(folder, "base.yaml"), join(folder, "a.yaml")];
  writeFileSync(base, keys);
  writeFileSync(above, `extends: base.yaml\n${keys.replaceAll("v:", "w:")}`);
  const begun = process.cpuUsage();
  const { places, value } = readSource(above);
  const { system, user } = process.cpuUsage(begun);
  expect(value["k39999"]).toEqual({ v: 39_999, w: 39_999 });
  expect(places.get("/k39999/w")!.file).toBe(above);
  expect(places.get("/k39999/v")!.file).toBe(base);
  // In quadratic time it would be minutes.
  expect((user + system) / 1e6).toBeLessThan(20);
});

import { readdirSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { DIAGNOSES } from "../../../src/diagnosis/diagnosis.ts";
import { ofThisTenth } from "../tenth.ts";
import { diagnosesOf } from "./named-diagnoses.ts";
import { PLANTED } from "./planted.ts";

const folder = join(import.meta.dirname, "planted");

describe("the planted failures", () => {
  it("are all files of the folder but those that they extend, ten from public reports, by names that there are", () => {
    const files = readdirSync(folder).filter((name) => name.endsWith(".yaml") && !name.startsWith("base-"));
    expect(PLANTED.map(({ file }) => `${file}.yaml`).toSorted()).toEqual(files.toSorted());
    expect(PLANTED.length).toBe(24);
    expect(PLANTED.filter(({ source }) => source.includes("#")).length).toBeGreaterThanOrEqual(10);
    for (const { expected } of PLANTED) expect(DIAGNOSES).toContain(expected);
  });

  it("are named rightly, but for two at most", () => {
    expect(PLANTED.filter(({ missed }) => missed === true).length).toBeLessThanOrEqual(2);
  });
});

describe.each(ofThisTenth(PLANTED))("$file", ({ expected, file, missed = false }) => {
  it(`is called ${expected}`, async () => {
    const told = await diagnosesOf(join(folder, `${file}.yaml`));
    expect(
      told.some(({ name }) => name === expected),
      JSON.stringify(told, undefined, 1),
    ).toBe(!missed);
    // Who is told of everything is told of nothing.
    expect(
      new Set(told.map(({ name }) => name)).size,
      JSON.stringify(told, undefined, 1),
    ).toBeLessThanOrEqual(4);
  });
});

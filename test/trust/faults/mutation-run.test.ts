import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { Sandbox } from "../../../mutation/sandbox.ts";
import { runTests } from "../../../mutation/test-run.ts";

describe("tests in a sandbox", () => {
  const scratch = mkdtempSync(join(tmpdir(), "ludoflow-test-"));
  let sandbox: Sandbox;
  const write = (name: string, body: string) =>
    writeFileSync(
      join(sandbox.folder, "test", `${name}.test.ts`),
      `import { expect, it } from "vitest";\nimport { quantile } from "../src/stats/quantiles.ts";\n${body}\n`,
    );

  beforeAll(() => {
    sandbox = new Sandbox(resolve(import.meta.dirname, "../../.."), join(scratch, "sandbox"));
    write("z-passes", 'it("a", () => expect(quantile).toBeTypeOf("function"));');
    write("b-fails", 'it("b", () => expect(1).toBe(1)); it("c", () => expect(1).toBe(2));');
    write("c-hangs", 'it("d", () => { for (;;); });');
  });
  afterAll(() => rmSync(scratch, { recursive: true, force: true }));

  const run = (tests: string[], limit = 60) =>
    runTests({
      sandbox: sandbox.folder,
      tests: tests.map((name) => `test/${name}.test.ts`),
      limitSeconds: () => limit,
      bail: true,
      signal: new AbortController().signal,
    });

  it("run in the order in which they are named, up to the first that fails", async () => {
    expect(await run(["z-passes", "b-fails", "c-hangs"])).toMatchObject([
      { test: "test/z-passes.test.ts", end: "passed" },
      { test: "test/b-fails.test.ts", end: "failed", by: "c" },
    ]);
  });

  it("are ended where they take too long", async () => {
    const outcomes = await run(["c-hangs", "z-passes"], 3);
    expect(outcomes).toMatchObject([{ test: "test/c-hangs.test.ts", end: "timed-out" }]);
  });

  it("meet a changed source, until it is put back", async () => {
    sandbox.change("src/stats/quantiles.ts", "export const quantile = 1;");
    expect(await run(["z-passes"])).toMatchObject([{ end: "failed" }]);
    sandbox.restore("src/stats/quantiles.ts");
    expect(await run(["z-passes"])).toMatchObject([{ end: "passed" }]);
  });
});

import { existsSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { afterAll, describe, expect, it } from "vitest";
import { NO_TERMINAL, noTerminal, onTerminal } from "../../cli/on-terminal.ts";
import { ludoflow } from "../../cli/run-cli.ts";
import { FINISHED, makeRun, match, STARTED } from "../../runs/make-run.ts";

const scratch = mkdtempSync(join(tmpdir(), "ludoflow-test-"));
afterAll(() => rmSync(scratch, { recursive: true, force: true }));

/** A run that has ended, with 30 kB that can be freed and a checkpoint that cannot. */
function runWith(name: string): string {
  makeRun([STARTED, match(100, [10, 20]), FINISHED], { folder: join(scratch, name) });
  for (const [path, size] of [
    ["examples/learn/00000001.log", 20_000],
    ["report.html", 10_000],
    ["games/curve.games", 10],
  ] as const) {
    mkdirSync(dirname(join(scratch, name, path)), { recursive: true });
    writeFileSync(join(scratch, name, path), "x".repeat(size));
  }
  return name;
}

const kept = (name: string) => existsSync(join(scratch, name, "games/curve.games"));
const prunable = (name: string) =>
  ["examples", "report.html"].filter((path) => existsSync(join(scratch, name, path)));

describe("ludoflow prune", () => {
  it.skipIf(noTerminal)(
    `asks, and frees at a yes alone${noTerminal ? ` (${NO_TERMINAL})` : ""}`,
    async () => {
      const run = runWith("asked");
      const prune = (answer: string) =>
        onTerminal(["prune", run], { cwd: scratch, columns: 100, question: "[y/N] ", answer });
      for (const answer of ["no\n", "\n", "\u0004", "yess\n"]) {
        const { code, text } = await prune(answer);
        expect(text).toMatch(
          /^ *20 kB {2}asked: training examples\n *10 kB {2}asked: report, tables and game pages/,
        );
        expect(text).toContain("free 30 kB in 1 run? [y/N] ");
        expect(text).toMatch(/nothing was freed\n$/);
        expect(code).toBe(0);
        expect(prunable(run)).toEqual(["examples", "report.html"]);
      }
      const { code, text } = await prune("yes\n");
      expect(text).toMatch(/freed 30 kB\n$/);
      expect(code).toBe(0);
      expect(prunable(run)).toEqual([]);
      expect(kept(run)).toBe(true);
      expect((await ludoflow(["prune", run], scratch).ended).out).toBe("there is nothing to free\n");
    },
  );

  it("frees nothing if nobody can be asked, unless --yes says so", async () => {
    const run = runWith("unasked");
    const refused = await ludoflow(["prune", run], scratch).ended;
    expect([refused.code, prunable(run)]).toEqual([2, ["examples", "report.html"]]);
    expect(refused.err).toContain(
      "nothing was freed: there is no terminal to ask on; add --yes to free 30 kB in 1 run",
    );
    const { code, out } = await ludoflow(["prune", run, "--yes"], scratch).ended;
    expect(out).toMatch(/^ *20 kB {2}unasked: training examples\n(.*\n)freed 30 kB\n$/);
    expect([code, prunable(run), kept(run)]).toEqual([0, [], true]);
  });
});

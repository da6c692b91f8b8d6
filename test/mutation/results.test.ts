import { describe, expect, it } from "vitest";
import { testsOf, type Coverage } from "../../mutation/coverage.ts";
import { mutantsOf } from "../../mutation/mutants.ts";
import { csvOf, survivorsOf, tableOf, type Result } from "../../mutation/results.ts";

describe("the tests of a mutant", () => {
  const covered = (seconds: number, ...regions: number[]) => ({ passed: true, seconds, regions });
  const coverage: Coverage = {
    of: "",
    tests: {
      "test/graph/run.test.ts": covered(1, 7),
      "test/games/go/go.test.ts": covered(9, 7),
      "test/games/go/rules.test.ts": covered(30, 7),
      "test/games/go/legal.test.ts": covered(2, 7),
      "test/games/registry.test.ts": covered(0.5, 7),
      "test/games/other.test.ts": covered(0.1, 8),
      "test/games/broken.test.ts": { ...covered(0.1, 7), passed: false },
    },
  };

  it("are those that enter its region, the nearest first, then the quickest", () => {
    expect(testsOf("src/games/go/rules.ts", 7, coverage)).toEqual([
      "test/games/go/rules.test.ts",
      "test/games/go/legal.test.ts",
      "test/games/go/go.test.ts",
      "test/games/registry.test.ts",
      "test/graph/run.test.ts",
    ]);
    expect(testsOf("src/games/go/rules.ts", 9, coverage)).toEqual([]);
  });
});

describe("results", () => {
  const text = "let x = a + b;\nf(x,\n  y);\n";
  const [sum, call] = mutantsOf("src/stats/a.ts", text).map((site) => site[0]!);
  const result = (end: Result["end"], mutant = sum!, left: string[] = []): Result => ({
    mutant,
    end,
    run: 3,
    left,
    seconds: 1,
  });

  it("are a table by rooms, whose score is the share that was noticed", () => {
    const other = { ...sum!, file: "src/random.ts" };
    expect(
      tableOf([
        result("killed"),
        result("timed-out"),
        result("survived"),
        result("killed"),
        result("no-coverage", other),
      ]),
    ).toBe(
      [
        "| room | mutants | killed | timed out | survived | no coverage | score |",
        "| --- | ---: | ---: | ---: | ---: | ---: | ---: |",
        "| src | 1 | 0 | 0 | 0 | 1 | 0.0% |",
        "| src/stats | 4 | 2 | 1 | 1 | 0 | 75.0% |",
        "| all | 5 | 2 | 1 | 1 | 1 | 60.0% |",
      ].join("\n"),
    );
  });

  it("list survivors with their lines before and after", () => {
    expect(
      survivorsOf(
        [result("no-coverage", call), result("killed"), result("survived", sum, ["test/b.test.ts"])],
        () => text,
      ),
    ).toBe(
      [
        "src/stats/a.ts:1:11 arithmetic (3 test files, 1 more not run)",
        "  - let x = a + b;",
        "  + let x = a - b;",
        "src/stats/a.ts:2:1 statement (no test enters it)",
        "  - f(x, y);",
        "  + ;",
      ].join("\n"),
    );
  });

  it("are kept as CSV, in the order of the sources", () => {
    const killed = { ...result("killed"), by: "test/b.test.ts: adds\nexpected 3" };
    expect(csvOf([result("no-coverage", call, ["test/c.test.ts"]), killed]).split("\r\n")).toEqual([
      "file,line,column,fault,original,replacement,end,by,test files,not run",
      "src/stats/a.ts,1,11,arithmetic,+,-,killed,test/b.test.ts: adds,3,0",
      'src/stats/a.ts,2,1,statement,"f(x, y);",;,no-coverage,,3,1',
      "",
    ]);
  });
});

import { expect, it } from "vitest";
import { ExperimentInvalid, formatProblem, type Problem } from "../../src/graph/problem.ts";

const problem = (line: number, message: string): Problem => ({
  file: "a.yaml",
  line,
  column: 1,
  path: "",
  message,
});

it("lists the first problems in reading order, and counts the rest", () => {
  const problems = Array.from({ length: 500 }, (_, i) => problem(500 - i, "is wrong"));
  const error = new ExperimentInvalid(problems);
  expect(error.problems).toHaveLength(500);
  const lines = error.message.split("\n");
  expect(lines).toHaveLength(21);
  expect(lines[0]).toBe("a.yaml:1:1: is wrong");
  expect(lines.at(-1)).toBe("and 480 more mistakes");
  expect(new ExperimentInvalid(problems.slice(0, 21)).message).toMatch(/\nand 1 more mistake$/);
  expect(new ExperimentInvalid(problems.slice(0, 20)).message).not.toContain("more");
});

it("shows the start and the end of a text that is very long", () => {
  const text = formatProblem(problem(3, `no net "${"x".repeat(1_000_000)}" (known here: a)`));
  expect(text).toHaveLength(2003);
  expect(text).toMatch(/^a\.yaml:3:1: no net "x+\.\.\.x+" \(known here: a\)$/);
});

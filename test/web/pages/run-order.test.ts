import { expect, it } from "vitest";
import { ordered } from "../../../src/web/pages/runs/run-order.ts";
import type { RunRow } from "../../../src/web/views/run-views.ts";

const row = (name: string, more: Partial<RunRow> = {}): RunRow => ({
  path: name,
  condition: "finished",
  name,
  id: "A",
  game: "2048",
  curve: [],
  differs: "",
  ...more,
});
const result = (value: number) =>
  ({
    agent: "a",
    stage: "s",
    measure: "share won",
    value,
    interval: [0, 1],
    learned: 1,
    unit: "games",
  }) as const;

it("lists runs in each order; those without a number come last, and equals stay as they were", () => {
  const rows = [
    row("run-10", { elapsed: 5, game: "go" }),
    row("run-9", { result: result(0.2), curve: [[1, 0.9, null, null]] }),
    row("a", { result: result(0.5), elapsed: 50, progress: { share: 0.25 } }),
    row("b", { progress: { share: 0.75 } }),
  ] as const;
  const names = (order: Parameters<typeof ordered>[1]) => ordered(rows, order).map(({ name }) => name);
  expect(names("newest")).toEqual(["run-10", "run-9", "a", "b"]);
  expect(names("name")).toEqual(["a", "b", "run-9", "run-10"]);
  expect(names("game")).toEqual(["run-9", "a", "b", "run-10"]);
  expect(names("last")).toEqual(["a", "run-9", "run-10", "b"]);
  expect(names("best")).toEqual(["run-9", "a", "run-10", "b"]);
  expect(names("time")).toEqual(["a", "run-10", "run-9", "b"]);
  expect(names("progress")).toEqual(["b", "a", "run-10", "run-9"]);
});

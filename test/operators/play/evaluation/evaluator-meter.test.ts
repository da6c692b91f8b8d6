import { expect, it } from "vitest";
import {
  EvaluatorMeter,
  EvaluatorReader,
  newMeterWords,
} from "../../../../src/operators/play/evaluation/evaluator-meter.ts";

it("sums up batches, their sizes by powers of two and versions over the threads of an evaluator", () => {
  const words = [newMeterWords(), newMeterWords()];
  const reader = new EvaluatorReader(words);
  const meters = words.map((thread) => new EvaluatorMeter(thread));
  const nothing = { seconds: 1, threads: 2, batches: 0, rows: 0, busy: 0, sizes: [], versions: 0 };
  expect(reader.read(1)).toEqual(nothing);
  const batches = [1, 2, 3, 4, 7, 8, 15, 16, 255, 256, 3];
  for (const [i, rows] of batches.entries()) meters[i % 2]!.computed(rows);
  meters[0]!.loaded(3);
  meters[1]!.loaded(2);
  const sizes = Array.from(
    { length: 9 },
    (_, k) => batches.filter((rows) => rows >= 2 ** k && rows < 2 ** (k + 1)).length,
  );
  expect(sizes).toEqual([1, 3, 2, 2, 1, 0, 0, 1, 1]);
  const rows = batches.reduce((sum, size) => sum + size, 0);
  expect(reader.read(2)).toEqual({ ...nothing, seconds: 2, batches: 11, rows, sizes, versions: 3 });
  meters[1]!.computed(2 ** 31 - 1);
  expect(reader.read(1).sizes).toEqual([...Array.from({ length: 23 }, () => 0), 1]);
  expect(reader.rows).toBe(rows + 2 ** 31 - 1);
});

it("tells the time of batches, also of those that are being computed", () => {
  const words = newMeterWords();
  const reader = new EvaluatorReader([words]);
  const meter = new EvaluatorMeter(words);
  const begun = performance.now();
  meter.busy(true);
  const busy = performance.now();
  while (performance.now() - busy < 5);
  const first = reader.read(1).busy;
  expect(first).toBeGreaterThanOrEqual(0.005);
  meter.busy(false);
  const all = (performance.now() - begun) / 1000;
  expect(first + reader.read(1).busy).toBeLessThanOrEqual(all + 1e-6);
  expect(reader.read(1).busy).toBe(0);
});

it("adds the rows that were compared, and takes the largest difference since the last reading", () => {
  const words = [newMeterWords(), newMeterWords()];
  const reader = new EvaluatorReader(words);
  const meters = words.map((thread) => new EvaluatorMeter(thread));
  meters[0]!.checked(4, 1e-6);
  meters[0]!.checked(2, 5e-7);
  meters[1]!.checked(3, 2e-6);
  expect(reader.read(1).checked).toEqual({ rows: 9, largest: 2e-6 });
  expect(reader.read(1)).not.toHaveProperty("checked");
  meters[0]!.checked(1, 0);
  expect(reader.read(1).checked).toEqual({ rows: 1, largest: 0 });
});

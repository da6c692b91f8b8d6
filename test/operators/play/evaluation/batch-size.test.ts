import { availableParallelism } from "node:os";
import { describe, expect, it } from "vitest";
import {
  enoughRows,
  measureBatchSize,
  mostRows,
} from "../../../../src/operators/play/evaluation/batch-size.ts";
import { evaluationCompute, gamesInFlight, inFlightFor } from "../../../../src/operators/run/parallelism.ts";
import type { Experiment, OpenExperiment } from "../../../../src/operators/experiment/open-experiment.ts";

describe("enoughRows", () => {
  it("is the smallest batch whose rows cost hardly more than those of the best", () => {
    const times = (costs: readonly number[]) =>
      costs.map((cost, i) => ({ rows: 2 ** i, milliseconds: cost * 2 ** i }));
    expect(enoughRows(times([9, 5, 3, 2.1, 2, 2]))).toBe(8);
    expect(enoughRows(times([9, 5, 3, 2.5, 2, 1.9]))).toBe(16);
    expect(enoughRows(times([1, 2, 3]))).toBe(1);
    expect(enoughRows(times([7]))).toBe(1);
  });
});

describe("measureBatchSize", () => {
  /**
   * A machine where a batch takes `fixed` milliseconds and so many more for each row, and the first batch of each size
   * takes `first` more, on a clock of its own.
   */
  const machine = (fixed: number, perRow: number, first = 0) => {
    let clock = 0;
    const requested: number[] = [];
    const run = async (rows: number) => {
      clock += fixed + perRow * rows + (requested.includes(rows) ? 0 : first);
      requested.push(rows);
    };
    return { requested, measure: (most: number) => measureBatchSize(run, most, () => clock) };
  };

  it("finds larger batches where every call has a price of its own", async () => {
    expect(await machine(0, 100).measure(256)).toBe(1);
    expect(await machine(0.1, 0.1).measure(256)).toBe(64);
    expect(await machine(0.5, 0.01).measure(128)).toBe(128);
  });

  it("counts what a batch costs the threads that hand it over, which only small nets notice", async () => {
    expect(await machine(0, 0.01).measure(32)).toBe(32);
    expect(await machine(0, 0.5).measure(32)).toBe(8);
    expect(await machine(0, 5).measure(32)).toBe(1);
  });

  it("tries no more rows than fit, and stops where a net is slow", async () => {
    const narrow = machine(0.5, 0.01);
    expect(await narrow.measure(20)).toBe(16);
    expect(Math.max(...narrow.requested)).toBe(16);
    const slow = machine(500, 10);
    expect(await slow.measure(256)).toBe(1);
    expect(slow.requested).toEqual([1, 1]);
  });

  it("is not misled by other work of the machine in one round", async () => {
    let clock = 0;
    let runs = 0;
    const run = async (rows: number) => {
      // Runs 7 to 12, among them all counted runs of 8 and 16 rows in the first round, take three times as long.
      runs++;
      clock += (0.1 + 0.1 * rows) * (runs >= 7 && runs <= 12 ? 3 : 1);
    };
    expect(await measureBatchSize(run, 32, () => clock)).toBe(32);
  });

  it("counts no time in which the first batch of a size compiles", async () => {
    expect(await machine(2, 0.02, 500).measure(2048)).toBe(1024);
    expect(await machine(0.1, 0.1, 500).measure(256)).toBe(64);
  });

  it("tries more rows on a GPU, where a batch has the requests of all threads", () => {
    expect([mostRows("cpu", 256, 16), mostRows("cpu", 20, 16)]).toEqual([32, 20]);
    expect([mostRows("webgpu", 256, 16), mostRows("webgpu", 256, 2)]).toEqual([2048, 512]);
  });
});

describe("parallelism", () => {
  const experiment = (workers: number) => ({ workers, compute: { device: "cpu" } }) as Experiment;
  const cpu = { engine: "auto", device: "cpu", threads: 3 } as const;

  it("keeps a batch computed and one waiting for every session", () => {
    expect(inFlightFor(experiment(2), 2, 32)).toBe(64);
    expect(inFlightFor(experiment(4), 2, 8)).toBe(8);
    expect(inFlightFor(experiment(3), 1, 8)).toBe(6);
    expect(inFlightFor(experiment(8), 1, 1)).toBe(2);
    expect(inFlightFor(experiment(1), 64, 128)).toBe(64);
    expect(inFlightFor({ workers: 16, compute: { device: "webgpu" } } as Experiment, 2, 2048)).toBe(512);
  });

  it("takes what a stage says, or the most that measuring can come to, times the worker threads", () => {
    const opened = { experiment: experiment(3) } as OpenExperiment;
    expect(gamesInFlight(opened, 5)).toBe(15);
    expect(gamesInFlight(opened, undefined)).toBe(192);
    const onGpu = { experiment: { workers: 3, compute: { device: "webgpu" } } } as OpenExperiment;
    expect(gamesInFlight(onGpu, undefined)).toBe(1536);
  });

  it("opens a session for each core, fewer where memory is short, two on a GPU, or the number given", () => {
    const cores = availableParallelism();
    expect(evaluationCompute(cpu, 1000, undefined)).toEqual({
      sessions: cores,
      compute: { ...cpu, threads: 1 },
    });
    expect(evaluationCompute(cpu, 1e15, undefined)).toMatchObject({
      sessions: 1,
      compute: { threads: cores },
    });
    expect(evaluationCompute({ ...cpu, device: "webgpu" }, 1000, undefined).sessions).toBe(2);
    expect(evaluationCompute(cpu, 1000, 3)).toMatchObject({ sessions: 3 });
  });
});

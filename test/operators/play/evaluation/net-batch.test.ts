import { describe, expect, it } from "vitest";
import type { Inference, InferenceBatch } from "../../../../src/models/net.ts";
import { NetBatch, shapeOf } from "../../../../src/operators/play/evaluation/net-batch.ts";
import { newNotifier } from "../../../../src/workers/mailbox.ts";
import { newSlot, type Slot, submit } from "../../../../src/workers/slots.ts";

const sizes = { bytes: 2, floats: 1, values: 2, gather: 4 };

/** A slot whose rows hold `from`, `from` + 1, ...; row r has r % 4 gather indices, 10 times what the row holds and up. */
function slotFrom(from: number, rows: number, capacity = rows): Slot {
  const slot = newSlot({ ...sizes, capacity });
  for (let row = 0; row < rows; row++) {
    slot.bytes.set([from + row, 0], 2 * row);
    slot.floats[row] = (from + row) / 2;
    const start = slot.starts[row]!;
    for (let i = 0; i < row % 4; i++) slot.gather[start + i] = 10 * (from + row) + i;
    slot.starts[row + 1] = start + (row % 4);
  }
  return slot;
}

/** Responds with values [byte, float] and with the gather indices as priors; keeps what it was given. */
function echo() {
  const given: { readonly rows: number; readonly batch: InferenceBatch }[] = [];
  const inference: Inference = {
    run: async (batch, rows, { value, prior }) => {
      given.push({ rows, batch });
      for (let row = 0; row < rows; row++) {
        value.set([batch.bytes[2 * row]!, batch.floats[row]!], 2 * row);
        for (let i = row * batch.width; i < (row + 1) * batch.width; i++) prior![i] = batch.gather[i]!;
      }
    },
    dispose: async () => {},
  };
  return { given, inference };
}

/** Whether the rows of a slot have the response that `echo` gives. */
function hasResponse(slot: Slot, from: number, first: number, rows: number): boolean {
  return Array.from({ length: rows }, (_, i) => first + i).every(
    (row) =>
      slot.values[2 * row] === from + row &&
      slot.values[2 * row + 1] === (from + row) / 2 &&
      Array.from({ length: row % 4 }).every((_each, i) => {
        const at = slot.starts[row]! + i;
        return slot.priors[at] === slot.gather[at];
      }),
  );
}

describe.each(["cpu", "webgpu"] as const)("batches on %s", (device) => {
  it("computes the rows of a single slot in place", async () => {
    const { given, inference } = echo();
    const slot = slotFrom(3, 5, 8);
    const batch = new NetBatch(sizes, device);
    expect(await batch.compute(inference, [{ slot, first: 0, rows: 5 }])).toBe(5);
    expect(hasResponse(slot, 3, 0, 5)).toBe(true);
    expect(given[0]!.batch.bytes).toBe(slot.bytes);
    expect(given[0]!.rows).toBe(device === "cpu" ? 5 : 6);
  });

  it("computes rows of several slots together, and rows inside a slot", async () => {
    const { given, inference } = echo();
    const slots = [slotFrom(0, 7), slotFrom(50, 3), slotFrom(100, 9)] as const;
    const batch = new NetBatch(sizes, device);
    const runs = [
      { slot: slots[0], first: 2, rows: 4 },
      { slot: slots[1], first: 0, rows: 3 },
      { slot: slots[2], first: 5, rows: 4 },
    ];
    expect(await batch.compute(inference, runs)).toBe(11);
    expect(given.map(({ rows }) => rows)).toEqual([device === "cpu" ? 11 : 12]);
    expect(hasResponse(slots[0], 0, 2, 4)).toBe(true);
    expect(hasResponse(slots[1], 50, 0, 3)).toBe(true);
    expect(hasResponse(slots[2], 100, 5, 4)).toBe(true);
    // The rows of others are left alone.
    expect([...slots[0].values.subarray(0, 4), ...slots[0].values.subarray(12)]).toEqual([0, 0, 0, 0, 0, 0]);
    // Nothing of the batch before shows in the rows after the last, nor after the last index of a row.
    expect(await batch.compute(inference, [{ slot: slots[1], first: 1, rows: 1 }])).toBe(1);
    expect([...given[1]!.batch.gather.subarray(0, 4)]).toEqual([510, -1, -1, -1]);
  });

  it("copies a slot whose rows do not fill a shape but are too many to be filled up in place", async () => {
    const { given, inference } = echo();
    const slot = slotFrom(0, 5, 5);
    await new NetBatch(sizes, device).compute(inference, [{ slot, first: 0, rows: 5 }]);
    expect(hasResponse(slot, 0, 0, 5)).toBe(true);
    expect(given[0]!.batch.bytes === slot.bytes).toBe(device === "cpu");
  });

  it("leaves the rows of another version alone, which fill up no shape", async () => {
    const slot = slotFrom(0, 7, 8);
    slot.versions.set([1, 1, 1, 1, 1, 2, 2]);
    submit(slot, 7, newNotifier());
    const batch = new NetBatch(sizes, device);
    // On a GPU five rows take a shape of six.
    for (const run of [
      { slot, first: 5, rows: 2 },
      { slot, first: 0, rows: 5 },
    ]) {
      slot.values.fill(-1);
      await batch.compute(echo().inference, [run]);
      const others = run.first === 0 ? slot.values.subarray(10) : slot.values.subarray(0, 10);
      expect(others.every((value) => value === -1)).toBe(true);
      expect(hasResponse(slot, 0, run.first, run.rows)).toBe(true);
    }
  });

  it("tries out batches of empty positions", async () => {
    const { given, inference } = echo();
    await new NetBatch(sizes, device).tryOut(inference, 8);
    expect(given[0]!.rows).toBe(8);
    expect(new Set(given[0]!.batch.gather)).toEqual(new Set([-1]));
  });
});

it("prepares few shapes on a GPU, each less than half as large again as the rows in it", () => {
  const shapes = Array.from({ length: 300 }, (_, rows) => shapeOf(rows + 1, "webgpu"));
  expect([...new Set(shapes)]).toEqual([1, 2, 3, 4, 6, 8, 12, 16, 24, 32, 48, 64, 96, 128, 192, 256, 384]);
  expect(shapes.every((shape, i) => shape >= i + 1 && shape < 1.5 * (i + 1))).toBe(true);
  expect(shapeOf(7, "cpu")).toBe(7);
});

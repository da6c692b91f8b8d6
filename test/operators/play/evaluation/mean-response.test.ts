import { expect, it } from "vitest";
import { MeanResponse } from "../../../../src/operators/play/evaluation/mean-response.ts";
import { newSlot } from "../../../../src/workers/slots.ts";

it("averages values and priors over the rows of a position", () => {
  const slot = newSlot({ capacity: 4, bytes: 1, floats: 1, values: 2, gather: 3 });
  // Row 0 belongs to another position with one legal action; rows 1 to 3 are images with two.
  slot.starts.set([0, 1, 3, 5, 7]);
  slot.values.set([9, 9, 0.5, -0.5, 0.25, 0, 0, 0.5]);
  slot.priors.set([1, 1 / 4, 3 / 4, 1 / 2, 1 / 2, 1, 0]);
  const mean = new MeanResponse(2, 3);
  expect(mean.read(slot, 1, 3)).toBe(2);
  const [first, second, ...priors] = mean.response;
  expect([first, second]).toEqual([0.25, 0]);
  expect(priors[0]).toBeCloseTo((1 / 4 + 1 / 2 + 1) / 3, 6);
  expect(priors[1]).toBeCloseTo((3 / 4 + 1 / 2 + 0) / 3, 6);
  // Nothing is left over from the position before.
  expect(mean.read(slot, 0, 1)).toBe(1);
  expect([...mean.response.subarray(0, 3)]).toEqual([9, 9, 1]);
});

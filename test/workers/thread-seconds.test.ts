import { expect, it } from "vitest";
import { threadSeconds } from "../../src/workers/thread-seconds.ts";

it("counts short stretches of work between waits", () => {
  const word = new Int32Array(new SharedArrayBuffer(4));
  const begun = threadSeconds();
  let worked = 0;
  let sum = 0;
  for (let stretch = 0; stretch < 300; stretch++) {
    const before = threadSeconds();
    for (let i = 0; i < 100_000; i++) sum += Math.sqrt(i);
    worked += threadSeconds() - before;
    Atomics.wait(word, 0, 0, 0.2);
  }
  expect(sum).toBeGreaterThan(0);
  const all = threadSeconds() - begun;
  // The waits themselves cost a little.
  expect(worked / all).toBeGreaterThan(0.6);
  expect(worked).toBeLessThanOrEqual(all);
});

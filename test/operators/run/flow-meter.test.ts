import { expect, it, onTestFinished, vi } from "vitest";
import { FlowMeter } from "../../../src/operators/run/flow-meter.ts";

it("goes on without the memory of the process where the system has no free file to tell it in", () => {
  let now = 0;
  const meter = new FlowMeter(() => now);
  const memory = () => {
    now += 1000;
    const [flow] = meter.take();
    return flow?.type === "machine-flow" ? flow.memory : undefined;
  };
  const known = memory();
  expect(known).toBeGreaterThan(1e6);
  const rss = vi.spyOn(process.memoryUsage, "rss").mockImplementation(() => {
    throw Object.assign(new Error("EMFILE: too many open files, uv_resident_set_memory"), { code: "EMFILE" });
  });
  onTestFinished(() => rss.mockRestore());
  expect(memory()).toBe(known);
});

import { expect, it } from "vitest";
import { searchClock } from "../../../src/operators/experiment/search-clock.ts";
import type { OpenNet } from "../../../src/models/registry.ts";
import { threadSeconds } from "../../../src/workers/thread-seconds.ts";

const nets = new Map<string, OpenNet>([
  ["tables", { kind: "tables" } as OpenNet],
  ["layers", { kind: "network" } as OpenNet],
]);

it("is the processor time of a thread that does all the work itself, and none of one that waits for a net", () => {
  expect(searchClock({}, nets)).toBe(threadSeconds);
  expect(searchClock({ net: "tables" }, nets)).toBe(threadSeconds);
  expect(searchClock({ net: "layers" }, nets)).toBe(undefined);
  expect(searchClock({ net: "tables", valueNet: "layers" }, nets)).toBe(undefined);
});

import type { RunEvent } from "../../src/events/event.ts";

/** The first event of a run, or of a resumed part of it. */
export const started = (resumed: boolean): RunEvent => ({
  type: "run-started",
  name: "r",
  seed: 1,
  workers: 1,
  resumed,
  compute: "",
});

import { appendFileSync } from "node:fs";
import { vi } from "vitest";
import { MetricsFile } from "../../src/events/metrics-file.ts";
import { writing } from "../../src/formats/file-not-written.ts";

/** Lets the metrics take so many events, and then half a line: the disk is full. */
export function fullAfter(events: number) {
  // oxlint-disable-next-line typescript/unbound-method -- it is called with the file that it is called on
  const { record } = MetricsFile.prototype;
  let calls = 0;
  const spy = vi.spyOn(MetricsFile.prototype, "record").mockImplementation(function (
    this: MetricsFile,
    event,
  ) {
    if (++calls <= events) {
      record.call(this, event);
      return;
    }
    appendFileSync(this.path, '{"seq":');
    writing(this.path, () => {
      throw Object.assign(new Error("write"), { code: "ENOSPC" });
    });
  });
  return {
    /** Number of events that the metrics did not take. */
    refused: () => calls - events,
    /** Makes room again. */
    free: () => spy.mockRestore(),
  };
}

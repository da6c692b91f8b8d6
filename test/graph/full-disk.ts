import { appendFileSync } from "node:fs";
import { vi } from "vitest";
import type { RecordedEvent } from "../../src/events/event.ts";
import { MetricsFile } from "../../src/events/metrics-file.ts";
import { writing } from "../../src/formats/files/file-not-written.ts";

/** Lets the metrics take so many events, and then half a line: the disk is full. */
export const fullAfter = (events: number) => fullFrom((before) => before >= events);

/** Lets the metrics take all events before the first one of a type, and of that one half a line. */
export const fullAt = (wanted: RecordedEvent["type"]) => fullFrom((_, { type }) => type === wanted);

function fullFrom(isFull: (before: number, event: RecordedEvent) => boolean) {
  // oxlint-disable-next-line typescript/unbound-method -- it is called with the file that it is called on
  const { record } = MetricsFile.prototype;
  let taken = 0;
  let refused = 0;
  const spy = vi.spyOn(MetricsFile.prototype, "record").mockImplementation(function (
    this: MetricsFile,
    event,
  ) {
    if (!isFull(taken, event)) {
      taken++;
      record.call(this, event);
      return;
    }
    refused++;
    appendFileSync(this.path, '{"seq":');
    writing(this.path, () => {
      throw Object.assign(new Error("write"), { code: "ENOSPC" });
    });
  });
  return {
    /** Number of events that the metrics did not take. */
    refused: () => refused,
    /** Makes room again. */
    free: () => spy.mockRestore(),
  };
}

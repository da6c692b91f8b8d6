import { readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it, onTestFinished } from "vitest";
import type { RecordedEvent } from "../../../src/events/event.ts";
import { MetricsFile, readMetrics } from "../../../src/events/metrics-file.ts";
import { FileNotWritten } from "../../../src/formats/files/file-not-written.ts";
import type { SyncedEnd } from "../../../src/formats/files/appended-file.ts";
import { RecordLogReader } from "../../../src/formats/record-log.ts";
import { RecordLogWriter } from "../../../src/formats/record-log-writer.ts";
import { TensorBoardWriter } from "../../../src/formats/tensorboard.ts";
import { Random } from "../../../src/random.ts";
import { concerns, diskFaults, failingDisk, inModel } from "../../faults/disk-faults.ts";
import { FileModel } from "../../faults/file-model.ts";
import { type FileOperation, watchFiles } from "../../faults/watch-files.ts";
import { scratchFolder } from "../scratch-folder.ts";
import { someOf } from "../../number-of-cases.ts";

/** A file that grows, as it is written and read. */
interface Growing {
  readonly open: (path: string, confirmed: number) => Writer;
  readonly read: (path: string) => unknown[];
}

interface Writer {
  readonly put: (n: number) => void;
  readonly flush: () => void;
  readonly close: () => void;
  readonly synced: SyncedEnd | undefined;
}

const event = (n: number): RecordedEvent => ({
  type: "note",
  level: "info",
  message: `note ${n}`,
  time: "2026-01-01T00:00:00.000Z",
  elapsed: n,
});

const kinds: Readonly<Record<string, Growing>> = {
  "a record log": {
    open: (path, confirmed) => {
      const log = RecordLogWriter.open(path, confirmed);
      return {
        put: (n) => {
          log.append(new Uint8Array(5 + n).fill(n));
          log.drain();
        },
        flush: () => log.flush(),
        close: () => log.close(),
        get synced() {
          return log.synced;
        },
      };
    },
    read: (path) => {
      const log = new RecordLogReader(path);
      const all = [...log].map(([n]) => n);
      log.close();
      return all;
    },
  },
  "metrics.jsonl": {
    open: (path, confirmed) => {
      const file = MetricsFile.open(path, confirmed);
      return {
        put: (n) => file.record(event(n)),
        flush: () => file.flush(),
        close: () => file.close(),
        get synced() {
          return file.synced;
        },
      };
    },
    read: (path) => readMetrics(path).map(({ elapsed }) => elapsed),
  },
};

const COUNT = 4;

/** Appends what is missing, with a sync after each second one; throws as the writer does. */
function write(
  { open, read }: Growing,
  path: string,
  confirmed: number,
  there: boolean,
): SyncedEnd | undefined {
  const writer = open(path, confirmed);
  try {
    for (let n = there ? read(path).length : 0; n < COUNT; n++) {
      writer.put(n);
      if (n % 2 === 1) writer.flush();
    }
    writer.close();
  } catch (error) {
    // Whatever is tried after a failure, it is not as if nothing had happened.
    const failure = error as Error;
    for (const step of [() => writer.put(9), writer.flush, writer.close]) expect(step).toThrow(failure);
    throw Object.assign(failure, { synced: writer.synced });
  }
  return writer.synced;
}

describe.each(Object.entries(kinds))("%s", (_, kind) => {
  const scratch = () => join(scratchFolder(), "file");
  const whole = () => {
    const path = scratch();
    const operations: FileOperation[] = [];
    const stop = watchFiles(join(path, ".."), (operation) => void operations.push(operation));
    write(kind, path, 0, false);
    stop();
    return { operations, bytes: readFileSync(path) };
  };

  it("keeps what is whole and confirms what the disk has, whatever fails at any of its operations", () => {
    const { operations, bytes } = whole();
    expect(operations.length).toBeGreaterThan(COUNT);
    const failing = someOf(operations.entries());
    let failed = 0;
    for (const [at, operation] of failing)
      for (const how of diskFaults.filter((each) => concerns(each, operation))) {
        const path = scratch();
        const where = `${how} at ${at}, ${operation.kind}`;
        const model = new FileModel(join(path, ".."));
        let stop = watchFiles(
          join(path, ".."),
          inModel(model, failingDisk(at, how, Random.named(1, at, how))),
        );
        let confirmed: SyncedEnd | undefined;
        try {
          confirmed = write(kind, path, 0, false);
        } catch (error) {
          failed++;
          if (!(error instanceof FileNotWritten)) throw error;
          confirmed = (error as { readonly synced?: SyncedEnd }).synced;
        } finally {
          stop();
        }
        const certain = () => model.synced("file");
        const length = confirmed?.bytes ?? 0;
        expect(Buffer.compare(certain().subarray(0, length), bytes.subarray(0, length)), where).toBe(0);
        // There is room again.
        stop = watchFiles(join(path, ".."), inModel(model));
        try {
          write(kind, path, length, model.content().has("file"));
        } finally {
          stop();
        }
        expect(readFileSync(path).equals(bytes), where).toBe(true);
        expect(Buffer.compare(certain(), bytes), where).toBe(0);
        expect(kind.read(path)).toEqual(Array.from({ length: COUNT }, (_, n) => n));
      }
    expect(failed).toBeGreaterThan(failing.length);
  });
});

it("TensorBoard's file ends with a whole record where the disk took a part of one", () => {
  const folder = scratchFolder();
  // The file is opened, and its version and a scalar are written.
  const stop = watchFiles(folder, failingDisk(3, "torn EIO", Random.named(1)));
  onTestFinished(stop);
  const writer = new TensorBoardWriter(folder, 1);
  const put = () => writer.scalar({ tag: "a", value: 1, step: 1, wallTime: 1 });
  put();
  const whole = readFileSync(writer.path);
  expect(put).toThrow(FileNotWritten);
  expect(put).toThrow(FileNotWritten);
  writer.close();
  expect(readFileSync(writer.path).equals(whole)).toBe(true);
});

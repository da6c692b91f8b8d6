import { createRequire } from "node:module";
import { totalmem } from "node:os";

/** `MADV_HUGEPAGE` of Linux's `madvise(2)`. */
const MADV_HUGEPAGE = 14;

type Advise = (start: Uint8Array, length: number, advice: number) => number;

/** The share of the machine's memory that may be asked for: such pages are filled whole as soon as they are touched. */
const SHARE = 0.25;

let advise: Advise | undefined;
let requested = 0;

/**
 * Asks the system to back memory with huge pages, two megabytes in place of four kilobytes on most machines: tables that are
 * looked up all over then miss the processor's address caches far less. Of no effect but on speed, and of none at all where
 * the system is not Linux, has no huge pages to give, the package that calls its libraries is not installed, or this thread has
 * asked for a quarter of the machine's memory before.
 *
 * Linux's usual settings give them to all memory (`always`) or to what asks for them (`madvise`), which nothing in Node does.
 */
export function requestHugePages(memory: { readonly buffer: ArrayBufferLike }): void {
  const bytes = memory.buffer.byteLength;
  if (process.platform !== "linux" || requested + bytes > SHARE * totalmem()) return;
  requested += bytes;
  advise ??= findAdvise();
  advise(new Uint8Array(memory.buffer), bytes, MADV_HUGEPAGE);
}

function findAdvise(): Advise {
  try {
    const koffi = createRequire(import.meta.url)("koffi") as typeof import("koffi");
    return koffi.load(null).func("int madvise(void *start, size_t length, int advice)") as Advise;
  } catch {
    // Not installed, or not for this system.
    return () => 0;
  }
}

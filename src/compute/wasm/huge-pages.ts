import { createRequire } from "node:module";
import { totalmem } from "node:os";

/** `MADV_HUGEPAGE` of Linux's `madvise(2)`. */
const MADV_HUGEPAGE = 14;

/** What is used of the package that calls libraries of the system. */
interface Koffi {
  /** A library; null for those that the process has loaded. */
  load(path: null): { func(prototype: string): Advise };
}

type Advise = (start: Uint8Array, length: number, advice: number) => number;

/** The share of the machine's memory that a thread may request: a huge page is filled whole when it is first touched. */
const SHARE = 0.25;

let advise: Advise | undefined;
let requested = 0;

/**
 * Asks the system to back memory with huge pages, of two megabytes in place of four kilobytes on most machines: lookups all
 * over large tables then miss the processor's address caches far less often. It affects nothing but speed. It has no effect
 * at all if the system is not Linux or has no huge pages left, if the package that calls its libraries is not installed, or
 * if this thread has already requested a quarter of the machine's memory.
 *
 * Linux's usual settings give huge pages to all memory (`always`) or to memory for which a program requests them (`madvise`),
 * which Node never does.
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
    // The package of one platform, and not `koffi` itself, which has a script for its installation.
    const koffi = createRequire(import.meta.url)(`@koromix/koffi-linux-${process.arch}`) as Koffi;
    return koffi.load(null).func("int madvise(void *start, size_t length, int advice)");
  } catch {
    // Not installed, or not for this system.
    return () => 0;
  }
}

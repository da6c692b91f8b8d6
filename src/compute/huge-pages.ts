import { createRequire } from "node:module";

/** `MADV_HUGEPAGE` of Linux's `madvise(2)`. */
const MADV_HUGEPAGE = 14;

type Advise = (start: Uint8Array, length: number, advice: number) => number;

let advise: Advise | undefined;

/**
 * Asks the system to back memory with huge pages, two megabytes in place of four kilobytes on most machines: tables that are
 * looked up all over then miss the processor's address caches far less. Of no effect but on speed, and of none at all where
 * the system is not Linux, has no huge pages to give, or the package that calls its libraries is not installed.
 *
 * Linux's usual settings give them to all memory (`always`) or to what asks for them (`madvise`), which nothing in Node does.
 */
export function askForHugePages(memory: { readonly buffer: ArrayBufferLike }): void {
  if (process.platform !== "linux") return;
  advise ??= findAdvise();
  advise(new Uint8Array(memory.buffer), memory.buffer.byteLength, MADV_HUGEPAGE);
}

function findAdvise(): Advise {
  try {
    const koffi = createRequire(import.meta.url)("koffi") as typeof import("koffi");
    return koffi.load(null).func("int madvise(void *start, size_t length, int advice)") as Advise;
  } catch {
    return () => 0;
  }
}

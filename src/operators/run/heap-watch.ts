import { getHeapSpaceStatistics, getHeapStatistics, setFlagsFromString } from "node:v8";
import { runInNewContext } from "node:vm";

/** The part of the heap's limit above which little room is left: from .8 on V8 may give up. */
const NEARLY_FULL = 0.75;
const EVERY_MS = 1000;
/** Milliseconds until a heap that was full of garbage is collected for its own sake again. */
const COLLECT_EVERY_MS = 30_000;
/** What the limit of the whole heap has for young objects, in bytes: V8's default, which V8 does not report. */
const YOUNG = 192 * 2 ** 20;

/**
 * Watches the heap of the main thread, and calls `onFull` once, with the reason, when it is nearly used up: Node itself would end
 * the process with a trace. A heap that fills within a second or two is not seen in time. Returns a function that ends the watch.
 */
export function watchHeap(onFull: (reason: Error) => void): () => void {
  let collected = -Infinity;
  const timer = setInterval(() => {
    const limit = oldLimit();
    if (oldUsed() < NEARLY_FULL * limit) return;
    // Much of it may be garbage that V8 has not collected yet.
    if (performance.now() - collected < COLLECT_EVERY_MS) return;
    collected = performance.now();
    collectGarbage();
    if (oldUsed() < NEARLY_FULL * limit) return;
    clearInterval(timer);
    const mebibytes = Math.round(limit / 2 ** 20);
    onFull(
      new Error(
        `the heap of Node, ${mebibytes} MiB, is nearly used up; what the run has done is saved. Resume it with more, for example NODE_OPTIONS=--max-old-space-size=${2 * mebibytes}`,
      ),
    );
  }, EVERY_MS);
  timer.unref();
  return () => clearInterval(timer);
}

/** Bytes that objects may take that have outlived a collection: `--max-old-space-size`. Node ends if they take more. */
function oldLimit(): number {
  const { heap_size_limit: all } = getHeapStatistics();
  return all > YOUNG ? all - YOUNG : all;
}

function oldUsed(): number {
  return getHeapSpaceStatistics()
    .filter(({ space_name: name }) => !name.startsWith("new_") && name !== "read_only_space")
    .reduce((sum, { space_used_size: used }) => sum + used, 0);
}

/** Node has the function only if it was started with a flag; a new context gets it when the flag is set by then. */
function collectGarbage(): void {
  setFlagsFromString("--expose-gc");
  (runInNewContext("gc") as () => void)();
}

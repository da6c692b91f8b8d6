/** The signals that ask a process to end: Ctrl-C, and what `kill` and the end of a session send. */
const SIGNALS = ["SIGINT", "SIGTERM"] as const;

/**
 * A second signal within this time is the first one again: a job scheduler or systemd that ends a group of processes sends it
 * to the launcher of this program, which passes it on, and to this program itself.
 */
const SAME_SIGNAL_MS = 500;

/**
 * Calls `listener` at each signal that asks this process to end, in place of ending it. Returns a function that gives the
 * signals back their default.
 */
export function onStopSignal(listener: (signal: NodeJS.Signals) => void): () => void {
  let last = -Infinity;
  const onSignal = (signal: NodeJS.Signals) => {
    if (performance.now() - last < SAME_SIGNAL_MS) return;
    last = performance.now();
    listener(signal);
  };
  for (const signal of SIGNALS) process.on(signal, onSignal);
  return () => {
    for (const signal of SIGNALS) process.off(signal, onSignal);
  };
}

/** Ends this process by a signal, as without a listener. */
export function endBySignal(signal: NodeJS.Signals): void {
  process.removeAllListeners(signal);
  process.kill(process.pid, signal);
}

/** Resolves at the first signal that asks this process to end; a second one ends it at once. */
export function stopSignal(): Promise<void> {
  return new Promise((resolve) => {
    let received = false;
    onStopSignal((signal) => {
      if (received) endBySignal(signal);
      received = true;
      resolve();
    });
  });
}

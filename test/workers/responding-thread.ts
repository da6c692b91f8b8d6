/** A thread for tests: blocks in its mailbox, submits a slot, or responds to requests, by its task. */
import { parentPort, workerData } from "node:worker_threads";
import { Mailbox } from "../../src/workers/mailbox.ts";
import { serve } from "../../src/workers/serve.ts";
import { submit, collect, type Slot } from "../../src/workers/slots.ts";
import { endThread } from "../../src/workers/worker-thread.ts";

/** What the thread is to do. */
export type Task =
  | { readonly do: "echo from mailbox"; readonly notifier: Int32Array }
  | { readonly do: "submit"; readonly slot: Slot; readonly notifier: Int32Array; readonly times: number }
  | { readonly do: "serve" }
  /** Sets `busy` to 1, is busy for a while as in native code, and to 2; then it looks for a message and ends itself. */
  | { readonly do: "be busy"; readonly notifier: Int32Array; readonly busy: Int32Array };

/** A request to a serving thread. */
export type Message =
  | { readonly type: "double"; readonly value: number; readonly notes?: number }
  | { readonly type: "throw"; readonly what: string }
  | { readonly type: "late"; readonly value: number }
  | { readonly type: "exit" };

const task = workerData as Task;
const port = parentPort!;
if (task.do === "echo from mailbox") {
  const mailbox = new Mailbox<number>(port, task.notifier);
  for (;;) port.postMessage({ echo: mailbox.take(), waiting: mailbox.poll() ?? null });
} else if (task.do === "submit") {
  let sum = 0;
  let refused = 0;
  for (let time = 0; time < task.times; time++) {
    const rows = 1 + (time % task.slot.capacity);
    for (let row = 0; row < rows; row++) {
      task.slot.floats[row] = time + row;
      task.slot.gather[row] = time - row;
      task.slot.starts[row + 1] = row + 1;
    }
    try {
      submit(task.slot, rows, task.notifier);
      collect(task.slot);
      for (let row = 0; row < rows; row++) sum += task.slot.values[row]! + task.slot.priors[row]!;
    } catch {
      refused++;
    }
  }
  port.postMessage({ sum, refused });
} else if (task.do === "be busy") {
  Atomics.store(task.busy, 0, 1);
  Atomics.notify(task.busy, 0);
  for (const end = performance.now() + 200; performance.now() < end;);
  Atomics.store(task.busy, 0, 2);
  new Mailbox<string>(port, task.notifier).take();
  Atomics.store(task.busy, 0, 3);
  endThread();
} else
  serve<Message, number>(port, async (message, note) => {
    if (message.type === "throw") throw new Error(message.what);
    if (message.type === "exit") process.exit(3);
    if (message.type === "late")
      return new Promise((resolve) => setTimeout(() => resolve(message.value), 30));
    for (let i = 0; i < (message.notes ?? 0); i++) note(i);
    return 2 * message.value;
  });

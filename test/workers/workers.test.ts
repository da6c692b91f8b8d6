import { moduleBeside } from "../../src/module-beside.ts";
import { Effect, Exit, Fiber } from "effect";
import { describe, expect, it, onTestFinished } from "vitest";
import { newNotifier, notify } from "../../src/workers/mailbox.ts";
import { Requests } from "../../src/workers/requests.ts";
import {
  MIXED,
  respond,
  submit,
  collect,
  newSlot,
  refuse,
  take,
  versionOf,
} from "../../src/workers/slots.ts";
import { END } from "../../src/workers/serve.ts";
import { spawnWorker } from "../../src/workers/spawn-worker.ts";
import { startWorker, WorkerCrashed } from "../../src/workers/worker-thread.ts";
import type { Message, Task } from "./responding-thread.ts";

const module = new URL("./responding-thread.ts", import.meta.url);

/** A thread that ends with the test. */
function start<In, Out>(task: Task, name = "one") {
  const thread = startWorker<In, Out>({ name, module, data: task });
  onTestFinished(() => thread.stop());
  return thread;
}

const crashOf = (thread: { onCrash(listen: (crash: WorkerCrashed) => void): void }) =>
  new Promise<WorkerCrashed>((resolve) => thread.onCrash(resolve));

/** Requests to a serving thread, with every refusal as text. */
function serving(refused?: Error) {
  const thread = start<any, any>({ do: "serve" }, "server");
  const requests = new Requests<Message, number, number>(thread);
  const notes: number[] = [];
  const submit = (message: Message) =>
    requests.submit(message, {
      onError: (reason) => `refused: ${reason}`,
      onNote: (note) => {
        if (refused !== undefined) throw refused;
        notes.push(note);
      },
    });
  return { thread, submit, notes };
}

describe("Mailbox", () => {
  it("wakes a blocked thread for every message, in order, however they come", async () => {
    const notifier = newNotifier();
    const thread = start<number, { echo: number; waiting: number | null }>({
      do: "echo from mailbox",
      notifier,
    });
    const echoes: number[] = [];
    const all = new Promise<void>((resolve) =>
      thread.onMessage(({ echo, waiting }) => {
        echoes.push(echo, ...(waiting === null ? [] : [waiting]));
        if (echoes.length === 300) resolve();
      }),
    );
    for (let i = 0; i < 300; i++) {
      thread.post(i);
      notify(notifier);
      // In bursts, with pauses in which the thread goes to sleep.
      if (i % 37 === 0) await new Promise((resolve) => setImmediate(resolve));
    }
    await all;
    expect(echoes).toEqual(Array.from({ length: 300 }, (_, i) => i));
  });
});

describe("slots", () => {
  it("carry rows to the evaluator and back, each time to the rows submitted", async () => {
    const notifier = newNotifier();
    const slot = newSlot({ capacity: 3, bytes: 1, floats: 1, values: 1, gather: 1 });
    const times = 500;
    const thread = start<never, { sum: number; refused: number }>({ do: "submit", slot, notifier, times });
    const done = new Promise<{ sum: number; refused: number }>((resolve) => thread.onMessage(resolve));
    let served = 0;
    let wanted = 0;
    while (served < times) {
      const notifications = Atomics.load(notifier, 0);
      const rows = take(slot);
      if (rows === 0) {
        const { async, value } = Atomics.waitAsync(notifier, 0, notifications);
        if (async) await value;
        continue;
      }
      expect(rows).toBe(1 + (served % 3));
      for (let row = 0; row < rows; row++) {
        expect(slot.floats[row]).toBe(served + row);
        slot.values[row] = 2 * slot.floats[row]!;
        slot.priors[row] = 3 * slot.gather[slot.starts[row]!]!;
        wanted += slot.values[row]! + slot.priors[row]!;
      }
      if (served % 10 === 9) {
        refuse(slot);
        for (let row = 0; row < rows; row++) wanted -= slot.values[row]! + slot.priors[row]!;
      } else respond(slot, 0);
      served++;
    }
    expect(await done).toEqual({ sum: wanted, refused: times / 10 });
    expect(take(slot)).toBe(0);
  });

  it("have the sizes of their shape, and none for priors where none are requested", () => {
    const { bytes, floats, values, starts, gather, priors } = newSlot({
      capacity: 5,
      bytes: 9,
      floats: 7,
      values: 2,
      gather: 3,
    });
    expect([bytes, floats, values, starts, gather, priors].map(({ length }) => length)).toEqual([
      45, 35, 10, 6, 15, 15,
    ]);
    expect(newSlot({ capacity: 5, bytes: 1, floats: 7, values: 2, gather: 0 }).priors).toHaveLength(0);
  });

  it("are taken once, and say the version that all their rows are for; an idle slot needs no wait", () => {
    const slot = newSlot({ capacity: 2, bytes: 1, floats: 1, values: 1, gather: 0 });
    collect(slot);
    expect(take(slot)).toBe(0);
    slot.versions.set([17, 18]);
    for (const [rows, version] of [
      [2, MIXED],
      [1, 17],
    ] as const) {
      submit(slot, rows, newNotifier());
      expect([take(slot), take(slot)]).toEqual([rows, 0]);
      expect(versionOf(slot)).toBe(version);
      respond(slot, 0);
      collect(slot);
    }
  });
});

describe("Requests", () => {
  it("gives each request its own response, with its notes before it", async () => {
    const { submit, notes } = serving();
    const responses = await Effect.runPromise(
      Effect.all(
        Array.from({ length: 50 }, (_, value) =>
          submit({ type: "double", value, notes: value === 7 ? 3 : 0 }),
        ),
        { concurrency: "unbounded" },
      ),
    );
    expect(responses).toEqual(Array.from({ length: 50 }, (_, value) => 2 * value));
    expect(notes).toEqual([0, 1, 2]);
  });

  it("fails a request with the error that the thread threw, and goes on", async () => {
    const { submit } = serving();
    expect(await Effect.runPromiseExit(submit({ type: "throw", what: "no such row" }))).toEqual(
      Exit.fail("refused: no such row"),
    );
    expect(await Effect.runPromise(submit({ type: "double", value: 4 }))).toBe(8);
  });

  it("fails a request whose note cannot be taken, and goes on", async () => {
    const refused = new Error("no space left");
    const { submit } = serving(refused);
    expect(await Effect.runPromiseExit(submit({ type: "double", value: 7, notes: 2 }))).toEqual(
      Exit.die(refused),
    );
    expect(await Effect.runPromise(submit({ type: "double", value: 4 }))).toBe(8);
  });

  it("responds in the order of the requests, though a response takes its time", async () => {
    const { submit } = serving();
    const order: number[] = [];
    const submitting = (message: Message) => Effect.map(submit(message), (value) => void order.push(value));
    await Effect.runPromise(
      Effect.all([submitting({ type: "late", value: 1 }), submitting({ type: "double", value: 1 })], {
        concurrency: "unbounded",
      }),
    );
    expect(order).toEqual([1, 2]);
  });

  it("abandons a request that is interrupted: its late response disturbs nobody", async () => {
    const { submit } = serving();
    const fiber = Effect.runFork(submit({ type: "late", value: 9 }));
    await new Promise((resolve) => setImmediate(resolve));
    await Effect.runPromise(Fiber.interrupt(fiber));
    expect(await Effect.runPromise(submit({ type: "double", value: 5 }))).toBe(10);
  });

  it("fails all open requests when the thread crashes, and every later one at once", async () => {
    const { submit } = serving();
    const ends = await Effect.runPromise(
      Effect.all(
        [
          submit({ type: "late", value: 1 }),
          submit({ type: "exit" }),
          submit({ type: "double", value: 1 }),
        ].map(Effect.exit),
        { concurrency: "unbounded" },
      ),
    );
    const crashed = Exit.fail(new WorkerCrashed({ thread: "server", reason: "it exited with code 3" }));
    expect(ends).toEqual([Exit.succeed(1), crashed, crashed]);
    expect(await Effect.runPromiseExit(submit({ type: "double", value: 1 }))).toEqual(crashed);
  });
});

describe("worker threads", () => {
  it("tell a crash once, to late listeners too, with the name and the reason", async () => {
    const gone = startWorker({ name: "gone", module: new URL("./not-there.ts", import.meta.url), data: {} });
    let told = 0;
    gone.onCrash(() => told++);
    const crash = await crashOf(gone);
    expect(crash.message).toMatch(/^worker thread "gone" ended unexpectedly: .*not-there\.ts/);
    expect(await crashOf(gone)).toBe(crash);
    await gone.stop();
    expect(told).toBe(1);
  });

  it("end with their scope, blocked or not, and tell no crash then", async () => {
    const notifier = newNotifier();
    let crashes = 0;
    const exit = await Effect.runPromiseExit(
      Effect.scoped(
        Effect.gen(function* () {
          const thread = yield* spawnWorker<number, unknown>({
            name: "blocked",
            module,
            data: { do: "echo from mailbox", notifier } satisfies Task,
          });
          thread.onCrash(() => crashes++);
          const awake = Effect.callback<void>((resume) => thread.onMessage(() => resume(Effect.void)));
          thread.post(1);
          notify(notifier);
          yield* awake;
          return yield* Effect.fail("enough");
        }),
      ),
    );
    expect(exit).toEqual(Exit.fail("enough"));
    expect(crashes).toBe(0);
  });

  it("that are dismissed finish their work, and end by themselves", async () => {
    const notifier = newNotifier();
    const busy = new Int32Array(new SharedArrayBuffer(4));
    const thread = startWorker<never, never>({
      name: "busy",
      module,
      data: { do: "be busy", notifier, busy } satisfies Task,
      dismiss: (worker) => {
        worker.postMessage("end");
        notify(notifier);
      },
    });
    let crashes = 0;
    thread.onCrash(() => crashes++);
    await Atomics.waitAsync(busy, 0, 0).value;
    await thread.stop();
    expect([Atomics.load(busy, 0), crashes]).toEqual([3, 0]);
  });

  it("that serve end between two requests when they are told to", async () => {
    const thread = startWorker<any, any>({
      name: "server",
      module,
      data: { do: "serve" } satisfies Task,
      dismiss: (worker) => worker.postMessage(END),
    });
    const responses: unknown[] = [];
    thread.onMessage((reply) => responses.push(reply));
    for (const [ticket, value] of [3, 4].entries()) thread.post({ ticket, body: { type: "double", value } });
    await thread.stop();
    expect(responses).toEqual([
      { ticket: 0, body: 6 },
      { ticket: 1, body: 8 },
    ]);
  });

  it("are found beside the module that starts them, in its own language", () => {
    expect(moduleBeside("game-worker", "file:///a/b/pool.ts").href).toBe("file:///a/b/game-worker.ts");
    expect(moduleBeside("game-worker", "file:///a/dist/pool.js").href).toBe("file:///a/dist/game-worker.js");
  });
});

/** The thread of a batching evaluator: takes what the slots ask, computes it in as few batches as it can, answers. */
import { parentPort, workerData } from "node:worker_threads";
import { openEngine } from "../compute/open-engine.ts";
import { type Inference, openInference } from "../models/inference.ts";
import { Mailbox } from "../workers/mailbox.ts";
import { answer, asked, type Slot } from "../workers/slots.ts";
import type { EvaluatorData, FromEvaluator, ToEvaluator } from "./batch-evaluator.ts";
import { openSetting } from "./setting.ts";

const { experiment, net: name, compute, bell } = workerData as EvaluatorData;
const port = parentPort!;
const tell = (message: FromEvaluator) => port.postMessage(message);
const setting = openSetting(experiment);
const open = setting.nets.get(name)!;
if (open.kind !== "network") throw new Error(`"${name}" is not computed in batches`);
const engine = await openEngine(compute).catch((error: unknown) => {
  tell({ type: "unavailable", message: (error as Error).message });
  return undefined;
});
if (engine !== undefined) {
  tell({ type: "open", description: engine.description });
  const mailbox = new Mailbox<ToEvaluator>(port, bell);
  const slots = new Map<number, Slot>();
  let inference: Inference | undefined;
  let batch: Slot | undefined;

  const handle = async (message: ToEvaluator): Promise<void> => {
    if (message.type === "slot") {
      slots.set(message.worker, message.slot);
      return;
    }
    await inference?.dispose();
    inference = await openInference(engine, open.net, message.tensors);
    tell({ type: "loaded", ticket: message.ticket });
  };

  for (;;) {
    const rings = Atomics.load(bell, 0);
    for (let message = mailbox.poll(); message !== undefined; message = mailbox.poll()) await handle(message);
    const ready = [...slots.values()].filter((slot) => asked(slot) > 0);
    if (ready.length === 0 || inference === undefined) Atomics.wait(bell, 0, rings);
    else if (ready.length === 1) {
      // One thread alone: its rows are computed where they lie.
      await run(inference, ready[0]!, asked(ready[0]!));
      answer(ready[0]!);
    } else {
      const rows = ready.map(asked);
      const total = rows.reduce((sum, count) => sum + count, 0);
      batch = roomFor(batch, ready[0]!, total);
      let at = 0;
      for (const [i, slot] of ready.entries()) at = gather(slot, rows[i]!, batch, at);
      await run(inference, batch, total);
      at = 0;
      for (const [i, slot] of ready.entries()) {
        at = scatter(batch, at, slot, rows[i]!);
        answer(slot);
      }
    }
  }
}

async function run(inference: Inference, rows: Slot, count: number): Promise<void> {
  const out = rows.policy.length === 0 ? { value: rows.values } : { value: rows.values, policy: rows.policy };
  await inference.run(rows.features, count, out);
}

/** A place for `total` rows of the same kind as `like`. */
function roomFor(room: Slot | undefined, like: Slot, total: number): Slot {
  if (room !== undefined && room.capacity >= total) return room;
  const floats = (array: Float32Array) => new Float32Array((array.length / like.capacity) * total);
  return {
    control: like.control,
    features: floats(like.features),
    values: floats(like.values),
    policy: floats(like.policy),
    capacity: total,
  };
}

function gather(slot: Slot, rows: number, into: Slot, at: number): number {
  const width = slot.features.length / slot.capacity;
  into.features.set(slot.features.subarray(0, rows * width), at * width);
  return at + rows;
}

function scatter(from: Slot, at: number, slot: Slot, rows: number): number {
  for (const part of ["values", "policy"] as const) {
    const width = slot[part].length / slot.capacity;
    slot[part].set(from[part].subarray(at * width, (at + rows) * width));
  }
  return at + rows;
}

import type { ObjectStore } from "@nats-io/obj";
import type { JetStreamClient } from "@nats-io/jetstream";
import { BLOBS } from "./wire/subjects.ts";
import { sha256 } from "../formats/sha256.ts";

/** Milliseconds without any byte after which a transfer is given up: the client itself would wait for ever. */
const SILENCE_MS = 15_000;
/** Bytes of a piece of an object. */
const CHUNK = 512 * 1024;

/** The weights of a fleet on its server: objects named by the SHA-256 of their bytes, which never change. */
export class WeightsStore {
  readonly #objects: ObjectStore;

  constructor(objects: ObjectStore) {
    this.#objects = objects;
  }

  /** Opens the store; makes its bucket where the rights are those of a run. */
  static async open(js: JetStreamClient, make: boolean): Promise<WeightsStore> {
    const { Objm, StorageType } = await import("@nats-io/obj");
    const manager = new Objm(js);
    return new WeightsStore(
      make ? await manager.create(BLOBS, { storage: StorageType.File }) : await manager.open(BLOBS, false),
    );
  }

  /** Puts weights there, unless they are there. */
  async put(hash: string, bytes: Uint8Array): Promise<void> {
    const known = await this.#objects.info(hash);
    if (known !== null && !known.deleted && known.size === bytes.length) return;
    await this.putAgain(hash, bytes);
  }

  /** Puts weights there although they seem to be there: pieces of them may be missing. */
  async putAgain(hash: string, bytes: Uint8Array): Promise<void> {
    await this.#objects.putBlob({ name: hash, options: { max_chunk_size: CHUNK } }, bytes);
  }

  /** Gets weights; undefined where they are not there, or not whole. */
  async get(hash: string): Promise<Uint8Array<ArrayBuffer> | undefined> {
    const found = await inTime(this.#objects.get(hash));
    if (found === undefined || found === null) return undefined;
    const reader = found.data.getReader();
    const pieces: Uint8Array[] = [];
    for (;;) {
      const read = await inTime(reader.read());
      if (read === undefined) {
        void reader.cancel().catch(() => undefined);
        return undefined;
      }
      if (read.done) break;
      pieces.push(read.value);
    }
    if (sha256(...pieces) !== hash) return undefined;
    return new Uint8Array(Buffer.concat(pieces));
  }

  /** Removes weights; those that are not there are removed already. */
  async remove(hash: string): Promise<void> {
    await this.#objects.delete(hash).catch(() => undefined);
  }
}

/** What a promise gives in time; undefined where it takes longer, or fails. */
async function inTime<T>(promise: Promise<T>): Promise<T | undefined> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<undefined>((resolve) => {
    timer = setTimeout(() => resolve(undefined), SILENCE_MS);
  });
  try {
    return await Promise.race([promise.catch(() => undefined), late]);
  } finally {
    clearTimeout(timer);
  }
}

import type { ObjectStore } from "@nats-io/obj";
import type { JetStreamClient } from "@nats-io/jetstream";
import { BLOBS } from "./wire/subjects.ts";
import { sha256 } from "../formats/sha256.ts";

/** Milliseconds without any byte after which a transfer is given up: the client itself would wait for ever. */
const SILENCE_MS = 15_000;
/** Milliseconds in which the server removes the files of a bucket. */
const DELETED_MS = 500;
/** Bytes of a piece of an object. */
const CHUNK = 512 * 1024;

/** The weights of a fleet on its server: objects named by the SHA-256 of their bytes, which never change. */
export class WeightsStore {
  #objects: ObjectStore;
  readonly #open: () => Promise<ObjectStore>;

  private constructor(objects: ObjectStore, open: () => Promise<ObjectStore>) {
    this.#objects = objects;
    this.#open = open;
  }

  /** Opens the store; makes its bucket if the rights are those of a run. */
  static async open(js: JetStreamClient, make: boolean): Promise<WeightsStore> {
    const { Objm, StorageType } = await import("@nats-io/obj");
    const manager = new Objm(js);
    const open = () =>
      make ? manager.create(BLOBS, { storage: StorageType.File }) : manager.open(BLOBS, false);
    return new WeightsStore(await open(), open);
  }

  /** Puts weights there, unless they are there. */
  async put(hash: string, bytes: Uint8Array): Promise<void> {
    const known = await this.#objects.info(hash).catch(() => null);
    if (known !== null && !known.deleted && known.size === bytes.length) return;
    await this.putAgain(hash, bytes);
  }

  /** Puts weights there although they seem to be there: pieces of them may be missing. Makes the bucket if it is gone. */
  async putAgain(hash: string, bytes: Uint8Array): Promise<void> {
    const put = () => this.#objects.putBlob({ name: hash, options: { max_chunk_size: CHUNK } }, bytes);
    try {
      return void (await put());
    } catch {
      // The bucket is gone, or is damaged: see below.
    }
    try {
      this.#objects = await this.#open();
      await put();
    } catch (error) {
      if (!/no such file/.test((error as Error).message)) throw error;
      // A bucket that was deleted while it was written to has lost its files for good in nats-server 2.9. All that it held can be
      // had again.
      await this.#objects.destroy().catch(() => undefined);
      await new Promise((resolve) => setTimeout(resolve, DELETED_MS));
      this.#objects = await this.#open();
      await put();
    }
  }

  /** Gets weights; undefined if they are missing or incomplete. */
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

/** What a promise gives in time; undefined if it takes longer or fails. */
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

import { type ChildProcess, spawn } from "node:child_process";
import type { Socket } from "node:net";
import { fileURLToPath } from "node:url";
import { ComputeUnavailable, type Device } from "../engine.ts";

/** Number of last characters of standard error that are quoted if the process ends. */
const LAST_WORDS = 600;

/** Bytes before each frame: the length of the header (4) and of the payload (8). */
const LENGTHS = 12;

/** Where PyTorch computes. */
export interface TorchPlace {
  /** The Python to start: a name that is looked for on the PATH, or a path. */
  readonly python: string;
  /** A device; or `list`: the CPU computes, and the process names the GPUs that it can use. */
  readonly device: string;
  /** Threads of one operation on the CPU. */
  readonly threads: number;
}

/** What the process says about itself when it is ready. */
export interface TorchFacts extends Readonly<Record<string, string | number>> {
  /** The version of PyTorch. */
  readonly torch: string;
  /** The version of Python. */
  readonly python: string;
  /** The device; of a GPU the name of its model. */
  readonly device: string;
}

/** What the PyTorch of a Python has. */
export interface TorchSight {
  readonly facts: TorchFacts;
  /** The GPUs that it can use: the name of the model by that of the device. */
  readonly devices: Readonly<Partial<Record<Device, string>>>;
}

/** Starts a Python to see what its PyTorch has, and ends it. Throws ComputeUnavailable. */
export async function lookAtTorch(python: string): Promise<TorchSight> {
  const process = await TorchProcess.open({ python, device: "list", threads: 1 });
  const { devices, facts } = process;
  await process.close();
  return { facts, devices };
}

/** A response: the shapes of its arrays, which lie end to end in the payload as float32. */
export interface TorchResponse {
  readonly shapes: readonly (readonly number[])[];
  readonly payload: Float32Array;
}

/** PyTorch could not compute, or its process has ended. */
export class TorchFailed extends Error {
  readonly _tag = "TorchFailed";

  constructor(why: string) {
    super(`the engine torch: ${why}`);
    this.name = "TorchFailed";
  }
}

interface Waiter {
  readonly resolve: (response: TorchResponse) => void;
  readonly reject: (error: Error) => void;
}

/** The header of a frame from the process. */
interface Header {
  readonly ready?: TorchFacts;
  readonly devices?: TorchSight["devices"];
  readonly refused?: "missing" | "broken" | "old" | "device";
  readonly message?: string;
  readonly python?: string;
  readonly program?: string;
  readonly shapes?: readonly (readonly number[])[];
  readonly error?: string;
  readonly kind?: "memory" | "unsupported" | "failed";
}

/**
 * A process of the user's Python that executes graphs by PyTorch (`executor.py`).
 *
 * A frame in either direction is the length of a header (uint32) and of a payload (uint64), both little-endian, the header as
 * JSON, and the payload. Requests are answered in their order, and several may be under way. The process ends when its input
 * is closed: by `close`, at the end of the thread, or if the whole program is killed. It does not keep the program alive
 * unless a response is awaited.
 */
export class TorchProcess {
  readonly facts: TorchFacts;
  /** The GPUs that PyTorch can use, if the process was started to list them. */
  readonly devices: TorchSight["devices"];
  readonly #child: ChildProcess;
  readonly #stdin: Socket;
  readonly #waiting: Waiter[] = [];
  #ended: string | undefined;

  private constructor(child: ChildProcess, facts: TorchFacts, devices: TorchSight["devices"]) {
    this.#child = child;
    this.#stdin = child.stdin as Socket;
    this.facts = facts;
    this.devices = devices;
  }

  /** Starts the process and waits until its device is open, which takes seconds. Throws ComputeUnavailable. */
  static open(place: TorchPlace): Promise<TorchProcess> {
    const child = spawn(
      place.python,
      [fileURLToPath(new URL("executor.py", import.meta.url)), place.device, String(place.threads)],
      {
        stdio: "pipe",
        windowsHide: true,
        // A group of its own: Ctrl-C at the terminal does not reach it, so the run can save its work.
        detached: process.platform !== "win32",
        // Without this some products on CUDA have no deterministic form.
        env: { CUBLAS_WORKSPACE_CONFIG: ":4096:8", ...process.env },
      },
    );
    return new Promise((resolve, reject) => {
      let opened: TorchProcess | undefined;
      let lastWords = "";
      const frames = new FrameReader((header, payload) => {
        if (opened !== undefined) return opened.#onResponse(header, payload);
        if (header.ready !== undefined) {
          opened = new TorchProcess(child, header.ready, header.devices ?? {});
          opened.#release();
          resolve(opened);
        } else reject(unavailable(place, header));
      });
      child.stdout.on("data", (chunk: Buffer) => frames.take(chunk));
      child.stderr.setEncoding("utf8").on("data", (text: string) => {
        lastWords = (lastWords + text).slice(-LAST_WORDS);
      });
      // The end of the process is reported by its exit, not by a broken pipe.
      for (const pipe of child.stdio) pipe?.on("error", () => undefined);
      const ended = (how: string) => {
        const words = lastWords.trim().split("\n").slice(-3).join(" / ").trim();
        const reason = words === "" ? how : `${how}, saying: ${words}`;
        if (opened !== undefined) return opened.#onEnd(`its Python process ${reason}`);
        reject(
          new ComputeUnavailable(
            "the engine torch",
            `the Python "${place.python}" ${reason}`,
            "name a Python that has PyTorch under compute: { python: ... }, or choose the engine onnx",
          ),
        );
      };
      child.on("error", (error: NodeJS.ErrnoException) =>
        ended(error.code === "ENOENT" ? "is not there" : `cannot be started: ${error.message}`),
      );
      child.on("close", (code, signal) =>
        ended(
          signal === null
            ? `ended with exit code ${code}`
            : `was ended by ${signal}${signal === "SIGKILL" ? " (the system does so when memory runs out)" : ""}`,
        ),
      );
    });
  }

  /** The number of the process. */
  get pid(): number {
    return this.#child.pid!;
  }

  /**
   * Sends a request; the arrays must not change until it is answered. Throws TorchFailed if it cannot be computed or the process
   * has ended.
   */
  request(header: object, parts: readonly Uint8Array[] = []): Promise<TorchResponse> {
    return new Promise((resolve, reject) => {
      if (this.#ended !== undefined) return reject(new TorchFailed(this.#ended));
      this.#waiting.push({ resolve, reject });
      this.#hold();
      const text = Buffer.from(JSON.stringify(header));
      const lengths = Buffer.alloc(LENGTHS);
      lengths.writeUInt32LE(text.length, 0);
      lengths.writeBigUInt64LE(BigInt(parts.reduce((sum, { byteLength }) => sum + byteLength, 0)), 4);
      this.#stdin.cork();
      for (const part of [lengths, text, ...parts]) this.#stdin.write(part);
      this.#stdin.uncork();
    });
  }

  /** Ends the process. */
  async close(): Promise<void> {
    this.#onEnd("its Python process was closed");
    this.#stdin.end();
    await new Promise<void>((resolve) => {
      if (this.#child.exitCode !== null || this.#child.signalCode !== null) return resolve();
      this.#hold();
      this.#child.once("exit", () => {
        this.#release();
        resolve();
      });
    });
  }

  #onResponse(header: Header, payload: Float32Array): void {
    const waiter = this.#waiting.shift()!;
    if (this.#waiting.length === 0) this.#release();
    if (header.error === undefined) return waiter.resolve({ shapes: header.shapes!, payload });
    waiter.reject(
      new TorchFailed(
        header.kind === "memory"
          ? `the memory of ${this.facts.device} is used up: ${header.error}; take a smaller batch, fewer games under way (inFlight) or fewer versions, or end other programs that use the device`
          : header.error,
      ),
    );
  }

  #onEnd(reason: string): void {
    this.#ended ??= reason;
    for (const { reject } of this.#waiting.splice(0)) reject(new TorchFailed(this.#ended));
  }

  /** Keeps the program alive until the response comes, or the news that the process has ended. */
  #hold(): void {
    this.#child.ref();
    for (const pipe of this.#child.stdio) (pipe as Socket | null)?.ref();
  }

  /** Allows the program to end while nothing is awaited. */
  #release(): void {
    this.#child.unref();
    for (const pipe of this.#child.stdio) (pipe as Socket | null)?.unref();
  }
}

function unavailable({ device, python }: TorchPlace, header: Header): ComputeUnavailable {
  const where = `${python} (Python ${header.python})`;
  const other = "or name another Python under compute: { python: ... }";
  const install = `install it by: ${header.program} -m pip install torch (https://pytorch.org/get-started), ${other}`;
  switch (header.refused) {
    case "missing":
      return new ComputeUnavailable("the engine torch", `${where} has no package torch`, install);
    case "old":
      return new ComputeUnavailable(
        "the engine torch",
        `${where} has ${header.message}, and 1.13 or newer is needed`,
        install,
      );
    case "broken":
      return new ComputeUnavailable(
        "the engine torch",
        `${where} cannot import torch: ${header.message}`,
        `reinstall it, ${other}`,
      );
    default:
      return new ComputeUnavailable(
        `torch on ${device}`,
        `${where}: ${header.message}`,
        `install a PyTorch and a driver for this device (https://pytorch.org/get-started), ${other}, or choose another device`,
      );
  }
}

/** Puts frames together from the pieces in which a pipe gives them. */
class FrameReader {
  readonly #onFrame: (header: Header, payload: Float32Array) => void;
  /** What is being read: the lengths, the header, the payload. */
  #part: "lengths" | "header" | "payload" = "lengths";
  #bytes = new Uint8Array(LENGTHS);
  #filled = 0;
  #payloadLength = 0;
  #header: Header = {};

  constructor(onFrame: (header: Header, payload: Float32Array) => void) {
    this.#onFrame = onFrame;
  }

  take(chunk: Uint8Array): void {
    for (let at = 0; at < chunk.length;) {
      const count = Math.min(this.#bytes.length - this.#filled, chunk.length - at);
      this.#bytes.set(chunk.subarray(at, at + count), this.#filled);
      this.#filled += count;
      at += count;
      // The next part may be empty.
      while (this.#filled === this.#bytes.length) this.#next();
    }
  }

  #next(): void {
    const bytes = this.#bytes;
    switch (this.#part) {
      case "lengths": {
        const view = new DataView(bytes.buffer);
        this.#payloadLength = Number(view.getBigUint64(4, true));
        return this.#read("header", view.getUint32(0, true));
      }
      case "header":
        this.#header = JSON.parse(Buffer.from(bytes).toString("utf8")) as Header;
        return this.#read("payload", this.#payloadLength);
      default:
        this.#read("lengths", LENGTHS);
        this.#onFrame(this.#header, new Float32Array(bytes.buffer));
    }
  }

  #read(part: "lengths" | "header" | "payload", length: number): void {
    this.#part = part;
    this.#bytes = new Uint8Array(length);
    this.#filled = 0;
  }
}

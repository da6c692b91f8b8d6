import { requestHugePages } from "./huge-pages.ts";

/** A memory that WebAssembly code and threads share. Like a shared buffer, it can be sent to other threads. */
export interface SharedMemory {
  readonly buffer: SharedArrayBuffer;
}

/** The exported functions of an instance. */
export type WasmExports = Readonly<Record<string, (...numbers: number[]) => number>>;

/** A memory that belongs to one thread. */
export interface OwnMemory {
  readonly buffer: ArrayBuffer;
}

/** The memories that a module imports, by their names. */
export type Memories = Readonly<Record<string, SharedMemory | OwnMemory>>;

interface WebAssemblyApi {
  readonly Memory: {
    new (limits: { initial: number; maximum: number; shared: true }): SharedMemory;
    new (limits: { initial: number; maximum: number }): OwnMemory;
  };
  readonly Module: new (bytes: Uint8Array<ArrayBuffer>) => object;
  readonly Instance: new (
    module: object,
    imports: { readonly tables: Memories },
  ) => { readonly exports: WasmExports };
  validate(bytes: Uint8Array<ArrayBuffer>): boolean;
}

// Neither the language's own library nor Node's types declare it.
declare const WebAssembly: WebAssemblyApi | undefined;

/** Bytes of a page. */
export const PAGE = 0x10000;

/** A zeroed shared memory of this many pages (at most 65,536), in huge pages if available; undefined if there is none. */
export function sharedMemory(pages: number): SharedMemory | undefined {
  if (typeof WebAssembly === "undefined") return undefined;
  try {
    const memory = new WebAssembly.Memory({ initial: pages, maximum: pages, shared: true });
    requestHugePages(memory);
    return memory;
  } catch (error) {
    if (error instanceof RangeError) return undefined;
    throw error;
  }
}

/** A zeroed memory of this many pages for one thread. */
export function ownMemory(pages: number): OwnMemory {
  return new WebAssembly!.Memory({ initial: pages, maximum: pages });
}

/** Whether the platform can run a module: it may lack WebAssembly, its vector instructions or several memories. */
export function canRun(bytes: Uint8Array<ArrayBuffer>): boolean {
  return typeof WebAssembly !== "undefined" && WebAssembly.validate(bytes);
}

/** The functions of a module by `wasmModule`, on memories of the sizes that the module declares. */
export function instantiate(bytes: Uint8Array<ArrayBuffer>, memories: Memories): WasmExports {
  const { Module, Instance } = WebAssembly!;
  return new Instance(new Module(bytes), { tables: memories }).exports;
}

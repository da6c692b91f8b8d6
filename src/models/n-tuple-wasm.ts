import { WasmCode, wasmModule } from "../compute/wasm-module.ts";
import { canRun, instantiate, type SharedMemory, sharedMemory } from "../compute/webassembly.ts";
import type { NTupleKernel } from "./n-tuple-kernel.ts";
import type { TupleLookup } from "./n-tuple-lookup.ts";
import { fillLines, type Places, placesOf } from "./n-tuple-wasm-memory.ts";
import { coherentStep, fixedStep } from "./n-tuple-wasm-step.ts";
import { bestFunction, valueFunction } from "./n-tuple-wasm-value.ts";

/**
 * A memory for the tables of a 4x4 network, zeroed weights first, then coherence, then what its kernel looks lines up in;
 * undefined where the platform has no WebAssembly with vectors, or not so much memory.
 */
export function wasmTables(lookup: TupleLookup): SharedMemory | undefined {
  const places = placesOf(lookup);
  if (places.pages > 0x10000 || !canRun(moduleBytes(lookup, places))) return undefined;
  const memory = sharedMemory(places.pages);
  if (memory !== undefined) fillLines(lookup, places, memory);
  return memory;
}

/**
 * The kernel in WebAssembly, on a memory by `wasmTables`; only for boards of 4x4 cells.
 *
 * Its functions keep nothing but the tables, so that threads can share a memory: boards are passed as eight numbers.
 * Indices are made four at a time, one for each way of reading the lines in their order or the opposite one; sums and
 * steps go two lanes at a time, in double precision, in the order that `StepRule` and `TupleLookup` describe.
 */
export function wasmKernel(lookup: TupleLookup, memory: SharedMemory): NTupleKernel {
  const { value, best, chosen, tc, td } = instantiate(
    moduleBytes(lookup, placesOf(lookup)),
    memory,
  ) as Record<"value" | "best" | "chosen" | "tc" | "td", (...numbers: number[]) => number>;
  return {
    value: (lines, at) =>
      value(
        lines[at]!,
        lines[at + 1]!,
        lines[at + 2]!,
        lines[at + 3]!,
        lines[at + 4]!,
        lines[at + 5]!,
        lines[at + 6]!,
        lines[at + 7]!,
      ),
    best: (lines) =>
      best(lines[0]!, lines[1]!, lines[2]!, lines[3]!, lines[4]!, lines[5]!, lines[6]!, lines[7]!),
    chosen: () => chosen(),
    stepper({ use, rate }) {
      const step = use === "tc" ? tc : td;
      return (lines, at, target) =>
        step(
          lines[at]!,
          lines[at + 1]!,
          lines[at + 2]!,
          lines[at + 3]!,
          lines[at + 4]!,
          lines[at + 5]!,
          lines[at + 6]!,
          lines[at + 7]!,
          target,
          rate,
        );
    },
  };
}

const modules = new Map<string, Uint8Array<ArrayBuffer>>();

function moduleBytes(lookup: TupleLookup, places: Places): Uint8Array<ArrayBuffer> {
  const key = JSON.stringify(lookup.plan);
  let bytes = modules.get(key);
  if (bytes === undefined) {
    bytes = wasmModule(places.pages, [
      valueFunction(lookup, places),
      bestFunction(places),
      {
        name: "chosen",
        parameters: [],
        result: "i32",
        locals: [],
        body: new WasmCode().at("global.get", 0).bytes,
      },
      coherentStep(lookup, places),
      fixedStep(lookup, places),
    ]);
    modules.set(key, bytes);
  }
  return bytes;
}

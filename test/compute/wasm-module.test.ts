import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { WasmCode, wasmModule } from "../../src/compute/wasm-module.ts";
import { canRun, instantiate, PAGE, sharedMemory } from "../../src/compute/webassembly.ts";

const two = ["i32", "i32"] as const;

describe("a module in WebAssembly", () => {
  it("computes with constants of any size, and calls its own functions", () => {
    fc.assert(
      fc.property(fc.integer(), fc.double({ noNaN: true }), (whole, real) => {
        const bytes = wasmModule(1, [
          {
            name: "sum",
            parameters: two,
            result: "i32",
            locals: [],
            body: new WasmCode().at("local.get", 0).at("local.get", 1).op("i32.add").bytes,
          },
          {
            name: "more",
            parameters: ["i32"],
            result: "i32",
            locals: [],
            body: new WasmCode().at("local.get", 0).i32(whole).at("call", 0).bytes,
          },
          { name: "real", parameters: [], result: "f64", locals: [], body: new WasmCode().f64(real).bytes },
        ]);
        expect(canRun(bytes)).toBe(true);
        const { sum, more, real: constant } = instantiate(bytes, sharedMemory(1)!);
        expect(sum!(3, -5)).toBe(-2);
        expect(more!(7)).toBe((whole + 7) | 0);
        expect(constant!()).toBe(real);
      }),
      { numRuns: 50 },
    );
  });

  it("reads and writes the shared memory lane by lane", () => {
    const code = new WasmCode().at("local.get", 0).load("v128.load", 0).at("local.set", 2);
    code.at("local.get", 1).at("local.get", 2).lane("v128.store32_lane", 4, 3);
    code.at("local.get", 2).inLane("i32x4.extract_lane", 1);
    const bytes = wasmModule(2, [
      { name: "move", parameters: two, result: "i32", locals: ["v128"], body: code.bytes },
    ]);
    const memory = sharedMemory(2)!;
    expect(memory.buffer.byteLength).toBe(2 * PAGE);
    const words = new Int32Array(memory.buffer);
    words.set([11, 22, 33, 44], 8);
    expect(instantiate(bytes, memory)["move"]!(32, 100)).toBe(22);
    expect(words[26]).toBe(44);
  });

  it("is refused where its bytes are no module", () => {
    const wrong = { name: "wrong", parameters: [], result: "i32", locals: [], body: [] } as const;
    expect(canRun(wasmModule(1, [wrong]))).toBe(false);
  });

  it("gets no memory that is larger than the platform has", () => {
    expect(sharedMemory(0x10001)).toBeUndefined();
  });
});

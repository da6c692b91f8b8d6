import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { WasmCode, wasmModule } from "../../../src/compute/wasm/module.ts";
import { canRun, instantiate, ownMemory, PAGE, sharedMemory } from "../../../src/compute/wasm/webassembly.ts";

const shared = (pages: number) => ({ name: "memory", pages, shared: true });
const two = ["i32", "i32"] as const;

describe("a module in WebAssembly", () => {
  it("computes with constants of any size, and calls its own functions", () => {
    fc.assert(
      fc.property(fc.integer(), fc.double({ noNaN: true }), (whole, real) => {
        const bytes = wasmModule(
          [shared(1)],
          [
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
          ],
        );
        expect(canRun(bytes)).toBe(true);
        const { sum, more, real: constant } = instantiate(bytes, { memory: sharedMemory(1)! });
        expect(sum!(3, -5)).toBe(-2);
        expect(more!(7)).toBe((whole + 7) | 0);
        expect(constant!()).toBe(real);
      }),
      { numRuns: 50 },
    );
  });

  it("reads and writes the shared memory lane by lane", () => {
    const code = new WasmCode().at("local.get", 0).access("v128.load", 0).at("local.set", 2);
    code.at("local.get", 1).at("local.get", 2).lane("v128.store32_lane", 4, 3);
    code.at("local.get", 2).inLane("i32x4.extract_lane", 1);
    const bytes = wasmModule(
      [shared(2)],
      [{ name: "move", parameters: two, result: "i32", locals: ["v128"], body: code.bytes }],
    );
    const memory = sharedMemory(2)!;
    expect(memory.buffer.byteLength).toBe(2 * PAGE);
    const words = new Int32Array(memory.buffer);
    words.set([11, 22, 33, 44], 8);
    expect(instantiate(bytes, { memory })["move"]!(32, 100)).toBe(22);
    expect(words[26]).toBe(44);
  });

  it("copies from one memory to another in a loop, and leaves it from within", () => {
    // Copies words from the shared memory to the own one until a zero; returns the address of that.
    const code = new WasmCode().block().loop();
    code.at("local.get", 0).access("i32.load", 8).at("local.tee", 1).op("i32.eqz").at("br_if", 1);
    code.at("local.get", 0).at("local.get", 1).access("i32.store", 16, 1);
    code.at("local.get", 0).i32(4).op("i32.add").at("local.set", 0);
    code.at("br", 0).op("end").op("end").at("local.get", 0);
    const bytes = wasmModule(
      [shared(1), { name: "own", pages: 1, shared: false }],
      [{ name: "copy", parameters: ["i32"], result: "i32", locals: ["i32"], body: code.bytes }],
    );
    const memory = sharedMemory(1)!;
    const own = ownMemory(1);
    new Int32Array(memory.buffer).set([5, 6, 7], 2);
    expect(instantiate(bytes, { memory, own })["copy"]!(0)).toBe(12);
    expect([...new Int32Array(own.buffer, 16, 4)]).toEqual([5, 6, 7, 0]);
  });

  it("multiplies to 64 bits, and divides, shifts and counts without a sign", () => {
    const code = new WasmCode().at("local.get", 0).op("i64.extend_i32_u").at("local.get", 1);
    code.op("i64.extend_i32_u").op("i64.mul").i64(32).op("i64.shr_u").op("i32.wrap_i64");
    const rest = new WasmCode().at("local.get", 0).at("local.get", 1).op("i32.rem_u");
    const bits = new WasmCode().at("local.get", 0).op("i32.popcnt").at("local.get", 1).op("i32.rotl");
    const [high, remainder, turned] = ["high", "remainder", "turned"].map(
      (name, i) =>
        instantiate(
          wasmModule(
            [shared(1)],
            [{ name, parameters: two, result: "i32", locals: [], body: [code, rest, bits][i]!.bytes }],
          ),
          { memory: sharedMemory(1)! },
        )[name]!,
    );
    fc.assert(
      fc.property(fc.nat(0xffffffff), fc.integer({ min: 1, max: 0xffffffff }), (a, b) => {
        expect(high!(a, b) >>> 0).toBe(Number((BigInt(a) * BigInt(b)) >> 32n));
        expect(remainder!(a, b) >>> 0).toBe(a % b);
        const ones = a.toString(2).replaceAll("0", "").length;
        expect(turned!(a, b)).toBe((ones << (b & 31)) | ((ones >>> ((32 - b) & 31)) & (b & 31 ? -1 : 0)));
      }),
    );
  });

  it("is refused where its bytes are no module", () => {
    const wrong = { name: "wrong", parameters: [], result: "i32", locals: [], body: [] } as const;
    expect(canRun(wasmModule([shared(1)], [wrong]))).toBe(false);
  });

  it("gets no memory that is larger than the platform has", () => {
    expect(sharedMemory(0x10001)).toBeUndefined();
  });
});

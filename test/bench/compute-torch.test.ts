import { describe, expect, it } from "vitest";
import { findTorch, type TorchProbe } from "../../bench/compute-torch.ts";

const probeOf = (kernels: string, speed: number): TorchProbe => ({
  version: "1.13.0",
  blas: { kind: "openblas", name: "OpenBLAS 0.3.21", kernels },
  speed,
});

describe("the PyTorch of `bench compute`", () => {
  it("takes the kernels that are the fastest here, and names them", () => {
    const speeds: Record<string, TorchProbe> = {
      "": probeOf("Prescott", 30),
      SKYLAKEX: probeOf("SkylakeX", 134),
      HASWELL: probeOf("Haswell", 90),
    };
    // What a build lacks or the processor cannot run ends without an answer.
    const torch = findTorch(
      (interpreter, { OPENBLAS_CORETYPE = "" }) =>
        interpreter === "with-torch" ? speeds[OPENBLAS_CORETYPE] : undefined,
      ["without-torch", "with-torch"],
    );
    expect(torch).toEqual({
      interpreter: "with-torch",
      name: "PyTorch 1.13.0",
      blas: "OpenBLAS 0.3.21, kernels SkylakeX",
      environment: { OPENBLAS_CORETYPE: "SKYLAKEX" },
    });
  });

  it("keeps the library's own choice where no other kernels are faster", () => {
    expect(
      findTorch(
        (_, { OPENBLAS_CORETYPE }) =>
          probeOf(OPENBLAS_CORETYPE ?? "Zen", OPENBLAS_CORETYPE === undefined ? 99 : 98),
        ["python3"],
      ),
    ).toMatchObject({ environment: {}, blas: "OpenBLAS 0.3.21, kernels Zen" });
  });

  it("is asked for no kernels where another library than OpenBLAS computes", () => {
    const asked: object[] = [];
    const torch = findTorch(
      (_, environment) => {
        asked.push(environment);
        return { version: "2.11.0", blas: { kind: "mkl", name: "MKL" }, speed: 100 };
      },
      ["python3"],
    );
    expect(torch).toMatchObject({ blas: "MKL", environment: {} });
    expect(asked).toEqual([{}]);
  });

  it("is refused with the reference BLAS, with what to install", () => {
    const reference: TorchProbe = {
      version: "1.13.0",
      blas: { kind: "reference", name: "/usr/lib/blas/libblas.so.3" },
      speed: 2,
    };
    expect(() => findTorch(() => reference, ["python3"])).toThrow(
      "PyTorch 1.13.0 of python3 computes dense layers by the reference BLAS (/usr/lib/blas/libblas.so.3), which is no peer: install another one (on Debian: apt-get install libopenblas0-pthread)",
    );
  });

  it("is absent where no interpreter has it", () => {
    expect(findTorch(() => undefined)).toBeUndefined();
  });
});

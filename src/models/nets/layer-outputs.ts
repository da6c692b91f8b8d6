import type { Engine } from "../../compute/engine.ts";
import { LAYER } from "../../compute/onnx/trace.ts";
import { sizeOf, withSizes } from "../../compute/tensors.ts";
import type { InferenceBatch, Net } from "../net.ts";
import { compileEvaluation } from "./inference.ts";

/** A net whose layers can be looked at. */
export interface LayerOutputs {
  /** The numbers of each layer for the first `rows` positions of a batch, by the layer's name, in the order in which they are computed. */
  run(batch: InferenceBatch, rows: number): Promise<ReadonlyMap<string, Float32Array>>;
  dispose(): Promise<void>;
}

/** Compiles the net that `openInference` compiles, with all its layers as outputs. The engine must be one that records graphs. */
export async function openLayers(
  engine: Engine,
  net: Net,
  weights: ReadonlyMap<string, Float32Array>,
): Promise<LayerOutputs> {
  const compiled = await compileEvaluation(engine, net, weights, { layers: true });
  const outputs = Object.entries(compiled.outputs);
  return {
    run: async ({ bytes, floats, gather, width }, rows) => {
      const arrays = Object.fromEntries(
        outputs.map(([name, shape]) => [name, new Float32Array(sizeOf(withSizes(shape, rows, width)))]),
      );
      await compiled.run({ bytes, floats, gather }, arrays, rows, width);
      // Outputs are the last layers.
      return new Map(
        [
          ...outputs.filter(([name]) => name.startsWith(LAYER)),
          ...outputs.filter(([name]) => !name.startsWith(LAYER)),
        ].map(([name]) => [name.startsWith(LAYER) ? name.slice(LAYER.length) : name, arrays[name]!]),
      );
    },
    dispose: () => compiled.dispose(),
  };
}

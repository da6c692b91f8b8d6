import { encodingOf } from "../../games/packed-planes.ts";
import { type NetDefinition, NetDoesNotFit, planesOf } from "../definition.ts";
import type { Net } from "../net.ts";
import { fitModel, type FittedModel } from "./fit-model.ts";
import { readModelFile } from "./model-file.ts";
import { modelOptions } from "./model-options.ts";

/** A model in a file, made elsewhere: it plays and is not trained. */
export const onnx: NetDefinition<typeof modelOptions> = {
  name: "onnx",
  description: "A model file in ONNX's format from elsewhere, such as PyTorch: it plays, and is not trained.",
  options: modelOptions,
  heads: ({ outputs: { value, policy } }) => ({ value: value !== undefined, policy: policy !== undefined }),
  withContent: (chosen) => ({ ...chosen, sha256: chosen.sha256 ?? readModelFile(chosen.file).sha256 }),
  build: (game, chosen): Net => {
    const planes = planesOf(game, "onnx", chosen.planes);
    let model: FittedModel;
    let weights: number;
    try {
      const { bytes, signature, sha256 } = readModelFile(chosen.file);
      if (chosen.sha256 !== null && chosen.sha256 !== sha256)
        throw new Error(
          `the content of ${chosen.file} is another one than expected: its SHA-256 is ${sha256}, not ${chosen.sha256}`,
        );
      weights = bytes / Float32Array.BYTES_PER_ELEMENT;
      model = fitModel(signature, game, planes, chosen);
    } catch (error) {
      throw new NetDoesNotFit("onnx", game.name, (error as Error).message);
    }
    const net: Net = {
      name: "onnx",
      input: planes.shape,
      encoding: encodingOf(planes),
      seats: game.players,
      ...(model.value === undefined ? { hasValue: false as const } : {}),
      ...(model.policy === undefined
        ? {}
        : { actions: game.actions, logits: game.actions, maxLegal: game.maxLegal }),
      valueScale: 1,
      parameters: [],
      model: {
        weights,
        file: chosen.file,
        outputs: chosen.outputs,
        open: async (engine) => (await import("./model-inference.ts")).openModel(engine, net, model),
      },
      forward: () => {
        throw new Error(`${chosen.file} is computed as it is; it is not trained`);
      },
    };
    return net;
  },
};

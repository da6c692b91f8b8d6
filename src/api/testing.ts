/** `ludoflow/testing`: trials of games and nets of your own, for tests. */
import type { Tensor } from "@tensorflow/tfjs-core";
import type { Game } from "../games/game.ts";
import type { NetDefinition } from "../models/definition.ts";
import { type Definition, defined } from "../definitions/definition.ts";
import { Random } from "../random.ts";
import { LudoflowError, withPublicErrors } from "./errors.ts";

export { type BrokenLaw, brokenLaws, type LawsTried } from "../plugins/game-laws.ts";

/**
 * The tfjs operators of a net that ONNX Runtime cannot compute or train, each as a sentence; empty if it can do all. The net is
 * computed once, and its gradients once, with weights drawn at random; with the rest of its options at their defaults.
 *
 * Throws a LudoflowError: `ERR_AGENT` for options that the net refuses, or a game that it cannot play; and what the net throws.
 */
export async function unknownOperators(
  net: Definition,
  game: Game<unknown>,
  options: Readonly<Record<string, unknown>> = {},
): Promise<readonly string[]> {
  return await withPublicErrors(async () => {
    const [tf, { recordedKernels }, { initialWeights }, { completeOptions }, { exportOnnx }, gradients] =
      await Promise.all([
        import("@tensorflow/tfjs-core"),
        import("../compute/onnx/recording-backend.ts"),
        import("../models/net.ts"),
        import("../options.ts"),
        import("../models/nets/inference.ts"),
        import("../compute/tfjs/gradients.ts"),
        import("@tensorflow/tfjs-backend-cpu"),
      ]);
    await gradients.loadGradients();
    const made = defined(net);
    if (made?.kind !== "net") throw new LudoflowError("ERR_AGENT", "this is not made by defineNet");
    // `defineNet` makes nothing else of this kind.
    const definition = made.made as NetDefinition;
    const completed = completeOptions(definition.options, options);
    if ("wrong" in completed) throw new LudoflowError("ERR_AGENT", `net ${net.name}: ${completed.wrong}`);
    const built = definition.build(game, completed.options);
    const weights = initialWeights(built, Random.named("unknown operators"));
    // Empty before anything was computed.
    const before = tf.getBackend() || "cpu";
    await tf.setBackend("cpu");
    // tfjs advertises another backend when this one computes first, except in its own tests.
    const testing = tf.env().getBool("IS_TEST");
    tf.env().set("IS_TEST", true);
    try {
      const { kernelNames } = await tf.profile(() =>
        tf.tidy(() => {
          const x = tf.ones([2, ...built.input]) as import("@tensorflow/tfjs-core").Tensor4D;
          const values = built.parameters.map(({ name, shape }) => tf.tensor(weights.get(name)!, [...shape]));
          const loss = (...given: Tensor[]) => {
            const named = Object.fromEntries(built.parameters.map(({ name }, i) => [name, given[i]!]));
            const { value, policy } = built.forward(named, x, true);
            const parts = [value, policy].flatMap((out) =>
              out === undefined ? [] : [tf.sum(tf.square(out))],
            );
            return tf.addN(parts);
          };
          tf.grads(loss)(values);
          return loss(...values);
        }),
      );
      const unknown = [...new Set(kernelNames)].filter((kernel) => !Object.hasOwn(recordedKernels, kernel));
      if (unknown.length > 0)
        return unknown
          .toSorted()
          .map((kernel) => `${kernel} has no counterpart; express the layer with other operations`);
    } finally {
      tf.env().set("IS_TEST", testing);
      await tf.setBackend(before);
    }
    try {
      exportOnnx(built, weights);
      return [];
    } catch (error) {
      if ((error as Error).name !== "KernelNotRecorded") throw error;
      return [(error as Error).message];
    }
  });
}

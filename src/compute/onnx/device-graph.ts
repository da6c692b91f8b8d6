import { DataType, type GraphProto } from "./model-messages.ts";
import { CAST_TO } from "./recording.ts";
import { attributeOf } from "./graph.ts";

/**
 * A recorded graph as WebGPU has kernels for it: slices of int32 become slices of float32, between two conversions. Such numbers are
 * bytes and indices here, below 2^24, which float32 holds exactly.
 */
export function deviceGraph(graph: GraphProto): GraphProto {
  const types = new Map(
    [...(graph.valueInfo ?? []), ...(graph.output ?? [])].map(({ name, type }) => [
      name!,
      type!.tensorType!.elemType,
    ]),
  );
  return {
    ...graph,
    node: graph.node!.flatMap((node) => {
      const [output] = node.output as [string];
      if (node.opType !== "Slice" || types.get(output) !== DataType.INT32) return [node];
      const name = node.name!;
      const [data, ...bounds] = node.input as [string, ...string[]];
      const cast = (from: string, to: string, type: keyof typeof CAST_TO) => ({
        name: `${name}/${type}`,
        opType: "Cast",
        input: [from],
        output: [to],
        attribute: [attributeOf("to", CAST_TO[type])],
        docString: node.docString ?? "",
      });
      const [before, after] = [`${name}/before`, `${name}/after`];
      return [
        cast(data, before, "float32"),
        { ...node, input: [before, ...bounds], output: [after] },
        cast(after, output, "int32"),
      ];
    }),
  };
}

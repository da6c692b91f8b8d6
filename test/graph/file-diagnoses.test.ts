import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { type CheckedGraph, checkGraph } from "../../src/graph/check-graph.ts";
import { readExperiment } from "../../src/graph/experiment-file.ts";
import { fileDiagnoses } from "../../src/graph/file-diagnoses.ts";

const planted = join(import.meta.dirname, "../trust/diagnosis/planted");

function graphOf(file: string, set: readonly string[] = []): CheckedGraph {
  return checkGraph(readExperiment(join(planted, `${file}.yaml`), set));
}

const diagnosesOf = (graph: CheckedGraph) =>
  fileDiagnoses(graph).map(({ name, where }) => `${where} ${name}`);

/** The graph with other planes of the game, as an author may write them. */
function withPlanes(graph: CheckedGraph, write: (stones: Float32Array) => void): CheckedGraph {
  const { game } = graph.opened;
  const [name, planes] = Object.entries(game.nets!.planes)[0]!;
  const [height, width, channels] = planes.shape;
  const blind = {
    ...planes,
    write(state: unknown, out: Float32Array, offset: number) {
      planes.write(state, out, offset);
      write(out.subarray(offset, offset + height * width * channels));
    },
  };
  const nets = { ...game.nets!, planes: { ...game.nets!.planes, [name]: blind } };
  return { ...graph, opened: { ...graph.opened, game: { ...game, nets } } };
}

describe("what a file alone shows of learning", () => {
  it("is nothing in experiments that learn", () => {
    expect(diagnosesOf(graphOf("base-tic-tac-toe"))).toEqual([]);
    expect(diagnosesOf(graphOf("base-othello"))).toEqual([]);
  });

  it("is that games repeat one another if agents draw nothing", () => {
    expect(diagnosesOf(graphOf("no-noise"))).toEqual(["/graph/games repeated-games"]);
    expect(diagnosesOf(graphOf("arena-of-two-games"))).toEqual(["/graph/gate repeated-games"]);
    expect(diagnosesOf(graphOf("base-othello", ["agents.learner.temperature=[]"]))).toEqual([
      "/graph/games repeated-games",
    ]);
  });

  it("is not if something differs from game to game", () => {
    for (const change of [
      "graph.games.openings=[{ plies: 2 }]",
      "agents.learner.temperature=[{ until: 3, value: 1 }, { value: 0 }]",
      "agents.learner.noise={ epsilon: 0.25, alpha: 1 }",
      "agents.learner.playoutCap={ fraction: 0.5, simulations: 4 }",
    ])
      expect(diagnosesOf(graphOf("no-noise", [change]))).toEqual([]);
    for (const change of [
      "graph.gate.openings={ plies: 2 }",
      "graph.gate.agents=[player, random]",
      "graph.gate.games=4",
    ])
      expect(diagnosesOf(graphOf("arena-of-two-games", [change]))).toEqual([]);
  });

  it("is that another net is trained than the one that plays", () => {
    expect(diagnosesOf(graphOf("other-net"))).toEqual(["/graph/weights frozen-net"]);
    expect(diagnosesOf(graphOf("other-net", ["agents.learner.net=trained"]))).toEqual([]);
  });

  it("is a rate that vanishes soon", () => {
    const at = (rate: string) => diagnosesOf(graphOf("base-tic-tac-toe", [`graph.weights.rate=${rate}`]));
    expect(at("[{ until: 8, value: 0.01 }, { value: 0.0001 }]")).toEqual(["/graph/weights/rate frozen-net"]);
    expect(at("[{ until: 8, value: 0.01 }, { value: 0.001 }]")).toEqual([]);
    expect(at("[{ until: 100, value: 0.01 }, { value: 0.000001 }]")).toEqual([]);
    expect(at("0.000001")).toEqual([]);
  });

  it("is that nothing learns the values", () => {
    expect(diagnosesOf(graphOf("value-loss-left-out"))).toEqual(["/graph/weights values-of-noise"]);
    expect(diagnosesOf(graphOf("value-loss-left-out", ["graph.weights.loss.valueWeight=0.5"]))).toEqual([]);
  });

  it("is that planes do not distinguish positions", () => {
    const graph = graphOf("base-tic-tac-toe");
    expect(diagnosesOf(withPlanes(graph, (planes) => void planes.fill(0)))).toEqual(["/nets/zero blind-net"]);
    // Where stones are, and not whose.
    const stones = (planes: Float32Array) => {
      for (let cell = 0; cell < 9; cell++) {
        planes[3 * cell] = Math.max(planes[3 * cell]!, planes[3 * cell + 1]!);
        planes[3 * cell + 1] = 0;
      }
    };
    expect(diagnosesOf(withPlanes(graph, stones))).toEqual(["/nets/zero blind-net"]);
    expect(diagnosesOf(withPlanes(graph, () => {}))).toEqual([]);
  });
});

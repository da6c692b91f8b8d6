import { describe, expect, it } from "vitest";
import { fixedByTime, irreproducible } from "../../../src/graph/folder/irreproducible.ts";
import type { Experiment } from "../../../src/operators/experiment/open-experiment.ts";

/** An experiment with agents of all kinds, of which its graph names some. */
const experiment = (graph: Experiment["graph"], schedule: Experiment["schedule"] = "synchronous") =>
  ({
    schedule,
    graph,
    compute: { engine: "auto", device: "cpu", threads: 1 },
    nets: { one: { use: "residual" }, two: { use: "residual" }, rollouts: { use: "linear-policy" } },
    agents: {
      several: { use: "apv-mcts", net: "one", valueNet: "two", playoutNet: "rollouts" },
      steady: { use: "uct", simulations: 10 },
      clocked: { use: "uct", milliseconds: 5 },
      outside: { use: "gtp", command: ["program"] },
      one: { use: "greedy", net: "one" },
      two: { use: "greedy", net: "two" },
    },
  }) as unknown as Experiment;

describe("the reasons why a run is not a function of its file and seed", () => {
  it("are none if only agents that count their work play, also while nets learn", () => {
    const graph = { match: { use: "arena", agents: ["steady"] } };
    for (const schedule of ["synchronous", "overlapped"] as const)
      expect(irreproducible(experiment(graph, schedule))).toEqual([]);
  });

  it("name engines and devices whose bits may depend on the batch, if nets are computed", () => {
    const usual = experiment({ match: { use: "arena", agents: ["steady"] } });
    const on = (compute: object, nets = usual.nets) =>
      irreproducible({ ...usual, nets, compute: { ...usual.compute, ...compute } });
    expect(on({ engine: "torch" })).toEqual(["the bits of evaluations by PyTorch may depend on their batch"]);
    expect(on({ engine: "torch", device: "cuda" })).toEqual(on({ engine: "torch" }));
    expect(on({ device: "webgpu" })).toEqual(["the bits of evaluations by webgpu may depend on their batch"]);
    expect(on({ engine: "tfjs" })).toEqual([]);
    expect(on({ engine: "torch" }, { tables: { use: "n-tuple" } })).toEqual([]);
  });

  it.each([
    ["an arena's agents", { use: "arena", agents: ["steady", "clocked"] }],
    ["self-play's agent", { use: "self-play", agent: "clocked" }],
    [
      "a warm start's agent",
      { use: "self-play", agent: "steady", warmStart: { agent: "clocked", games: 1 } },
    ],
    ["an opponent", { use: "policy-statistics", agent: "steady", opponent: "clocked" }],
    ["the agent of openings", { use: "uct-openings", agent: "clocked" }],
    ["the search of a learner", { use: "td-learner", threads: 1, search: { agent: "clocked" } }],
  ])("name %s that plays by the clock", (_what, stage) => {
    expect(irreproducible(experiment({ stage }))).toEqual(["these agents play by the clock: clocked"]);
  });

  it("are the record of simulations alone, which a replay reads, where times are equal", () => {
    const arena = { use: "arena", agents: ["steady", "one"] };
    const equal = experiment({ match: { ...arena, equalTime: true }, other: { ...arena, equalTime: false } });
    expect(irreproducible(equal)).toEqual([]);
    expect(fixedByTime(equal)).toEqual([
      "these stages have fixed simulations by measured processor time, and the run has their numbers: match",
    ]);
    expect(fixedByTime(experiment({ match: arena }))).toEqual([]);
  });

  it("name other programs, shared tables and an asynchronous schedule", () => {
    const graph = {
      match: { use: "arena", agents: ["outside"] },
      learn: { use: "td-learner", threads: 2 },
    };
    expect(irreproducible(experiment(graph, "asynchronous"))).toEqual([
      "the schedule is asynchronous",
      "several threads learn the same tables: learn",
      "these agents are other programs: outside",
    ]);
  });

  it("name stages that follow one learner and play with the net of another meanwhile", () => {
    const graph = {
      "learn-one": { use: "trainer", net: "one" },
      "learn-two": { use: "trainer", net: "two" },
      saved: { use: "checkpoint", from: "learn-one" },
      curve: { use: "arena", after: "saved", every: 1, agents: ["one", "two"] },
      // With the last weights alone, or with the net of the learner that it follows, nothing depends on time.
      last: { use: "arena", after: "saved", every: 0, agents: ["one", "two"] },
      end: { use: "arena", every: 1, agents: ["one", "two"] },
      own: { use: "policy-statistics", after: "learn-two", every: 1, agent: "two" },
      other: { use: "policy-statistics", after: "learn-two", every: 1, agent: "two", opponent: "one" },
    };
    expect(irreproducible(experiment(graph))).toEqual([
      "these stages follow one learner and play with nets that others learn meanwhile: curve, other",
    ]);
    const { "learn-two": _, other: __, own: ___, ...alone } = graph;
    expect(irreproducible(experiment(alone))).toEqual([]);
    const mixed = {
      ...alone,
      "learn-two": graph["learn-two"],
      curve: { ...graph.curve, agents: ["several"] },
    };
    expect(irreproducible(experiment(mixed))).toEqual([
      "these stages follow one learner and play with nets that others learn meanwhile: curve",
    ]);
  });

  it("name stages that play generations of games with tables that another stage changes", () => {
    const graph = {
      learn: { use: "policy-gradient", net: "rollouts" },
      games: { use: "self-play", agent: "several" },
      matches: { use: "arena", agents: ["several"] },
    };
    expect(irreproducible(experiment(graph))).toEqual([
      "these stages play with tables that another stage changes meanwhile: games",
    ]);
    const { learn: _, ...fixed } = graph;
    expect(irreproducible(experiment(fixed))).toEqual([]);
  });
});

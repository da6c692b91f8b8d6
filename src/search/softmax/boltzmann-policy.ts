import { Type, type Static } from "../../schema.ts";
import type { Random } from "../../random.ts";
import type { ValueMap } from "./boltzmann.ts";

const map = Type.Optional(
  Type.Union([Type.Literal("none"), Type.Literal("max"), Type.Literal("log")], {
    default: "max",
    description:
      "How values are mapped before the Boltzmann weights. none: not at all. max: divided by the best value, which becomes 1. log: by the logarithm.",
  }),
);

const factor = (what: string) =>
  Type.Number({
    exclusiveMinimum: 0,
    maximum: 1e6,
    description: `The temperature at one ${what}. It halves with every factor of ten.`,
  });

/** A Boltzmann policy as the options give it: a name from the paper's appendix, a temperature, or a schedule. */
export const policySchema = Type.Union([
  Type.Union(
    [
      Type.Literal("L-log"),
      Type.Literal("G-log"),
      Type.Literal("L-max"),
      Type.Literal("G-max"),
      Type.Literal("ave"),
      Type.Literal("best"),
    ],
    {
      description:
        "A policy of appendix A.1 of the paper on MC Softmax search for 2048 (Watanabe and Matsuzaki).",
    },
  ),
  Type.Number({
    minimum: 0,
    maximum: 1e6,
    description: "A constant temperature, with map: max. 0 always takes the best.",
  }),
  Type.Object(
    {
      use: Type.Literal("constant", { description: "A constant temperature." }),
      value: Type.Number({ minimum: 0, maximum: 1e6, description: "The temperature." }),
      map,
    },
    { additionalProperties: false },
  ),
  Type.Object(
    {
      use: Type.Literal("linear", { description: "Temperature 1 - (i - 1)/n in simulation i of n." }),
      over: Type.Optional(
        Type.Union([Type.Literal("tree"), Type.Literal("all-rounds"), Type.Literal("all-trees")], {
          default: "tree",
          description:
            "Which simulations i and n count, if there are several trees. tree: those of each tree by itself. all-rounds: those of all trees together, round by round (the first of every tree, then the second of every tree). all-trees: those of all trees together, tree after tree.",
        }),
      ),
      map,
    },
    { additionalProperties: false },
  ),
  Type.Object(
    {
      use: Type.Literal("visits", {
        description: "Temperature factor / 2^log10(n), where n is the number of visits of the node.",
      }),
      factor: factor("visit"),
      map,
    },
    { additionalProperties: false },
  ),
  Type.Object(
    {
      use: Type.Literal("simulations", {
        description:
          "Temperature factor / 2^log10(n), where n is the number of simulations of the tree so far.",
      }),
      factor: factor("simulation"),
      map,
    },
    { additionalProperties: false },
  ),
  Type.Object(
    {
      use: Type.Literal("uniform", {
        description:
          "A temperature drawn uniformly from [from, to), anew for each simulation or sampled path.",
      }),
      from: Type.Number({ minimum: 0, maximum: 1e6, description: "The least temperature." }),
      to: Type.Number({ minimum: 0, maximum: 1e6, description: "The upper end, itself excluded." }),
      map,
    },
    { additionalProperties: false },
  ),
]);

/** A Boltzmann policy as the options give it. */
export type PolicyOptions = Static<typeof policySchema>;

type Schedule = Exclude<PolicyOptions, string | number>;
type LinearCount = Extract<Schedule, { use: "linear" }>["over"];

/** The policies of appendix A.1 by name. L counts the visits of the node, G all simulations. */
const named: Readonly<Record<Extract<PolicyOptions, string>, Schedule>> = {
  "L-log": { use: "visits", factor: 0.4, map: "log" },
  "G-log": { use: "simulations", factor: 0.4, map: "log" },
  "L-max": { use: "visits", factor: 2, map: "max" },
  "G-max": { use: "simulations", factor: 2, map: "max" },
  ave: { use: "constant", value: Infinity, map: "none" },
  best: { use: "constant", value: 0, map: "none" },
};

/** How many simulations a search makes: in each tree, and the number of trees. */
export interface SimulationCount {
  readonly simulations: number;
  readonly trees: number;
}

/** The Boltzmann policy of one search: how values are mapped, and the temperature of each simulation. */
export class BoltzmannPolicy {
  readonly map: ValueMap;
  readonly #schedule: Schedule;
  readonly #simulations: number;
  readonly #trees: number;
  /** factor / 2^log10(n) by n, for schedules that count. Computing the power costs as much as a move of the board. */
  readonly #byCount: Float64Array;
  #temperature = 0;

  constructor(options: PolicyOptions, { simulations, trees }: SimulationCount) {
    const schedule =
      typeof options === "string"
        ? named[options]
        : typeof options === "number"
          ? { use: "constant" as const, value: options }
          : options;
    this.#schedule = schedule;
    this.map = schedule.map ?? "max";
    this.#simulations = simulations;
    this.#trees = trees;
    const counts = schedule.use === "visits" || schedule.use === "simulations" ? simulations + 1 : 0;
    this.#byCount = new Float64Array(counts);
    if ("factor" in schedule)
      for (let n = 0; n < counts; n++) this.#byCount[n] = schedule.factor / 2 ** Math.log10(Math.max(n, 1));
  }

  /**
   * Begins simulation number `simulation`, 1 to `simulations`, of tree number `tree`, 0 to `trees` - 1. A uniform schedule
   * makes its one draw here.
   */
  begin(tree: number, simulation: number, random: Random): void {
    const schedule = this.#schedule;
    if (schedule.use === "constant") this.#temperature = schedule.value;
    else if (schedule.use === "linear") this.#temperature = this.#linear(tree, simulation, schedule.over);
    else if (schedule.use === "simulations") this.#temperature = this.#byCount[simulation]!;
    else if (schedule.use === "uniform")
      this.#temperature = schedule.from + (schedule.to - schedule.from) * random.float();
  }

  /** The temperature at a node with this many visits, the current simulation included. */
  at(visits: number): number {
    return this.#schedule.use === "visits" ? this.#byCount[visits]! : this.#temperature;
  }

  /** 1 - (i - 1)/n, section 4.2 of the source: "in simulation i of n in total". */
  #linear(tree: number, simulation: number, over: LinearCount = "tree"): number {
    const before = simulation - 1;
    if (over === "tree") return 1 - before / this.#simulations;
    const all = this.#trees * this.#simulations;
    return (
      1 - (over === "all-rounds" ? before * this.#trees + tree : tree * this.#simulations + before) / all
    );
  }
}

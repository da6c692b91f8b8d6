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
    { use: Type.Literal("linear", { description: "Temperature 1 - (i - 1)/n in simulation i of n." }), map },
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
        description: "Temperature factor / 2^log10(n), where n is the number of simulations so far.",
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

/** The policies of appendix A.1 by name. L counts the visits of the node, G all simulations. */
const named: Readonly<Record<Extract<PolicyOptions, string>, Schedule>> = {
  "L-log": { use: "visits", factor: 0.4, map: "log" },
  "G-log": { use: "simulations", factor: 0.4, map: "log" },
  "L-max": { use: "visits", factor: 2, map: "max" },
  "G-max": { use: "simulations", factor: 2, map: "max" },
  ave: { use: "constant", value: Infinity, map: "none" },
  best: { use: "constant", value: 0, map: "none" },
};

/** The Boltzmann policy of one search: how values are mapped, and the temperature of each simulation. */
export class BoltzmannPolicy {
  readonly map: ValueMap;
  readonly #schedule: Schedule;
  readonly #simulations: number;
  /** factor / 2^log10(n) by n, for schedules that count. Computing the power costs as much as a move of the board. */
  readonly #byCount: Float64Array;
  #temperature = 0;

  /** `simulations` is the number of simulations in each tree: the n of the linear schedule. */
  constructor(options: PolicyOptions, simulations: number) {
    const schedule =
      typeof options === "string"
        ? named[options]
        : typeof options === "number"
          ? { use: "constant" as const, value: options }
          : options;
    this.#schedule = schedule;
    this.map = schedule.map ?? "max";
    this.#simulations = simulations;
    const counts = schedule.use === "visits" || schedule.use === "simulations" ? simulations + 1 : 0;
    this.#byCount = new Float64Array(counts);
    if ("factor" in schedule)
      for (let n = 0; n < counts; n++) this.#byCount[n] = schedule.factor / 2 ** Math.log10(Math.max(n, 1));
  }

  /** Begins simulation number `simulation`, 1 to `simulations`. A uniform schedule makes its one draw here. */
  begin(simulation: number, random: Random): void {
    const schedule = this.#schedule;
    if (schedule.use === "constant") this.#temperature = schedule.value;
    else if (schedule.use === "linear") this.#temperature = 1 - (simulation - 1) / this.#simulations;
    else if (schedule.use === "simulations") this.#temperature = this.#byCount[simulation]!;
    else if (schedule.use === "uniform")
      this.#temperature = schedule.from + (schedule.to - schedule.from) * random.float();
  }

  /** The temperature at a node with this many visits, the current simulation included. */
  at(visits: number): number {
    return this.#schedule.use === "visits" ? this.#byCount[visits]! : this.#temperature;
  }
}

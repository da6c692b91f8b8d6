import { Type, type Static } from "../../schema.ts";
import type { Random } from "../../random.ts";
import type { ValueMap } from "./boltzmann.ts";

const map = Type.Optional(
  Type.Union([Type.Literal("none"), Type.Literal("max"), Type.Literal("log")], {
    default: "max",
    description:
      "What is done to values before the Boltzmann weights: nothing, division by the best so that it is 1, or the logarithm.",
  }),
);

const factor = (what: string) =>
  Type.Number({
    exclusiveMinimum: 0,
    maximum: 1e6,
    description: `The temperature at one ${what}; it halves with each tenfold.`,
  });

/** A Boltzmann policy as options give it: a name from the source's appendix, a temperature, or a schedule. */
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
    { description: "A policy of the source's appendix A.1." },
  ),
  Type.Number({
    minimum: 0,
    maximum: 1e6,
    description: "A constant temperature for values mapped so that the best is 1; 0 always takes the best.",
  }),
  Type.Object(
    {
      use: Type.Literal("constant", { description: "The same temperature throughout." }),
      value: Type.Number({ minimum: 0, maximum: 1e6, description: "The temperature." }),
      map,
    },
    { additionalProperties: false },
  ),
  Type.Object(
    { use: Type.Literal("linear", { description: "1 - (i - 1)/n in simulation i of n." }), map },
    { additionalProperties: false },
  ),
  Type.Object(
    {
      use: Type.Literal("visits", { description: "factor / 2^log10(n), n the node's visits." }),
      factor: factor("visit"),
      map,
    },
    { additionalProperties: false },
  ),
  Type.Object(
    {
      use: Type.Literal("simulations", { description: "factor / 2^log10(n), n the simulations so far." }),
      factor: factor("simulation"),
      map,
    },
    { additionalProperties: false },
  ),
  Type.Object(
    {
      use: Type.Literal("uniform", {
        description: "Drawn uniformly from [from, to), anew for each simulation or sampled path.",
      }),
      from: Type.Number({ minimum: 0, maximum: 1e6, description: "Least temperature." }),
      to: Type.Number({ minimum: 0, maximum: 1e6, description: "Upper end, itself excluded." }),
      map,
    },
    { additionalProperties: false },
  ),
]);

/** A Boltzmann policy as options give it. */
export type PolicyOptions = Static<typeof policySchema>;

type Schedule = Exclude<PolicyOptions, string | number>;

/** The policies of appendix A.1 by name; L counts the node's visits, G all simulations. */
const named: Readonly<Record<Extract<PolicyOptions, string>, Schedule>> = {
  "L-log": { use: "visits", factor: 0.4, map: "log" },
  "G-log": { use: "simulations", factor: 0.4, map: "log" },
  "L-max": { use: "visits", factor: 2, map: "max" },
  "G-max": { use: "simulations", factor: 2, map: "max" },
  ave: { use: "constant", value: Infinity, map: "none" },
  best: { use: "constant", value: 0, map: "none" },
};

/** A Boltzmann policy at work in one search: how values are mapped, and at which temperature. */
export class BoltzmannPolicy {
  readonly map: ValueMap;
  readonly #schedule: Schedule;
  readonly #simulations: number;
  /** factor / 2^log10(n) by n, for schedules that count; the power costs as much as a board move. */
  readonly #byCount: Float64Array;
  #temperature = 0;

  /** `simulations` is the number of simulations in each tree, the n of the linear schedule. */
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

  /** Begins simulation number `simulation`, 1 to `simulations`; a uniform schedule draws here, once. */
  begin(simulation: number, random: Random): void {
    const schedule = this.#schedule;
    if (schedule.use === "constant") this.#temperature = schedule.value;
    else if (schedule.use === "linear") this.#temperature = 1 - (simulation - 1) / this.#simulations;
    else if (schedule.use === "simulations") this.#temperature = this.#byCount[simulation]!;
    else if (schedule.use === "uniform")
      this.#temperature = schedule.from + (schedule.to - schedule.from) * random.float();
  }

  /** The temperature at a node with this many visits, the present simulation counted. */
  at(visits: number): number {
    return this.#schedule.use === "visits" ? this.#byCount[visits]! : this.#temperature;
  }
}

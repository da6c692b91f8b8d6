import { describe, expect, it } from "vitest";
import { completeOptions } from "../../src/options.ts";
import { findSearch } from "../../src/search/registry.ts";

const million = 1_000_000;
const most = 10 * million;
const day = 24 * 60 * 60 * 1000;

/** The least and the greatest value of a number among the options. With `open` the least value itself is refused. */
interface Range {
  readonly of: string;
  /** Options in which the number stands. */
  readonly at: (value: number) => Readonly<Record<string, unknown>>;
  readonly least: number;
  readonly greatest: number;
  readonly open?: true;
}

/** The range of an option that is a number. */
const plain = (of: string, least: number, greatest: number): Range => ({
  of,
  at: (value) => ({ [of]: value }),
  least,
  greatest,
});

/** The range of a number greater than 0. */
const positive = (of: string, greatest: number): Range => ({ ...plain(of, 0, greatest), open: true });

const depthFirst = [plain("depth", 0, 255), plain("milliseconds", 0, day), plain("table", 0, 2 ** 24)];

const ofPlayouts = [
  plain("simulations", 1, most),
  plain("milliseconds", 0, day),
  plain("exploration", 0, million),
  plain("epsilon", 0, 1),
  plain("expansion", 1, million),
];

const rave = (use: string, of: string, least: number, greatest: number): Range => ({
  of: `rave, ${of}`,
  at: (value) => ({ rave: { use, [of]: value } }),
  least,
  greatest,
  ...(use === "equivalence" ? { open: true } : {}),
});

const selection: readonly Range[] = [
  rave("equivalence", "k", 0, 1e9),
  rave("bias", "b", 0, 1000),
  {
    of: "prior.visits",
    at: (visits) => ({ prior: { of: "preference", visits } }),
    least: 0,
    greatest: million,
  },
  {
    of: "widening.simulations",
    at: (simulations) => ({ widening: { simulations, growth: 1 } }),
    least: 0,
    greatest: 1e9,
    open: true,
  },
  {
    of: "widening.growth",
    at: (growth) => ({ widening: { simulations: 1, growth } }),
    least: 1,
    greatest: 1000,
  },
  plain("firstPlay", -million, million),
];

const mcts = [
  ...ofPlayouts,
  ...selection,
  plain("progressiveHistory", 0, million),
  plain("learnTemperature", 0, million),
];

const policyGuided: readonly Range[] = [
  plain("leaves", 1, 256),
  plain("simulations", 1, most),
  {
    of: "playoutCap.fraction",
    at: (fraction) => ({ playoutCap: { fraction, simulations: 1 } }),
    least: 0,
    greatest: 1,
  },
  {
    of: "playoutCap.simulations",
    at: (simulations) => ({ playoutCap: { fraction: 0.5, simulations } }),
    least: 1,
    greatest: most,
  },
  {
    of: "playouts.weight",
    at: (weight) => ({ playouts: { weight, epsilon: 0 } }),
    least: 0,
    greatest: 1,
    open: true,
  },
  {
    of: "playouts.epsilon",
    at: (epsilon) => ({ playouts: { weight: 1, epsilon } }),
    least: 0,
    greatest: 1,
  },
  { of: "temperature.value", at: (value) => ({ temperature: [{ value }] }), least: 0, greatest: 1000 },
  {
    of: "temperature.until",
    at: (until) => ({ temperature: [{ until, value: 1 }] }),
    least: 1,
    greatest: million,
  },
];

const temperatures = (option: string): readonly Range[] => [
  plain(option, 0, million),
  {
    of: `${option}, constant`,
    at: (value) => ({ [option]: { use: "constant", value } }),
    least: 0,
    greatest: million,
  },
  ...["visits", "simulations"].map((use): Range => ({
    of: `${option}, ${use}`,
    at: (factor) => ({ [option]: { use, factor } }),
    least: 0,
    greatest: million,
    open: true,
  })),
  ...["from", "to"].map((end): Range => ({
    of: `${option}, uniform ${end}`,
    at: (value) => ({ [option]: { use: "uniform", from: 0, to: 1, [end]: value } }),
    least: 0,
    greatest: million,
  })),
];

const ranges: Readonly<Record<string, readonly Range[]>> = {
  preferred: [plain("temperature", 0, 1000)],
  policy: [plain("temperature", 0, 1000)],
  greedy: [plain("downgrade", 4, 2 ** 17)],
  expectimax: [plain("plies", 1, 5), plain("downgrade", 4, 2 ** 17)],
  "max-n": depthFirst,
  paranoid: depthFirst,
  "best-reply": depthFirst,
  minimax: [plain("milliseconds", 0, day), plain("table", 0, 2 ** 24)],
  "mc-softmax": [
    plain("trees", 1, 1000),
    plain("simulations", 1, million),
    plain("samples", 0, 10_000),
    ...["selection", "backup", "sampling"].flatMap(temperatures),
  ],
  uct: [...ofPlayouts.filter(({ of }) => of !== "exploration"), plain("exploration", 0, 1e12), ...selection],
  "flat-monte-carlo": ofPlayouts.filter(({ of }) => of !== "expansion"),
  "so-ismcts": ofPlayouts,
  "so-ismcts-pom": ofPlayouts,
  "mo-ismcts": ofPlayouts,
  "mcts-max-n": mcts,
  "mcts-paranoid": mcts,
  "mcts-best-reply": mcts,
  "puct-max-n": [
    ...policyGuided,
    positive("cBase", 1e12),
    plain("cInit", 0, 1e12),
    plain("firstPlayReduction", 0, 1e12),
    plain("forcedPlayouts", 0, 1e6),
    { of: "noise.epsilon", at: (epsilon) => ({ noise: { epsilon, alpha: 1 } }), least: 0, greatest: 1 },
    {
      of: "noise.alpha",
      at: (alpha) => ({ noise: { epsilon: 0.5, alpha } }),
      least: 0,
      greatest: 1000,
      open: true,
    },
  ],
  "apv-mcts": [
    ...ofPlayouts.filter(({ of }) => of !== "exploration"),
    plain("lambda", 0, 1),
    plain("cPuct", 0, million),
    plain("priorTemperature", 0.01, 1000),
    plain("batch", 1, 256),
    plain("virtualLoss", 0, 1000),
    ...policyGuided.filter(({ of }) => of.startsWith("temperature")),
  ],
  gumbel: [
    ...policyGuided,
    plain("considered", 1, million),
    plain("cVisit", 0, 1e12),
    plain("cScale", 0, 1e12),
    positive("range", 1e12),
  ],
};

/** The next greater number of 64 bits after a number that is 0 or more. */
function above(x: number): number {
  const words = new BigUint64Array(new Float64Array([x]).buffer);
  words[0]! += 1n;
  return new Float64Array(words.buffer)[0]!;
}

describe.each(Object.entries(ranges))("the options of %s", (search, each) => {
  const { options } = findSearch(search);
  const accepts = (given: Readonly<Record<string, unknown>>) => "options" in completeOptions(options, given);
  it.each(each)("$of is from $least to $greatest", ({ at, least, greatest, open }) => {
    expect(accepts(at(greatest))).toBe(true);
    expect(accepts(at(above(greatest)))).toBe(false);
    expect(accepts(at(greatest + 1))).toBe(false);
    expect(accepts(at(least))).toBe(open !== true);
    expect(accepts(at(least - 1))).toBe(false);
    if (least === 0) expect(accepts(at(-Number.MIN_VALUE))).toBe(false);
    if (open === true) expect(accepts(at(Number.MIN_VALUE))).toBe(true);
  });
});

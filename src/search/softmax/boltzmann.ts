/**
 * How values are mapped before the Boltzmann distribution.
 *
 * - `none`: unchanged (the general definition, section 3.1 of the source).
 * - `max`: divided by the absolute value of the best, so that the best is 1 (section 4.1).
 * - `log`: by their natural logarithm (appendix A.1).
 */
export type ValueMap = "none" | "max" | "log";

/**
 * Writes the Boltzmann weights exp(m(v)/T) of the first `count` values, divided by the greatest weight, and returns
 * their sum: the probability of child i is weights[i] / sum.
 *
 * Source: MC Softmax search (Igarashi, Morioka and Yamamoto 2018), equation of section 3.1. `temperature` lies between
 * 0 and Infinity, both included: at 0 the best values share all the weight, at Infinity all values weigh the same.
 *
 * The source maps positive values only. For other values, `max` divides by the absolute value of the best, which keeps
 * the order of negative values; if the best is 0, it takes the limit, temperature 0. `log` gives no weight to values
 * that are not positive; if no value is positive, it takes temperature 0.
 */
export function boltzmannWeights(
  values: Float64Array,
  count: number,
  map: ValueMap,
  temperature: number,
  weights: Float64Array,
): number {
  let best = values[0]!;
  for (let i = 1; i < count; i++) if (values[i]! > best) best = values[i]!;
  const size = map === "max" ? Math.abs(best) : 1;
  const spread = size * temperature;
  let sum = 0;
  if (temperature === Infinity) {
    weights.fill(1, 0, count);
    sum = count;
  } else if (spread === 0 || (map === "log" && best <= 0)) {
    for (let i = 0; i < count; i++) sum += weights[i] = values[i] === best ? 1 : 0;
  } else if (map === "log") {
    const power = 1 / temperature;
    for (let i = 0; i < count; i++) sum += weights[i] = values[i]! > 0 ? (values[i]! / best) ** power : 0;
  } else {
    const sharpness = 1 / spread;
    for (let i = 0; i < count; i++) sum += weights[i] = Math.exp((values[i]! - best) * sharpness);
  }
  return sum;
}

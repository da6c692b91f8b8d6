import { Random } from "../src/random.ts";
import type { Mutant } from "./mutants.ts";

/**
 * So many mutants at different sites: sites in an order drawn by the seed, and one of each site's alternatives. A longer
 * draw begins with a shorter one's.
 */
export function draw(sites: readonly (readonly Mutant[])[], count: number, seed: number): Mutant[] {
  const random = Random.named("mutation", seed);
  const order = [...sites];
  const drawn: Mutant[] = [];
  for (let i = 0; i < Math.min(count, order.length); i++) {
    const j = i + random.below(order.length - i);
    const site = order[j]!;
    order[j] = order[i]!;
    drawn.push(site[random.below(site.length)]!);
  }
  return drawn;
}

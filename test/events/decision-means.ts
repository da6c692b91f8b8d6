import type { DecisionMeans } from "../../src/events/event.ts";

/** Means over a few decisions, each another number that is exact in binary. */
export const someMeans: DecisionMeans = {
  decisions: 8,
  legal: 2,
  visited: 1.5,
  prior: 1.75,
  target: 1,
  distance: 0.125,
  tried: 0.5,
  top: 0.75,
  valueError: 0.25,
  constantError: 0.5,
  drawn: 2,
  drawnError: 0.5,
  decidedError: 0.125,
  probes: 4,
  gain: 0.25,
  greedyError: 0.0625,
};

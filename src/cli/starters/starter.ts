import type { Speeds } from "../../graph/cost/cost.ts";
import type { GameFacts } from "./game-facts.ts";

/** What the amounts of an experiment are computed from: measured speeds, and the seconds that its run may take. */
export interface Budget {
  readonly speeds: Speeds;
  readonly seconds: number;
}

/** What the user has named besides the game. */
export interface StarterInputs {
  /** Recorded games to learn from, as the file names them. */
  readonly records?: string;
}

/** A kind of first experiment: how its file is written for a game. */
export interface Starter {
  /** What the experiment does, in a few words. */
  readonly summary: string;
  /** Why it cannot be written for a game, and what to do instead; undefined if it can. */
  readonly refusal: (facts: GameFacts, inputs: StarterInputs) => string | undefined;
  /**
   * The text of the file after its name and cost: game, nets, agents, graph. Without a budget the amounts are small ones,
   * whose speeds can be measured.
   */
  readonly text: (facts: GameFacts, inputs: StarterInputs, budget?: Budget) => string;
}

/** A whole number of two digits that matter, at least `least`. */
export function rounded(value: number, least = 1): number {
  return Math.max(least, Math.round(Number(Math.max(0, value).toPrecision(2))));
}

/** Seconds that a game of an agent takes, by measured speeds; `otherwise` if they are not known. */
export function gameSeconds({ agents, decisions }: Speeds, agent: string, otherwise: number): number {
  return (agents.get(agent) ?? NaN) * (decisions.get(agent) ?? NaN) || otherwise;
}

/** The lines of a file that name the game and its plug-in. */
export function gameLines({ named, plugin }: GameFacts): string {
  const game = Object.entries(named).map(([key, value]) => `${key}: ${inYaml(value)}`);
  return `${plugin === undefined ? "" : `plugins: [${inYaml(plugin)}]\n`}game: { ${game.join(", ")} }\n`;
}

function inYaml(value: unknown): string {
  return typeof value === "string" && /^[A-Za-z./][\w./-]*$/.test(value) ? value : JSON.stringify(value);
}

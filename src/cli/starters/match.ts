import { arenaOpenings, playoutSearchText } from "./players.ts";
import { gameLines, gameSeconds, type Starter } from "./starter.ts";

/** Games are played in blocks that are balanced over seats and openings. */
const BLOCK = 12;

/** A match between a search with many simulations, one with few, and random moves. */
export const match: Starter = {
  summary: "a search by playouts, the same with a tenth of the simulations, and random moves play each other",
  refusal: () => undefined,
  text: (facts, _, budget) => {
    let blocks = 2;
    if (budget !== undefined) {
      const { seconds, speeds } = budget;
      const mean = ["many", "few", "random"].reduce(
        (sum, agent) => sum + gameSeconds(speeds, agent, 0.1) / 3,
        0,
      );
      // In games of one player every agent plays all games.
      const each = facts.game.players === 1 ? 3 * mean : mean;
      blocks = Math.max(2, Math.min(50, Math.round(seconds / each / BLOCK)));
    }
    const openings = arenaOpenings(facts);
    return `${gameLines(facts)}
agents:
  many: ${playoutSearchText(facts, 500)}
  few: ${playoutSearchText(facts, 50)}
  random: { use: random }

graph:
  match:
    use: arena
    agents: [many, few, random]
    games: ${blocks * BLOCK} # more games, narrower intervals${openings === "" ? "" : `\n    # Both sides play each opening. Without it players that draw nothing repeat one game.${openings.replace(", ", "\n    ")}`}
`;
  },
};

/** Lets the trainer learn from long games only, and tells how many those are. */
import { defineStage, integer } from "ludoflow";

export default defineStage({
  name: "long-games",
  description: "Gives on the games with at least so many plies; nothing learns from the others.",
  settings: {
    plies: integer({ min: 0, max: 100_000, default: 20, description: "Least number of plies." }),
  },
  reads: "games",
  gives: "games",
  async *run(games, { plies }, env) {
    let long = (env.state as number | undefined) ?? 0;
    for await (const game of games) {
      if (game.actions.length >= plies) env.state = ++long;
      env.figure("share of long games", long / (game.index + 1));
      if (game.actions.length >= plies) yield game;
    }
  },
});

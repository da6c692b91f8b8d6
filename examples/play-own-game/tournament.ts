/** A game of one's own, played by built-in agents: UCT against random moves in Hex, and what UCT thinks of the first move. */
import { agent, openGame, play } from "ludoflow";
import { brokenLaws } from "ludoflow/testing";
import hex from "../own-game/hex.ts";

const game = await openGame(hex, { size: 5 });
for (const { what, after } of brokenLaws(game, { games: 20 }))
  console.log(`${what}, after ${after.join(" ")}`);

const uct = await agent(game, { use: "uct", simulations: 200, exploration: 0.7 });
const random = await agent(game, { use: "random" });
let won = 0;
const games = 10;
for (let number = 0; number < games; number++) {
  // Both seats in turns: who begins has an advantage.
  const { returns } = await play(game, number % 2 === 0 ? [uct, random] : [random, uct], { seed: 1, number });
  won += returns[number % 2]!;
}
console.log(`uct has won ${won} of ${games} games`);

const { move, values, variation } = await uct.think(game.initial());
console.log(`it would begin with ${move}, value ${values[0]!.toFixed(2)}, ${variation.length} moves ahead`);

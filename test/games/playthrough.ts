import { CHANCE, OVER } from "../../src/games/game.ts";
import { Random } from "../../src/random.ts";
import type { LawfulGame } from "./game-laws.ts";

/**
 * One game of uniformly random moves as text, ply by ply: the seat to move, what is legal, what is played, the returns, the
 * board. Golden files hold such texts, so that a change of rules, numbering or notation shows; after a change that is
 * meant they are written again by `npx vitest run test/games -u`.
 */
export function playthrough({ title, game, playthroughPlies }: LawfulGame): string {
  const random = Random.named("playthrough", title);
  const state = game.initial();
  const legal = new Int32Array(game.maxLegal);
  const returns = new Float64Array(game.players);
  const lines = [`game: ${game.name} (${title})`, `players: ${game.players}, actions: ${game.actions}`];
  for (let ply = 0; ; ply++) {
    game.returns(state, returns);
    const mover = game.toMove(state);
    const turn = mover === OVER ? "over" : mover === CHANCE ? "chance" : `seat ${mover}`;
    lines.push("", `# ply ${ply}: ${turn}, returns ${[...returns].join(" ")}`, game.drawing.text(state));
    if (game.figures?.facts !== undefined) lines.push(`facts ${JSON.stringify(game.figures.facts(state))}`);
    if (mover === OVER || ply === playthroughPlies) return `${lines.join("\n")}\n`;
    const count = game.legal(state, legal);
    const texts = Array.from(legal.subarray(0, count), (action) => game.notation.format(state, action));
    const action = mover === CHANCE ? game.chance!.sample(state, random) : legal[random.below(count)]!;
    lines.push(`legal ${texts.join(" ")}`, `play ${game.notation.format(state, action)} (${action})`);
    game.play(state, action);
  }
}

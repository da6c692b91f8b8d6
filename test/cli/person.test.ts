import { PassThrough } from "node:stream";
import { describe, expect, it } from "vitest";
import { CHANCE } from "../../src/games/game.ts";
import { Random } from "../../src/random.ts";
import { Person } from "../../src/cli/person.ts";
import { openGame } from "../../src/games/registry.ts";
import { openAgent } from "../../src/graph/agents/open-agent.ts";
import { agentAtSeat, playGame } from "../../src/protocols/play-game.ts";

const game = openGame("tic-tac-toe");
const agent = () => openAgent({ use: "uct", simulations: 50 }, game);

/** A person types these lines as the first seat, and UCT plays the second; what the person sees. */
async function typed(...lines: string[]) {
  const input = new PassThrough();
  const out = new PassThrough();
  const person = new Person(game, input, out);
  input.end(lines.map((line) => `${line}\n`).join(""));
  const players = [person.at(agent(), 0), agentAtSeat(agent())];
  try {
    const { moves } = await playGame(game, players, [1, "person"], ({ mover, move }) => {
      if (mover === 1) person.show(mover, move);
    });
    return { moves, text: String(out.read()) };
  } finally {
    person.close();
  }
}

const cells = ["b2", "a1", "c3", "a3", "c1", "a2", "b1", "b3", "c2"];

describe("a person at the terminal", () => {
  it("plays the legal ones of the moves that are typed, to the end", async () => {
    const { moves, text } = await typed("", "?", "hint", "z9", ...cells);
    expect(moves[0]).toBe("b2");
    const own = moves.filter((_, ply) => ply % 2 === 0);
    // In the order typed: those that the other seat had taken are refused.
    const taken = new Set(moves.filter((_, ply) => ply % 2 === 1));
    expect(own).toEqual(cells.filter((cell) => !taken.has(cell) || own.includes(cell)).slice(0, own.length));
    expect(text).toContain("a3 b3 c3 a2 b2 c2 a1 b1 c1\n");
    expect(text).toContain('"z9" is not a legal move');
    expect(text).toContain(`seat 2: ${moves[1]}\n`);
    expect(text).toMatch(/quit\): [abc][123]\nseat 1, your move/);
  });

  it.each([[["b2", "quit"]], [["b2"]]])("ends the game early after %j", async (lines) => {
    await expect(typed(...lines)).rejects.toThrow("the game was not played to its end");
  });
});

describe("the text of one seat of Daihinmin", () => {
  it("has its own hand alone, and of the others the number of cards", () => {
    const cards = openGame("daihinmin");
    const state = cards.initial();
    const random = Random.named("seat-text");
    while (cards.toMove(state) === CHANCE) cards.play(state, cards.chance!.sample(state, random));
    const open = cards.drawing.text(state).split("\n");
    const seen = cards.drawing.seatText!(state, 2).split("\n");
    expect(seen[4]).toBe(open[4]);
    for (const line of [2, 3, 5, 6]) expect(seen[line]).toMatch(/^[> ]\d: \d+ cards$/);
  });
});

import { describe, expect, it } from "vitest";
import { BlokusSgfInvalid, readBlokusSgf, writeBlokusSgf } from "../../../src/games/blokus/sgf.ts";
import { openGame } from "../../../src/games/registry.ts";
import { Random } from "../../../src/random.ts";

function randomGame(name: string, random: Random, plies = Infinity): number[] {
  const game = openGame(name);
  const state = game.initial();
  const actions: number[] = [];
  while (game.toMove(state) >= 0 && actions.length < plies) {
    actions.push(game.playouts!.preferred(state, random));
    game.play(state, actions.at(-1)!);
  }
  return actions;
}

describe("Blokus SGF", () => {
  it("writes the properties of each game", () => {
    const actions = randomGame("blokus", Random.named("sgf", 1), 5);
    const text = writeBlokusSgf("blokus", actions, ["one", "two]", "th\\ree\n", ""]);
    expect(text).toMatch(
      /^\(;GM\[Blokus\]CA\[UTF-8\]AP\[ludoflow\]P1\[one\]P2\[two\\\]\]P3\[th\\\\ree \]\n;1\[/,
    );
    expect([...text.matchAll(/;(\d)\[/g)].map((match) => match[1])).toEqual(["1", "2", "3", "4", "1"]);
    expect(readBlokusSgf(text).players).toEqual(["one", "two]", "th\\ree ", ""]);
    const duo = writeBlokusSgf("blokus-duo", randomGame("blokus-duo", Random.named("sgf", 2), 2), ["a", "b"]);
    expect(duo).toMatch(
      /^\(;GM\[Blokus Duo\]CA\[UTF-8\]AP\[ludoflow\]PB\[a\]PW\[b\]\n;B\[[^\]]+\]\n;W\[[^\]]+\]\n\)\n$/,
    );
  });

  it.each(["blokus", "blokus-duo"] as const)("reads the whole games of %s that it has written", (name) => {
    for (let k = 0; k < 10; k++) {
      const actions = randomGame(name, Random.named("sgf round trip", name, k));
      const players = openGame(name).players === 4 ? ["a", "b", "c", "d"] : ["a", "b"];
      expect(readBlokusSgf(writeBlokusSgf(name, actions, players))).toEqual({
        game: name,
        actions,
        players,
        variations: 0,
      });
    }
  });

  it("takes the first line of several, passes over comments, and reads the older spellings", () => {
    const text = `(;GM[Blokus Duo]C[two \\] lines (;B[no\\])]
      ;B[e8][f8][g8][e9][e10] C[old](;W[j5,j6])(;W[j5])(;W[i5,j5] (;B[d7]) (;B[h7])))`;
    const game = openGame("blokus-duo");
    const read = readBlokusSgf(text);
    const state = game.initial();
    const moves = read.actions.map((action) => {
      const move = game.notation.format(state, action);
      game.play(state, action);
      return move;
    });
    expect(moves).toEqual(["e10,e9,e8,f8,g8", "j6,j5"]);
    expect(read.variations).toBe(3);
    expect(readBlokusSgf("(;GM[Blokus];BLUE[a20])").actions.length).toBe(1);
  });

  it("says what it cannot read, and where", () => {
    const wrong = (text: string) => {
      try {
        readBlokusSgf(text);
      } catch (error) {
        if (error instanceof BlokusSgfInvalid) return error.message;
      }
      return "";
    };
    expect(wrong("")).toBe('line 1, column 1: the text ends where a game tree should begin, with "("');
    expect(wrong("(;GM[1];B[aa])")).toBe("GM[1]: only GM[Blokus] and GM[Blokus Duo] are played here");
    expect(wrong("(;C[x])")).toMatch(/no GM property/);
    expect(wrong("(;GM[Blokus Trigon])")).toMatch(/GM\[Blokus Trigon\]/);
    expect(wrong("(;GM[Blokus]\n;A1[a20])")).toBe(
      "line 2: A1 sets up a position; only games from their start are read",
    );
    expect(wrong("(;GM[Blokus]\n;2[t20])")).toBe(
      "line 2, ply 1: 2 moves out of turn, it is 1 to move; seats without a move are passed over",
    );
    expect(wrong("(;GM[Blokus]\n;1[b20])")).toBe("line 2, ply 1: 1[b20] is not legal");
    expect(wrong("(;GM[Blokus];1[a20,c20])")).toMatch(/1\[a20,c20\] is not a piece on the board/);
    expect(wrong("(;GM[Blokus];1[a20")).toBe("line 1, column 15: the value that begins here does not end");
    expect(wrong("(;GM[Blokus];1[a20]")).toBe(
      "line 1, column 1: the game tree that begins here does not end",
    );
    expect(wrong("(;GM[Blokus];1)")).toBe("line 1, column 14: property 1 has no value");
    expect(wrong("(;GM[Blokus]?)")).toMatch(/where a node/);
  });
});

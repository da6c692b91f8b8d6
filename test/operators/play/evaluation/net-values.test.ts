import { describe, expect, it } from "vitest";
import { Game2048 } from "../../../../src/games/2048/2048.ts";
import { type Game, OVER } from "../../../../src/games/game.ts";
import { ticTacToe } from "../../../../src/games/tic-tac-toe/tic-tac-toe.ts";
import { checkGraph } from "../../../../src/graph/check-graph.ts";
import { readExperiment } from "../../../../src/graph/experiment-file.ts";
import { valuedByNet } from "../../../../src/operators/play/evaluation/net-values.ts";
import { driveEpisode } from "../../../../src/search/drive.ts";
import { scratchFolder } from "../../../formats/scratch-folder.ts";
import { writeExperiment } from "../../../graph/tiny-run.ts";
import { randomGame } from "../../learning/replay/random-game.ts";

/** A value for each position and seat, a function of the text of the position. */
function valueOf<S>(game: Game<S>, state: S, seat: number): number {
  let sum = 7 * seat;
  for (const letter of game.drawing.text(state)) sum = (31 * sum + letter.charCodeAt(0)) % 1009;
  return sum;
}

describe("decisions valued by a net", () => {
  it.each([
    ["2048", new Game2048({ rows: 4, columns: 4 })],
    ["tic-tac-toe", ticTacToe],
  ] as [string, Game<unknown>][])(
    "are worth their reward and the net's value of what they led to, 0 at the end: %s",
    (_, game) => {
      const requested: number[] = [];
      const evaluator = {
        evaluate: ({
          states,
          count,
          values,
        }: {
          readonly states: readonly unknown[];
          readonly count: number;
          readonly values: Float64Array;
        }) => {
          requested.push(count);
          for (let i = 0; i < count; i++)
            for (let seat = 0; seat < game.players; seat++)
              values[i * game.players + seat] = valueOf(game, states[i], seat);
        },
      };
      let longest = 0;
      for (let seed = 0; seed < 4; seed++) {
        const { actions, decisions } = randomGame(game, seed);
        const valued = driveEpisode(valuedByNet(game, actions, decisions, 0), [evaluator]);
        expect(valued.map(({ ply, visits }) => ({ ply, visits }))).toEqual(
          decisions.map(({ ply, visits }) => ({ ply, visits })),
        );
        const state = game.initial();
        const before = new Float64Array(game.players);
        const after = new Float64Array(game.players);
        let next = 0;
        for (const [ply, action] of [...actions].entries()) {
          game.returns(state, before);
          game.play(state, action);
          if (decisions[next]?.ply !== ply) continue;
          game.returns(state, after);
          const over = game.toMove(state) === OVER;
          expect(valued[next]!.values).toEqual(
            [...after].map(
              (earned, seat) => earned - before[seat]! + (over ? 0 : valueOf(game, state, seat)),
            ),
          );
          next++;
        }
        expect(next).toBe(decisions.length);
        longest = Math.max(longest, ...requested);
      }
      // The positions of long games are requested in parts.
      if (game.players === 1) expect(longest).toBe(64);
    },
  );

  it("need an agent with a net", () => {
    const text = `
name: without-net
seed: 1
game: { rules: 2048 }
agents:
  searcher: { use: uct, simulations: 5 }
graph:
  games: { use: self-play, agent: searcher, games: 2, generation: 2, examples: { use: td, values: net } }
`;
    expect(() => checkGraph(readExperiment(writeExperiment(scratchFolder(), text)))).toThrow(
      'graph.games.examples.values: the agent "searcher" has no net',
    );
  });
});

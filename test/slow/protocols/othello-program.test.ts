import { join } from "node:path";
import { afterAll, describe, expect, it } from "vitest";
import type { Game } from "../../../src/games/game.ts";
import { openGame } from "../../../src/games/registry.ts";
import { agentKinds } from "../../../src/operators/experiment/agent-kinds.ts";
import type { GtpPlayer } from "../../../src/protocols/gtp/player.ts";
import { Random } from "../../../src/random.ts";
import { driveEpisode } from "../../../src/search/drive.ts";
import { episode } from "../../../src/search/episode.ts";
import { openSearch } from "../../../src/search/registry.ts";

const game: Game<unknown> = openGame("othello");
const random = openSearch("random", game);

describe("a program that passes by itself", () => {
  const fakes: GtpPlayer<unknown>[] = [];
  afterAll(() => fakes.forEach((fake) => fake.stop()));

  /** The fake program, doing something wrong at one of its moves. */
  function fake(dialect: string, ...wrong: string[]): GtpPlayer<unknown> {
    const command = [
      process.execPath,
      join(import.meta.dirname, "../../protocols/gtp/fake-othello.ts"),
      ...wrong,
    ];
    const options = { command, dialect, timeoutMs: 30_000 };
    const agent = openSearch("gtp", game, options, agentKinds()) as GtpPlayer<unknown>;
    fakes.push(agent);
    return agent;
  }

  /** A game against random moves, the program in this seat. */
  function play(agent: GtpPlayer<unknown>, seat: number, number: number) {
    const seats = [random, random].map((search, i) => ({
      search: i === seat ? agent : search,
      random: Random.named("othello", number, i),
      evaluator: -1,
    }));
    return driveEpisode(episode(game, seats, Random.named("othello", number)), []);
  }

  it("plays whole games in both seats, in which either side passes, and counts the same winner", () => {
    const agent = fake("gtp-rhino");
    const passes = [0, 0];
    for (let number = 0; number < 40; number++) {
      const seat = number % 2;
      const { actions, dispute, failure } = play(agent, seat, number);
      expect([failure, dispute]).toEqual([undefined, undefined]);
      const state = game.initial();
      for (const action of actions) {
        if (action === 64) passes[game.toMove(state) === seat ? 0 : 1]!++;
        game.play(state, action);
      }
    }
    for (const count of passes) expect(count).toBeGreaterThan(0);
  });

  it.each([
    ["occupied", /responded to "genmove b" with "E4", which is no legal move \(the square is occupied\)$/],
    ["rows from the bottom", /with "D6", which is no legal move \(it would turn over no disc\)$/],
    ["passes", /passed, with 4 legal moves left$/],
  ])("fails at once where its answer is damaged: %s", (wrong, message) => {
    const { actions, failure } = play(fake("gtp-rhino", wrong, "1"), 0, 0);
    expect(failure).toMatchObject({ seat: 0, message: expect.stringMatching(message) as string });
    expect(actions).toHaveLength(0);
  });

  it("fails in the dialect of programs that are sent their passes, with the refused command", () => {
    const agent = fake("othello");
    let message: string | undefined;
    for (let number = 0; message === undefined; number++) message = play(agent, 0, number).failure?.message;
    expect(message).toMatch(/refused "play w pass": "syntax error"$/);
  });

  it("disputes a game of which it counts another score", () => {
    const { dispute, failure } = play(fake("gtp-rhino", "miscount"), 0, 0);
    expect(failure).toBe(undefined);
    expect(dispute).toMatchObject({
      seat: 0,
      message: expect.stringMatching(/^counts "[BW]\+\d+", and by the rules it is "[BW]\+\d+"$/) as string,
    });
  });
});

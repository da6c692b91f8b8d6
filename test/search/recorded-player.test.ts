import { expect, it } from "vitest";
import { openGame } from "../../src/games/registry.ts";
import { Random } from "../../src/random.ts";
import { driveEpisode } from "../../src/search/drive.ts";
import { episode } from "../../src/search/episode.ts";
import { RecordedPlayer } from "../../src/search/recorded-player.ts";
import { openSearch } from "../../src/search/registry.ts";

const game = openGame("tic-tac-toe", {});
const random = () => openSearch("random", game, {});

/** A game of two players that draw from streams of this name. */
function play(players: readonly [ReturnType<typeof random>, ReturnType<typeof random>]) {
  const seats = players.map((search, seat) => ({
    search,
    random: Random.named("recorded", seat),
    evaluator: -1,
  }));
  return driveEpisode(episode(game, seats, Random.named("recorded")), []);
}

it("plays the moves of a record in its seat, game after game", () => {
  const { actions } = play([random(), random()]);
  const recorded = new RecordedPlayer(game, actions);
  for (let i = 0; i < 2; i++) {
    const again = play([random(), recorded]);
    expect([...again.actions]).toEqual([...actions]);
    expect(again.decisions[1]!.values).toEqual([0, 0]);
    expect(again.failure).toBe(undefined);
  }
});

it("fails where the record ends, and where its move is not legal", () => {
  const { actions } = play([random(), random()]);
  const short = play([random(), new RecordedPlayer(game, actions.slice(0, 3))]);
  expect(short.failure).toEqual({ seat: 1, message: "the record ends here" });
  expect([...short.actions]).toEqual([...actions].slice(0, 3));
  const wrong = play([random(), new RecordedPlayer(game, [actions[0]!, actions[0]!])]);
  expect(wrong.failure?.message).toMatch(/is not legal/);
});

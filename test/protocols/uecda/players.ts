import { HANDS, PHASE, PLAYING, GIFTS, RANKS, TO_MOVE } from "../../../src/games/daihinmin/state.ts";
import { BY_STRENGTH, CARD_HIGH, CARD_LOW, CARDS } from "../../../src/games/daihinmin/cards.ts";
import type { DaihinminState, GameDaihinmin } from "../../../src/games/daihinmin/daihinmin.ts";
import { openGame } from "../../../src/games/registry.ts";
import { UecdaObserver } from "../../../src/protocols/uecda/observer.ts";
import { Random } from "../../../src/random.ts";
import { drive, driveEpisode } from "../../../src/search/drive.ts";
import { type Episode, episode } from "../../../src/search/episode.ts";
import { openSearch } from "../../../src/search/registry.ts";
import type { Search } from "../../../src/search/search.ts";
import { type Choose, UecdaPlayer } from "../../../src/protocols/uecda/player.ts";

/** A search as experiment files name it. */
export interface Agent {
  readonly use: string;
  readonly [option: string]: unknown;
}

const nobody = { evaluate: () => undefined };

/** The game of a series. */
export function series(games: number): GameDaihinmin {
  return openGame("daihinmin", { games }) as unknown as GameDaihinmin;
}

/** What an agent chooses, drawing from the stream of its number. */
function choice({ use, ...options }: Agent, seed: number, player: number, game: GameDaihinmin): Choose {
  const search = openSearch(use, game, options);
  const random = Random.named(seed, "agent", player);
  return (state, decisions) => drive(search.search(state, random, decisions), nobody).action;
}

/** A player of the protocol whose cards an agent chooses. */
export function uecdaPlayer(
  agent: Agent,
  seed: number,
  player: number,
  differs?: (what: string) => void,
): UecdaPlayer {
  const observer = new UecdaObserver(player, true);
  return new UecdaPlayer(observer, choice(agent, seed, player, observer.game), differs);
}

/** The same series played in memory, without tables: each agent sees as much of the exchange as the protocol sends. */
export function playedInMemory(
  agents: readonly Agent[],
  games: number,
  seed: number,
): Episode<DaihinminState> {
  const game = series(games);
  const seats = agents.map(({ use, ...options }, player) => ({
    search: withoutGifts(openSearch(use, game, options)),
    random: Random.named(seed, "agent", player),
    evaluator: 0,
  }));
  return driveEpisode(episode(game, seats, Random.named(seed, "chance")), [nobody]);
}

/** A search that does not know which cards the daifugo and the fugo were given, but that they are no stronger than those. */
function withoutGifts(search: Search<DaihinminState>): Search<DaihinminState> {
  let strongest: readonly number[] = [];
  return {
    maxRequest: 0,
    *search(state, random, decisions) {
      const words = state.words.slice();
      const player = words[TO_MOVE]!;
      const rank = words[RANKS + player]!;
      if (rank === 0 || rank === 1) {
        if (words[PHASE] !== PLAYING) strongest = strongestOf(words, player, 2 - rank);
        words[GIFTS + 2 * rank] = strongest.reduce((set, card) => set | CARD_LOW[card]!, 0);
        words[GIFTS + 2 * rank + 1] = strongest.reduce((set, card) => set | CARD_HIGH[card]!, 0);
      }
      return yield* search.search({ words }, random, decisions);
    },
  };
}

function strongestOf(words: Int32Array, player: number, count: number): number[] {
  const at = HANDS + 2 * player;
  const held = Array.from({ length: CARDS }, (_, i) => BY_STRENGTH[CARDS - 1 - i]!).filter(
    (card) => ((words[at]! & CARD_LOW[card]!) | (words[at + 1]! & CARD_HIGH[card]!)) !== 0,
  );
  return held.slice(0, count);
}

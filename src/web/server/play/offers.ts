import type { Board } from "../../../figures/boards/board.ts";
import { games as knownGames, type GameConfig } from "../../../games/registry.ts";
import type { GameOffer, PlayerOffer, PlayOffers } from "../../views/play-views.ts";
import type { FollowedRuns } from "../followed-runs.ts";
import { openKnown, titleOf, variantOf } from "./known-games.ts";
import type { PagePlayer } from "./player.ts";
import { playersOfRuns } from "./run-players.ts";
import { sampleBoard } from "./sample-board.ts";
import { shippedPlayers } from "./shipped-players.ts";
import { TableHost } from "./table-host.ts";

/** The players of runs, of committed nets, and searches without a net. */
export class PlayerOffers {
  readonly #root: string;
  readonly #runs: FollowedRuns;
  /** By game with its options: a picture of it. */
  readonly #boards = new Map<string, Board>();
  /** By game with its options: the names of its seats. */
  readonly #seats = new Map<string, readonly string[]>();
  #shipped: readonly PagePlayer[] | undefined;
  #ofRuns: { readonly stamp: string; readonly players: readonly PagePlayer[] } | undefined;

  constructor(root: string, runs: FollowedRuns) {
    this.#root = root;
    this.#runs = runs;
  }

  /** All players: the strongest finished ones of runs first. */
  async players(): Promise<readonly PagePlayer[]> {
    this.#shipped ??= shippedPlayers();
    const rows = await this.#runs.rows();
    const stamp = JSON.stringify(
      rows.map(({ condition, path, result, seen }) => [path, condition, seen, result]),
    );
    if (this.#ofRuns?.stamp !== stamp) this.#ofRuns = { stamp, players: playersOfRuns(this.#root, rows) };
    return [...this.#ofRuns.players, ...this.#shipped];
  }

  /** Looks at the players of runs again: what is known of them is out of date. */
  forget(): void {
    this.#ofRuns = undefined;
  }

  /** The player with this key; a request may have anything in its place. */
  async player(key: unknown): Promise<PagePlayer | undefined> {
    return (await this.players()).find(({ offer }) => offer.key === key);
  }

  /** All games with their players; games of the project come first, in the order of the catalogue. */
  async view(): Promise<PlayOffers> {
    const players = await this.players();
    const shown = await Promise.all(
      players.map(async (player) => ({
        rules: player.game.rules,
        board: this.#boardOf(player),
        offer: {
          ...player.offer,
          variant: variantOf(player.game),
          seats: await this.#seatsOf(player),
        } satisfies PlayerOffer,
      })),
    );
    const order = knownGames.map(({ name }) => name);
    const groups = [...Map.groupBy(shown, ({ rules }) => rules)].toSorted(
      ([a], [b]) => (order.indexOf(a) + 1 || Infinity) - (order.indexOf(b) + 1 || Infinity),
    );
    return {
      games: groups.map(([rules, members]): GameOffer => ({
        rules,
        title: titleOf(rules),
        boards: Object.fromEntries(
          members.flatMap(({ board, offer }) =>
            board === undefined ? [] : [[offer.variant, board] as const],
          ),
        ),
        // Then committed nets. Of the searches without one, those of the usual game come first.
        players: members.map(({ offer }) => offer).toSorted((a, b) => rankOf(a) - rankOf(b)),
      })),
    };
  }

  /** A picture of a player's game; none if a plug-in has its rules. */
  #boardOf({ game, plugins }: PagePlayer): Board | undefined {
    if (plugins.length > 0 || !knownGames.some(({ name }) => name === game.rules)) return undefined;
    const key = JSON.stringify(game);
    const board = this.#boards.get(key) ?? sampleBoard(game);
    this.#boards.set(key, board);
    return board;
  }

  /** The names of a game's seats; none if a plug-in's game cannot be opened: starting it reports why. */
  async #seatsOf({ game, plugins }: PagePlayer): Promise<readonly string[]> {
    const key = JSON.stringify([game, plugins]);
    let seats = this.#seats.get(key);
    if (seats !== undefined) return seats;
    seats = plugins.length === 0 ? seatsOfKnown(game) : await seatsOfOutside({ game, plugins, seed: 0 });
    this.#seats.set(key, seats);
    return seats;
  }
}

function seatsOfKnown(config: GameConfig): readonly string[] {
  const { game } = openKnown(config);
  return Array.from({ length: game.players }, (_, seat) => game.drawing.seats?.[seat] ?? "");
}

function rankOf({ kind, variant }: PlayerOffer): number {
  if (kind !== "search") return kind === "run" ? 0 : 1;
  return variant === "" ? 2 : 3;
}

/** A plug-in runs only in its own process. */
async function seatsOfOutside(setup: ConstructorParameters<typeof TableHost>[0]): Promise<readonly string[]> {
  const host = new TableHost(setup);
  try {
    return (await host.open()).seatNames;
  } catch {
    return [];
  } finally {
    host.stop();
  }
}

import type { Game } from "../games/game.ts";
import type { PlayResult, PlayedPly, SeatPlayer } from "../protocols/play-game.ts";
import { LudoflowError, withPublicErrors } from "./errors.ts";
import { assertGame } from "./games.ts";

/** A player: an `agent`, a `human`, or one of your own. */
export interface Player {
  readonly name: string;
  /** Takes a seat in a new game of these rules. A player may take several seats at once, each with what it returns here. */
  sit(game: Game<unknown>, seat: number): SeatPlayer;
}

/** How a game is played. */
export interface PlayOptions {
  /** All draws follow from it and from `number`. Default 1. */
  readonly seed?: number;
  /** The number of the game: games with other numbers draw otherwise. Default 0. */
  readonly number?: number;
  /** Aborts the game before its next decision: `play` throws the signal's reason. */
  readonly signal?: AbortSignal;
  /** Called after each ply, chance included. */
  readonly onPly?: (ply: PlayedPly) => void;
}

/**
 * Plays a game to its end, with one player for each seat, or one player for all. With agents it is a function of the seed and the
 * number: the same game as that of `ludoflow play` with this seed.
 *
 * Throws a LudoflowError: `ERR_PLAYER` for another number of players, and if a player chooses an action that is not legal;
 * and what players throw.
 */
export async function play(
  game: Game<unknown>,
  players: readonly Player[] | Player,
  { seed = 1, number = 0, signal, onPly }: PlayOptions = {},
): Promise<PlayResult> {
  return await withPublicErrors(async () => {
    assertGame(game);
    const { playGame } = await import("../protocols/play-game.ts");
    const seats = Array.isArray(players)
      ? (players as readonly Player[])
      : Array.from({ length: game.players }, () => players as Player);
    if (seats.length !== game.players)
      throw new LudoflowError(
        "ERR_PLAYER",
        `${game.name} has ${game.players} seats, and ${seats.length} players are given; give one for each seat, or one for all`,
      );
    for (const [seat, player] of (seats as readonly unknown[]).entries())
      if (typeof (player as Partial<Player> | undefined | null)?.sit !== "function")
        throw new LudoflowError(
          "ERR_PLAYER",
          `what is given for seat ${seat} is ${player instanceof Promise ? "a promise of a player" : "no player"}; make one with: await agent(game, { use: "uct" }), or human()`,
        );
    const legal = new Int32Array(game.maxLegal);
    const seated = seats.map((player, seat): SeatPlayer => {
      const sitting = player.sit(game, seat);
      return {
        begin: (state) => sitting.begin?.(state),
        observe: (state, action) => sitting.observe?.(state, action),
        choose: async (state, random, decisions) => {
          signal?.throwIfAborted();
          const action = await sitting.choose(state, random, decisions);
          signal?.throwIfAborted();
          if (!legal.subarray(0, game.legal(state, legal)).includes(action))
            throw new LudoflowError(
              "ERR_PLAYER",
              `${player.name} has chosen action ${action} for seat ${seat}, which is not legal in ${game.notation.position(state)}`,
            );
          return action;
        },
      };
    });
    return await playGame(game, seated, [seed, "play", number], onPly);
  });
}

/** What a human is asked for. */
export interface MoveQuestion {
  readonly game: Game<unknown>;
  readonly seat: number;
  readonly state: unknown;
  /** The board as text. */
  readonly board: string;
  /** The legal moves as text. */
  readonly moves: readonly string[];
  /** What was wrong with the answer before; absent for the first question. */
  readonly wrong?: string;
}

/**
 * A human player, asked for each move until it is legal. `ask` gives the text of a move; without it the board and the
 * question are written to standard error, and the answer is read from standard input.
 *
 * `play` throws a LudoflowError with `ERR_PLAYER` if the input ends.
 */
export function human(ask: (question: MoveQuestion) => string | Promise<string> = askOnTerminal): Player {
  return {
    name: "human",
    sit: (game, seat) => ({
      choose: async (state) => {
        const legal = new Int32Array(game.maxLegal);
        const actions = legal.subarray(0, game.legal(state, legal));
        const moves = Array.from(actions, (action) => game.notation.format(state, action));
        const board = game.drawing.text(state);
        for (let wrong: string | undefined; ;) {
          const text = await ask({
            game,
            seat,
            state,
            board,
            moves,
            ...(wrong === undefined ? {} : { wrong }),
          });
          const action = game.notation.parse(state, text.trim());
          if (action !== undefined) return action;
          wrong = game.notation.whyIllegal?.(state, text.trim()) ?? `"${text.trim()}" is not a legal move`;
        }
      },
    }),
  };
}

async function askOnTerminal({ seat, board, moves, wrong }: MoveQuestion): Promise<string> {
  const { createInterface } = await import("node:readline/promises");
  const terminal = createInterface({ input: process.stdin, output: process.stderr });
  const ended = new Promise<never>((_, reject) =>
    terminal.once("close", () =>
      reject(new LudoflowError("ERR_PLAYER", "the input has ended before the game")),
    ),
  );
  const shown = moves.length > 20 ? `${moves.slice(0, 20).join(" ")} ...` : moves.join(" ");
  const before = wrong === undefined ? `${board}\n` : `${wrong}\n`;
  try {
    return await Promise.race([terminal.question(`${before}seat ${seat}, your move (${shown}): `), ended]);
  } finally {
    ended.catch(() => undefined);
    terminal.close();
  }
}

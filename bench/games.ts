import { Game2048 } from "../src/games/2048/2048.ts";
import { putTile, setBoard, slideTiles } from "../src/games/2048/board.ts";
import { CHANCE, OVER } from "../src/games/game.ts";
import type { Game } from "../src/games/game.ts";
import { openGame } from "../src/games/registry.ts";
import { openNet } from "../src/models/registry.ts";
import { Random } from "../src/random.ts";
import { goRates } from "./go.ts";
import { processorMs, ratesInTurn, type Turns } from "./in-turn.ts";
import { compared } from "./report.ts";
import type { BenchReport, BenchRow } from "./report.ts";

/** Number of rounds; each times game and peer in turn. The result is the median of the rates. */
const TURNS: Turns = { rounds: 41, warmUps: 3, sliceMs: 25 };

/**
 * `bench games`: uniformly random moves per second on one thread; a move includes the chance plies after it. Blokus,
 * Daihinmin and Go are measured in processor time, so that other work of the machine hardly matters; the other games by
 * the clock, beside a peer.
 */
export async function benchGames(): Promise<BenchReport> {
  const random = Random.named("bench", "games");
  const [contract, functions, plain] = ratesInTurn(
    [
      randomGame(openGame("2048"), random),
      random2048(new Game2048({ rows: 4, columns: 4 }), random),
      plain2048(random),
    ],
    TURNS,
  );
  // By itself and last: a second game makes the player's calls polymorphic, and in a run of one game they are not.
  const [ticTacToe] = ratesInTurn([randomGame(openGame("tic-tac-toe"), random)], TURNS);
  const blokus = ["blokus", "blokus-duo"].map((name) => playoutRates(openGame(name), random));
  const daihinmin = daihinminRates(random);
  const go = await goRates(random);
  const row = { metric: "random moves", unit: "moves/s" };
  const peer = { name: "plain typed arrays", value: plain! };
  return {
    bench: "games",
    rows: [
      compared({ ...row, case: "2048, through the game contract", value: contract! }, peer),
      compared({ ...row, case: "2048, through its own functions", value: functions! }, peer),
      { ...row, case: "tic-tac-toe, through the game contract", value: ticTacToe! },
      ...blokus.flat(),
      ...daihinmin,
      ...go,
    ],
  };
}

/**
 * Playouts of a variant of Blokus from the start, in processor time: moves are drawn uniformly, and among the largest
 * pieces. The peer lists all moves with `legal` before each draw. The board is its own, so that the other variant does
 * not disturb it.
 */
function playoutRates(game: Game<unknown>, random: Random): BenchRow[] {
  const playouts = game.playouts!;
  const start = game.initial();
  const state = game.initial();
  const play = (draw: (state: unknown, random: Random) => number) => () => {
    game.copy(start, state);
    let moves = 0;
    for (; game.toMove(state) !== OVER; moves++) game.play(state, draw(state, random));
    return moves;
  };
  const [uniform, preferred, listed] = ratesInTurn(
    [
      play((from, draws) => playouts.uniform(from, draws)),
      play((from, draws) => playouts.preferred(from, draws)),
      randomGame(game, random),
    ],
    { ...TURNS, rounds: 21 },
    processorMs,
  );
  const moves = (draw: (state: unknown, random: Random) => number) => {
    let total = 0;
    for (let i = 0; i < 200; i++) total += play(draw)();
    return total / 200;
  };
  const length = moves((from, draws) => playouts.uniform(from, draws));
  const peer = { name: "listing all moves", value: listed! };
  return [
    compared(
      { case: `${game.name}, playouts`, metric: "random moves", unit: "moves/s", value: uniform! },
      peer,
    ),
    compared(
      {
        case: `${game.name}, playouts`,
        metric: "moves of largest pieces",
        unit: "moves/s",
        value: preferred!,
      },
      peer,
    ),
    {
      case: `${game.name}, playouts`,
      metric: "random playouts",
      unit: "playouts/s",
      value: uniform! / length,
    },
  ];
}

/** Playouts of Daihinmin begin after so many decisions: about a third of a random game. */
const MIDDLE = 25;

/**
 * Daihinmin on one thread, in processor time: whole random games with their deals, and playouts from the middle of games.
 * Moves are drawn uniformly, by the contest's default client, and by a linear policy with zero weights, which draws
 * uniformly too but at the cost of a policy.
 */
function daihinminRates(random: Random): BenchRow[] {
  const game: Game<unknown> = openGame("daihinmin");
  const playouts = game.playouts!;
  const uniform = (from: unknown, draws: Random) => playouts.uniform(from, draws);
  const preferred = (from: unknown, draws: Random) => playouts.preferred(from, draws);
  const net = openNet("linear-policy", game, {});
  const policy = net.kind === "tables" ? net.playouts!(net.load(new Map())) : undefined;
  const learned = (from: unknown, draws: Random) => policy!.draw(from, draws);
  const state = game.initial();
  const play = (draw: (state: unknown, random: Random) => number, most = Infinity) => {
    for (let decisions = 0; game.toMove(state) !== OVER;) {
      if (game.toMove(state) === CHANCE) game.play(state, game.chance!.sample(state, random));
      else if (decisions++ === most) return;
      else game.play(state, draw(state, random));
    }
  };
  const start = game.initial();
  const middles = Array.from({ length: 200 }, () => {
    game.copy(start, state);
    play(uniform, MIDDLE);
    return structuredClone(state);
  });
  let turn = 0;
  const from = (begin: () => unknown, draw: typeof uniform) => () => {
    game.copy(begin(), state);
    play(draw);
    return 1;
  };
  const middle = () => middles[turn++ % middles.length];
  const finishing = () => {
    game.copy(middle(), state);
    playouts.finish!(state, random);
    return 1;
  };
  const rates = ratesInTurn(
    [from(() => start, uniform), finishing, from(middle, preferred), from(middle, learned)],
    { ...TURNS, rounds: 21 },
    processorMs,
  );
  const unit = "games/s";
  return [
    { case: "daihinmin, deal and all", metric: "random games", unit, value: rates[0]! },
    { case: "daihinmin, from mid-game", metric: "random playouts", unit, value: rates[1]! },
    { case: "daihinmin, from mid-game", metric: "playouts by rule", unit, value: rates[2]! },
    { case: "daihinmin, from mid-game", metric: "playouts by linear policy", unit, value: rates[3]! },
  ];
}

/** Plays one game by uniformly random moves through the public interface; returns its number of moves. */
function randomGame<S>(game: Game<S>, random: Random): () => number {
  const legal = new Int32Array(game.maxLegal);
  const start = game.initial();
  const state = game.initial();
  return () => {
    game.copy(start, state);
    for (let moves = 0; ;) {
      const mover = game.toMove(state);
      if (mover === OVER) return moves;
      if (mover === CHANCE) game.play(state, game.chance!.sample(state, random));
      else {
        game.play(state, legal[random.below(game.legal(state, legal))]!);
        moves++;
      }
    }
  };
}

/** The same for 2048 through the functions that its game is made of. */
function random2048(game: Game2048, random: Random): () => number {
  // The i-th legal direction, at 4 * slides + i.
  const directions = new Uint8Array(4 * 16);
  const counts = new Uint8Array(16);
  for (let slides = 0; slides < 16; slides++)
    for (let direction = 0; direction < 4; direction++)
      if ((slides >> direction) & 1) directions[4 * slides + counts[slides]!++] = direction;
  const { chance, size } = game;
  const state = game.initial();
  return () => {
    setBoard(state, new Uint8Array(16), 0, size);
    putTile(state, chance.sample(state, random), size);
    for (let moves = 0; ; moves++) {
      putTile(state, chance.sample(state, random), size);
      const slides = state.slides;
      if (slides === 0) return moves;
      slideTiles(state, directions[4 * slides + random.below(counts[slides]!)]!, size);
    }
  };
}

/**
 * The peer: 2048 alone, as plain typed-array code does it. No states, no contract: four rows of four bits a cell, a
 * table of slid rows, the board transposed for slides up and down, all directions tried and a legal one played; tiles
 * up to 2^15.
 */
function plain2048(random: Random): () => number {
  const toLeft = new Uint16Array(65536);
  const toRight = new Uint16Array(65536);
  const rewards = new Float64Array(65536);
  for (let row = 0; row < 65536; row++) {
    const { slid, reward } = slideRow(row);
    toLeft[row] = slid;
    toRight[reversed(row)] = reversed(slid);
    rewards[row] = reward;
  }
  const board = new Uint16Array(4);
  const turned = new Uint16Array(4);
  const slid = [new Uint16Array(4), new Uint16Array(4), new Uint16Array(4), new Uint16Array(4)] as const;
  const legal = new Uint8Array(4);

  const transpose = (from: Uint16Array, into: Uint16Array): void => {
    for (let r = 0; r < 4; r++) {
      const shift = 4 * r;
      into[r] =
        ((from[0]! >> shift) & 15) |
        (((from[1]! >> shift) & 15) << 4) |
        (((from[2]! >> shift) & 15) << 8) |
        (((from[3]! >> shift) & 15) << 12);
    }
  };
  const slide = (from: Uint16Array, table: Uint16Array, into: Uint16Array): boolean => {
    let changed = 0;
    for (let r = 0; r < 4; r++) {
      into[r] = table[from[r]!]!;
      changed |= into[r]! ^ from[r]!;
    }
    return changed !== 0;
  };
  const spawn = (): void => {
    let empty = 0;
    for (let cell = 0; cell < 16; cell++) if (((board[cell >> 2]! >> (4 * (cell & 3))) & 15) === 0) empty++;
    let which = random.below(empty);
    for (let cell = 0; cell < 16; cell++) {
      const shift = 4 * (cell & 3);
      if (((board[cell >> 2]! >> shift) & 15) === 0 && which-- === 0) {
        board[cell >> 2]! |= (random.below(10) === 0 ? 2 : 1) << shift;
        return;
      }
    }
  };

  return () => {
    board.fill(0);
    spawn();
    spawn();
    let score = 0;
    for (let moves = 0; ; moves++) {
      let count = 0;
      transpose(board, turned);
      if (slide(turned, toLeft, slid[0])) legal[count++] = 0;
      if (slide(board, toRight, slid[1])) legal[count++] = 1;
      if (slide(turned, toRight, slid[2])) legal[count++] = 2;
      if (slide(board, toLeft, slid[3])) legal[count++] = 3;
      if (count === 0) return score > 0 ? moves : 0;
      const direction = legal[random.below(count)]!;
      const before = direction & 1 ? board : turned;
      for (let r = 0; r < 4; r++) score += rewards[before[r]!]!;
      if (direction & 1) board.set(slid[direction]!);
      else transpose(slid[direction]!, board);
      spawn();
    }
  };
}

function slideRow(row: number): { slid: number; reward: number } {
  let slid = 0;
  let reward = 0;
  let count = 0;
  let last = 0;
  for (let shift = 0; shift < 16; shift += 4) {
    const exponent = (row >> shift) & 15;
    if (exponent === 0) continue;
    if (exponent === last && exponent < 15) {
      slid += 1 << (4 * (count - 1));
      reward += 2 << exponent;
      last = 0;
    } else {
      slid |= exponent << (4 * count++);
      last = exponent;
    }
  }
  return { slid, reward };
}

function reversed(row: number): number {
  return ((row & 15) << 12) | ((row & 0xf0) << 4) | ((row >> 4) & 0xf0) | (row >> 12);
}

import { fileURLToPath } from "node:url";
import { CHANCE, OVER } from "../src/games/game.ts";
import type { Game } from "../src/games/game.ts";
import { openDefinedGame, openGame } from "../src/games/registry.ts";
import { ticTacToe } from "../src/games/tic-tac-toe/tic-tac-toe.ts";
import { openNet } from "../src/models/registry.ts";
import { definedGame, defineGame } from "../src/games/define-game.ts";
import { readCheckpoint } from "../src/operators/run/weights/checkpoint-files.ts";
import { Random } from "../src/random.ts";
import { goRates } from "./go.ts";
import { randomGame, rates2048 } from "./games-2048.ts";
import { processorMs, ratesInTurn, type Turns } from "./in-turn.ts";
import { compared } from "./report.ts";
import type { BenchReport, BenchRow } from "./report.ts";

/** Number of rounds; each times game and peer in turn. The result is the median of the rates. */
const TURNS: Turns = { rounds: 41, warmUps: 3, sliceMs: 25 };

/**
 * `bench games`: uniformly random moves per second on one thread; a move includes the chance plies after it. Seconds are of
 * processor time, so that other work of the machine hardly matters.
 */
export async function benchGames(): Promise<BenchReport> {
  const random = Random.named("bench", "games");
  const rows2048 = await rates2048(random);
  // By itself and after 2048: a second game makes the player's calls polymorphic, and in a run of one game they are not.
  const [builtIn, asPlugin] = ratesInTurn(
    [randomGame(openGame("tic-tac-toe"), random), randomGame(definedTicTacToe(), random)],
    TURNS,
    processorMs,
  );
  const blokus = ["blokus", "blokus-duo"].map((name) => [
    ...playoutRates(openGame(name), random),
    ...policyRates(openGame(name), `experiments/${name.replace("blokus-duo", "duo")}-policy`, random),
  ]);
  const daihinmin = daihinminRates(random);
  const go = await goRates(random);
  return {
    bench: "games",
    rows: [
      ...rows2048,
      {
        case: "tic-tac-toe, through the game contract",
        metric: "random moves",
        unit: "moves/s",
        value: builtIn!,
      },
      compared(
        {
          case: "tic-tac-toe, its rules in a plug-in",
          metric: "random moves",
          unit: "moves/s",
          value: asPlugin!,
        },
        { name: "the game that comes with ludoflow", value: builtIn! },
      ),
      ...blokus.flat(),
      ...daihinmin,
      ...go,
    ],
  };
}

/** The rules of tic-tac-toe as a plug-in gives them: through `defineGame`, and completed as those of others are. */
function definedTicTacToe(): Game<unknown> {
  const { name: _name, players, ...rules } = ticTacToe;
  const plugin = defineGame({
    name: "tic-tac-toe-plug-in",
    description: "Tic-tac-toe as a plug-in.",
    players,
    create: (_, complete) => complete(rules),
  });
  return openDefinedGame(definedGame(plugin)!, {}).game;
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

/**
 * A linear policy of a variant of Blokus, in processor time: features and odds of all legal moves of the positions of games by
 * preference, and playouts from the start by the policy in a folder of the project.
 */
function policyRates(game: Game<unknown>, policy: string, random: Random): BenchRow[] {
  const { tensors } = readCheckpoint(fileURLToPath(new URL(`../${policy}`, import.meta.url)));
  const net = openNet("linear-policy", game, {});
  if (net.kind !== "tables") throw new Error("a linear policy is one on tables");
  const guide = net.playouts!(
    net.load(new Map([["weights", tensors.get("weights/weights")!.data as Float64Array]])),
  );
  const { moveFeatures } = game.linear!;
  const actions = new Int32Array(game.maxLegal);
  const positions: { readonly state: unknown; readonly actions: Int32Array }[] = [];
  const state = game.initial();
  const start = game.initial();
  for (let n = 0; n < 20; n++) {
    game.copy(start, state);
    while (game.toMove(state) !== OVER) {
      const copy = game.initial();
      game.copy(state, copy);
      positions.push({ state: copy, actions: actions.slice(0, game.legal(state, actions)) });
      game.play(state, game.playouts!.preferred(state, random));
    }
  }
  const rows = new Int32Array(game.maxLegal * moveFeatures!.perMove);
  const odds = new Float64Array(game.maxLegal);
  let next = 0;
  const each = (weigh: (state: unknown, actions: Int32Array) => void) => () => {
    const position = positions[next++ % positions.length]!;
    weigh(position.state, position.actions);
    return position.actions.length;
  };
  const [features, all, playouts] = ratesInTurn(
    [
      each((from, legal) => moveFeatures!.write(from, legal, legal.length, rows)),
      each((from, legal) => guide.relativeOdds(from, legal, legal.length, odds)),
      () => {
        game.copy(start, state);
        guide.finish!(state, random);
        return 1;
      },
    ],
    { ...TURNS, rounds: 21 },
    processorMs,
  );
  const row = { case: `${game.name}, linear policy`, unit: "us/move" };
  return [
    { ...row, metric: "features of a legal move", value: 1e6 / features! },
    { ...row, metric: "odds of a legal move", value: 1e6 / all! },
    { ...row, metric: "playouts", unit: "playouts/s", value: playouts! },
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

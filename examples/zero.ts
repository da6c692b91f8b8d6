/**
 * AlphaZero on one page: a net learns tic-tac-toe from games against itself, and then plays a match.
 *
 *     node node_modules/ludoflow/bin/node.js examples/zero.ts [FOLDER]
 *
 * Silver et al. 2017, Mastering chess and shogi by self-play with a general reinforcement learning algorithm. Half a minute.
 */
import {
  agent,
  learner,
  type LearningExample,
  openCheckpoint,
  openGame,
  OVER,
  play,
  type Player,
  proportionEstimate,
  Random,
} from "ludoflow";

const GENERATIONS = 12;
const GAMES = 50;
const STEPS = 60;
const BATCH = 64;
const SIMULATIONS = 32;
/** Examples of the last so many generations are learned from. */
const WINDOW = 4;

const folder = process.argv[2] ?? "runs/zero";
const random = Random.named(1, "zero");
const game = await openGame("tic-tac-toe");

// The net: planes of a position in; a value for each seat and a probability for each move out.
await using net = await learner(game, { net: { use: "residual", filters: 16, blocks: 2 }, batch: BATCH });
await net.save(folder);

const buffer: LearningExample[][] = [];
for (let generation = 1; generation <= GENERATIONS; generation++) {
  buffer.push(await selfPlay(generation));
  if (buffer.length > WINDOW) buffer.shift();
  const losses = await learn(buffer.flat(), generation < GENERATIONS / 2 ? 0.003 : 0.001);
  await net.save(folder);
  console.log(`generation ${generation}: loss ${losses.toFixed(3)}`);
}

await using learned = await openCheckpoint(folder);
const zero = await agent(game, { use: "puct-max-n", net: learned, simulations: SIMULATIONS });
const uct = await agent(game, { use: "uct", simulations: 100 });
await match(zero, await agent(game, { use: "random" }), 100);
await match(zero, uct, 100);

/** Plays games of the net against itself; the decisions of each are examples. */
async function selfPlay(generation: number): Promise<LearningExample[]> {
  await using checkpoint = await openCheckpoint(folder);
  const player = await agent(game, {
    use: "puct-max-n",
    net: checkpoint,
    simulations: SIMULATIONS,
    noise: { epsilon: 0.25, alpha: 1 },
    temperature: [{ value: 1, until: 4 }, { value: 0 }],
  });
  const examples: LearningExample[] = [];
  for (let number = 0; number < GAMES; number++) {
    const decisions: { position: unknown; policy: number[] }[] = [];
    const position = game.initial();
    while (game.toMove(position) !== OVER) {
      const seed = generation * GAMES + number;
      const { action, visits } = await player.think(position, { seed, decisions: decisions.length });
      const all = visits.reduce((sum, count) => sum + count, 0);
      // The policy learns how often the search has visited each move.
      const before = game.initial();
      game.copy(position, before);
      decisions.push({ position: before, policy: [...visits].map((count) => count / all) });
      game.play(position, action);
    }
    // The values learn the result of the game.
    const values = new Float64Array(game.players);
    game.returns(position, values);
    examples.push(...decisions.map((decision) => ({ ...decision, values })));
  }
  return examples;
}

/** Takes steps on examples that are drawn from the buffer; returns the mean loss. */
async function learn(examples: readonly LearningExample[], rate: number): Promise<number> {
  let sum = 0;
  for (let step = 0; step < STEPS; step++) {
    const batch = Array.from({ length: BATCH }, () => examples[random.below(examples.length)]!);
    sum += (await net.step(batch, rate))["total"]!;
  }
  return sum / STEPS;
}

/** Plays a match with both players in each seat by turns, and prints its score with a 95% interval. */
async function match(one: Player, other: Player, games: number): Promise<void> {
  let points = 0;
  for (let number = 0; number < games; number++) {
    const seat = number % 2;
    const { returns } = await play(game, seat === 0 ? [one, other] : [other, one], { seed: 2, number });
    points += (1 + Math.sign(returns[seat]! - returns[1 - seat]!)) / 2;
  }
  const { value, interval } = proportionEstimate(points, games);
  const percent = (share: number) => `${(100 * share).toFixed(0)}%`;
  console.log(
    `${one.name} against ${other.name}: ${percent(value)} [${percent(interval[0])}, ${percent(interval[1])}]`,
  );
}

import type { GameFacts } from "./game-facts.ts";
import { arenaOpenings, netFor, playoutSearchText, withoutPlanes } from "./players.ts";
import { type Budget, gameLines, gameSeconds, rounded, type Starter } from "./starter.ts";

/** Times that a position is learned from, on average. */
const USES = 4;
/** Rounds of matches along the learning. */
const ROUNDS = 8;
/** Generations of games that a budget is divided into. */
const GENERATIONS = 40;
/** The parts of a budget for first games by playouts and for matches; the rest is for self-play and training. */
const WARM = 0.08;
const MATCHES = 0.17;
/** Greatest difference of returns in a game of one player. */
const MOST_RETURN = 100;

interface Amounts {
  readonly generation: number;
  readonly generations: number;
  readonly warm: number;
  readonly steps: number;
  readonly batch: number;
  readonly arena: number;
}

/** AlphaZero: a net learns from its own games, played by a search that it guides. */
export const alphazero: Starter = {
  summary: "a net learns from its own games, played by a search that it guides",
  refusal: (facts) => {
    const { game } = facts;
    if (game.information !== undefined)
      return `AlphaZero sees the whole position, and ${game.name} has hidden information; choose --experiment match`;
    // Games of several players are learned by who wins.
    const [least, greatest] = game.returnBounds;
    if (game.players === 1 && !(greatest - least <= MOST_RETURN))
      return `AlphaZero needs returns of about the size of 1, and ${game.name} has scores without such a bound; choose --experiment td`;
    return withoutPlanes(facts);
  },
  text: (facts, _, budget) => textOf(facts, budget === undefined ? first(facts) : fitted(facts, budget)),
};

/** Small amounts, for measuring. */
function first({ decisions }: GameFacts): Amounts {
  const batch = batchFor(decisions);
  return { generation: 20, generations: 10, warm: 20, steps: 20, batch, arena: 24 };
}

/** A minibatch should not hold the same few games again and again. */
function batchFor(decisions: number): number {
  return decisions < 15 ? 64 : 128;
}

function fitted({ decisions, game }: GameFacts, { seconds, speeds }: Budget): Amounts {
  const batch = batchFor(decisions);
  const played = gameSeconds(speeds, "learner", 0.2);
  const perGame = (USES * decisions) / batch;
  const learned = perGame * (speeds.stages.get("weights") ?? 0.02);
  const [height, width] = Object.values(game.nets!.planes)[0]!.shape;
  // A small game is learned long before the time is over.
  const most = 1000 * height * width;
  const share = 1 - WARM - MATCHES;
  const games = Math.min(most, (share * seconds) / (played + learned));
  const generations = Math.max(10, Math.min(GENERATIONS, Math.floor(games / 10)));
  const generation = rounded(games / generations, 10);
  const warm = rounded(
    Math.min(games / 5, (WARM * seconds) / gameSeconds(speeds, "teacher", 0.2)),
    generation,
  );
  const round =
    (gameSeconds(speeds, "player", 0.3) +
      gameSeconds(speeds, "uct", 0.3) +
      gameSeconds(speeds, "random", 0.01)) /
    3;
  // Multiples of 12: three players in rotated seats, two games an opening.
  const arena = 12 * Math.max(2, Math.min(16, Math.round((MATCHES * seconds) / ROUNDS / round / 12)));
  return {
    generation,
    generations,
    warm,
    steps: rounded(perGame * generation, 5),
    batch,
    arena,
  };
}

function textOf(facts: GameFacts, amounts: Amounts): string {
  const { chance, decisions, game, moves } = facts;
  const { arena, batch, generation, generations, steps, warm } = amounts;
  const steady = steps * generations;
  const many = moves > 64;
  const symmetric = (game.symmetry?.count ?? 1) > 1;
  const drawn = Math.max(1, Math.min(6, Math.floor(decisions / 4)));
  const alpha = Number((10 / moves).toPrecision(1));
  return `${gameLines(facts)}
nets:
  # The net: shared layers, then its policy (which move) and its value (who wins). A larger one learns more, and slower.
  zero: ${netFor(facts, { policy: true })}

agents:
  # Plays the games that are learned from. Its draws (Gumbel noise at the root) vary the games. The search of AlphaZero itself:
  # { use: puct-max-n, net: zero, simulations: 100, noise: { epsilon: 0.25, alpha: ${alpha} }, temperature: [{ until: ${Math.max(2, Math.round(decisions / 3))}, value: 1 }] }
  learner:
    use: gumbel
    net: zero
    simulations: ${many ? 16 : 32}
${many ? "    considered: 16\n    target: tried # a target over all moves would leave those that were not tried at their prior\n" : ""}    cScale: ${many ? 0.5 : 0.2} # a young net's values are noisy: less than 1, the default
    solver: true
    temperature: [{ value: 1 }] # moves are drawn; in matches (player) the best one is played
  player: { use: gumbel, net: zero, simulations: 64, temperature: [], solver: true }
  # Without a net: the first games, and whom the player meets. A low exploration and learnTemperature make the teacher's policy
  # tell good moves from bad ones; visits alone would be nearly equal.
  teacher: { use: mcts-max-n, simulations: 100, payoff: share, exploration: 0.3, progressiveHistory: 0, learnTemperature: 0.2 }
  uct: ${playoutSearchText(facts, 200)}
  random: { use: random }

graph:
  games:
    use: self-play
    agent: learner
    games: ${generation * generations}
    generation: ${generation} # games with one version of the weights
    warmStart: { agent: teacher, games: ${warm} } # an untrained net would play nonsense
${
  chance || game.players === 1
    ? ""
    : `    # Half of the games begin with random moves: otherwise the net sees few openings only.
    openings: [{ share: 0.5, plies: { least: 1, most: ${drawn} } }]
`
}    examples: { use: alphazero, resultWeight: 0.75 }
  # The newest games, from which positions are drawn.
  replay: { use: replay-buffer, from: games, games: ${Math.max(generation, rounded((generation * generations) / 4))}, fill: ${generation} }
  weights:
    use: trainer
    from: replay
    net: zero
    batch: ${batch}
    steps: ${steps} # after each generation: each position is seen about ${USES} times
    rate: [{ until: ${Math.round(0.7 * steady)}, value: 0.002 }, { until: ${Math.round(0.9 * steady)}, value: 0.0005 }, { value: 0.0001 }]
    optimiser: { use: adam }
    loss: { use: alphazero, legalOnly: true }
    symmetries: ${symmetric}
  # ludoflow resume continues from here; ludoflow play RUN plays with the newest.
  saved: { use: checkpoint, from: weights, keep: 3 }
  # Is it getting stronger? Matches along the learning. The report counts how many of the games differ, here and in self-play:
  # repeated games teach nothing, and make intervals too narrow.
  curve:
    use: arena
    after: weights
    every: ${Math.max(1, Math.round(generations / ROUNDS))}
    agents: [player, uct, random]
    games: ${arena}${arenaOpenings(facts).replace(", ", "\n    ")}
`;
}

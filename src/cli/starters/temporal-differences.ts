import type { GameFacts } from "./game-facts.ts";
import { arenaOpenings, netFor, playoutSearchText, withoutPlanes } from "./players.ts";
import { type Budget, gameLines, gameSeconds, rounded, type Starter } from "./starter.ts";

/** Versions of the weights in a run. */
const VERSIONS = 10;
/** The part of a budget that is for learning; the rest is for matches. */
const LEARNING = 0.75;

/** TD(lambda): values of positions are learned from the values of later ones. */
export const temporalDifferences: Starter = {
  summary: "values of positions are learned from the values of later positions, TD(lambda)",
  refusal: (facts) => {
    const { game } = facts;
    if (game.information !== undefined)
      return `values of positions need the whole position, and ${game.name} has hidden information; choose --experiment match`;
    return onTables(facts) === undefined ? withoutPlanes(facts) : undefined;
  },
  text: (facts, _, budget) => {
    const table = onTables(facts);
    return table === undefined ? netText(facts, budget) : tableText(facts, table, budget);
  },
};

/** The value function on tables that a game has; undefined if it has none. */
function onTables({ game }: GameFacts): string | undefined {
  if (game.name === "2048") return "{ use: n-tuple, tuples: 4x6 }";
  return game.linear?.features !== undefined && game.players === 2 ? "{ use: linear }" : undefined;
}

function tableText(facts: GameFacts, table: string, budget: Budget | undefined): string {
  const { game } = facts;
  let games = 1000;
  let matches = 24;
  if (budget !== undefined) {
    const { seconds, speeds } = budget;
    games = rounded((LEARNING * seconds) / (speeds.stages.get("learn") ?? 0.01), 10 * VERSIONS);
    const played = gameSeconds(speeds, "greedy", 0.1);
    matches =
      12 *
      Math.max(2, Math.min(16, Math.round(((1 - LEARNING) * seconds) / (VERSIONS / 2) / played / 12 / 2)));
  }
  const tuples = game.players === 1;
  const learning = tuples
    ? "lambda: 0.5, step: tc }"
    : "lambda: 0.8, step: td, rate: 0.01, decay: 1000, exploration: { use: epsilon-greedy, epsilon: 0.1 } }";
  return `${gameLines(facts)}
nets:
  # ${tuples ? "A table for each group of cells: the value of a board is the sum of its entries." : "The value of a position is a weighted sum of its features."}
  value: ${table}

agents:
  greedy: { use: greedy, net: value } # the move whose position has the greatest value
${tuples ? "  search: { use: expectimax, net: value, plies: 2 }\n" : `  uct: ${playoutSearchText(facts, 200)}\n`}  random: { use: random }

graph:
  # lambda: 0 learns from the next position, 1 from the result.
  learn: { use: td-learner, net: value, games: ${games}, every: ${Math.max(1, Math.round(games / VERSIONS))}, ${learning}
  saved: { use: checkpoint, from: learn, keep: 3 }
  # Is it getting stronger? Matches along the learning.
  curve: { use: arena, after: learn, every: 2, agents: [greedy, ${tuples ? "random" : "uct, random"}], games: ${matches}${arenaOpenings(facts)} }
${tuples ? "  # What a search adds to the learned values, at the end.\n  gain: { use: arena, after: learn, every: 0, agents: [greedy, search], games: 24 }\n" : ""}`;
}

function netText(facts: GameFacts, budget: Budget | undefined): string {
  const { chance, decisions, game } = facts;
  const batch = 64;
  let games = 200;
  let matches = 24;
  let steps = 10;
  if (budget !== undefined) {
    const { seconds, speeds } = budget;
    const perGame = (4 * decisions) / batch;
    const learned = perGame * (speeds.stages.get("weights") ?? 0.02);
    games = Math.min(20_000, (LEARNING * seconds) / (gameSeconds(speeds, "learner", 0.1) + learned));
    const round = (gameSeconds(speeds, "learner", 0.1) + gameSeconds(speeds, "uct", 0.3)) / 2;
    matches = 12 * Math.max(2, Math.min(16, Math.round(((1 - LEARNING) * seconds) / 8 / round / 12)));
    steps = rounded((perGame * games) / 40, 5);
  }
  const generation = rounded(games / 40, 10);
  const drawn = Math.max(1, Math.min(8, Math.floor(decisions / 2)));
  return `${gameLines(facts)}
nets:
  # The net predicts the value of a position for each seat.
  value: ${netFor(facts, { policy: false })}

agents:
  learner: { use: greedy, net: value } # the move whose position has the greatest value
  uct: ${playoutSearchText(facts, 200)}
  random: { use: random }

graph:
  games:
    use: self-play
    agent: learner
    games: ${generation * 40}
    generation: ${generation} # games with one version of the weights
${
  chance
    ? ""
    : `    # A greedy player draws nothing: without random first moves every game would be the same.
    openings: [{ plies: { least: 1, most: ${drawn} } }]
`
}    examples: { use: td, lambda: 0.7, values: search } # lambda: 0 learns from the next position, 1 from the result
  replay: { use: replay-buffer, from: games, games: ${10 * generation}, fill: ${generation} }
  weights:
    use: trainer
    from: replay
    net: value
    batch: ${batch}
    steps: ${steps}
    rate: [{ until: ${30 * steps}, value: 0.002 }, { value: 0.0005 }]
    symmetries: ${(game.symmetry?.count ?? 1) > 1}
  saved: { use: checkpoint, from: weights, keep: 3 }
  # Is it getting stronger? Matches along the learning.
  curve: { use: arena, after: weights, every: 5, agents: [learner, uct, random], games: ${matches}${arenaOpenings(facts)} }
`;
}

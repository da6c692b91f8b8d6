import { fixed } from "../../../figures/number-text.ts";
import type { Game } from "../../../games/game.ts";
import { games, type GameConfig } from "../../../games/registry.ts";
import { withNets } from "../../../graph/agents/experiment-agent.ts";
import { checkGraph } from "../../../graph/check-graph.ts";
import { checkSource } from "../../../graph/experiment-file.ts";
import { shippedExperiments } from "../../../graph/shipped-experiments.ts";
import { readSource } from "../../../graph/yaml-source.ts";
import { readManifest } from "../../../operators/run/weights/checkpoint-files.ts";
import type { AgentSettings } from "../../../protocols/session-agent.ts";
import { openSearch, searches, withoutNet } from "../../../search/registry.ts";
import { openKnown, variantOf } from "./known-games.ts";
import type { PagePlayer } from "./player.ts";
import { simulationsOf } from "./simulations.ts";

/** The name of an experiment whose agents are players ends so: `go9-player`. */
const PLAYER = /-player$/;

/**
 * A search without a net for a game: one that knows no more than its seat, and whose constants suit the game's returns. If
 * the game has a prior of moves, the search uses RAVE and this prior.
 */
function searchFor(game: Game<unknown>): AgentSettings {
  const {
    information,
    players,
    returnBounds: [least, most],
  } = game;
  if (information !== undefined) return { use: "so-ismcts", simulations: 256 };
  // Scores of one player have no scale that is known: with a large constant all moves have about as many playouts.
  if (players === 1) return { use: "flat-monte-carlo", simulations: 256, exploration: 500 };
  if (most - least > 2) return { use: "mcts-max-n", simulations: 256 };
  const plain = { use: "uct", simulations: 1024 };
  const informed = {
    ...plain,
    exploration: 0,
    epsilon: 0,
    rave: { use: "equivalence", k: 1000 },
    prior: { of: "heuristic", visits: 10 },
  };
  return isSuited(informed, game) ? informed : plain;
}

/** The players that come with ludoflow: those with committed nets, and searches without a net for each game that is known. */
export function shippedPlayers(): PagePlayer[] {
  return [...playersWithNets(), ...knownConfigs().flatMap(classicalPlayers)];
}

/** The agents of the experiments that are there for their players. */
function playersWithNets(): PagePlayer[] {
  return shippedExperiments()
    .filter(({ name }) => PLAYER.test(name))
    .flatMap(({ file, name }) => {
      const { experiment } = checkGraph(checkSource(readSource(file))).opened;
      return Object.entries(experiment.agents).map(([agent, settings]): PagePlayer => ({
        offer: {
          key: `net:${name}#${agent}`,
          name: agent,
          from: `${name}${afterLearning(experiment.nets[settings.net ?? ""]?.weights)}`,
          kind: "net",
          ...simulationsOf(settings),
        },
        game: experiment.game,
        agent: withNets(settings, experiment.nets),
        plugins: [],
      }));
    });
}

/** What the main net of a player has learned: `, after 3,000 steps`. */
function afterLearning(weights: string | undefined): string {
  if (weights === undefined) return "";
  const { learned, unit } = readManifest(weights);
  return `, after ${fixed(learned, 0)} ${unit}`;
}

/** Each game with its usual options, and as the experiments that come with ludoflow play it: in other sizes. */
function knownConfigs(): GameConfig[] {
  const shipped = shippedExperiments();
  const known = games.flatMap(({ name, netOptions }): GameConfig[] => {
    const named = shipped.flatMap(({ game }) => {
      const { rules, ...options } = Object(game) as Partial<GameConfig>;
      if (rules !== name) return [];
      // Options that decide neither the board nor the moves do not make another game.
      const kept = Object.entries(options).filter(([option]) => netOptions?.includes(option) ?? true);
      return [{ rules, ...Object.fromEntries(kept) }];
    });
    return [{ rules: name }, ...named];
  });
  const distinct = new Map(known.map((config) => [JSON.stringify(config), config]));
  const complete = [...distinct.values()].map((config) => openKnown(config).config);
  return [...new Map(complete.map((config) => [JSON.stringify(config), config])).values()];
}

/** The players of a game that need no net: a search, the game's own player by rule, and one that plays at random. */
function classicalPlayers(config: GameConfig): PagePlayer[] {
  const game = openKnown(config).game as Game<unknown>;
  const variant = variantOf(config).replaceAll(", ", ",").replaceAll(" ", "=");
  return [searchFor(game), { use: "default" }, { use: "random" }]
    .filter((settings) => isSuited(settings, game))
    .map((agent): PagePlayer => ({
      offer: {
        key: `search:${[config.rules, variant, agent.use].filter((part) => part !== "").join(":")}`,
        name: String(agent.use),
        from: FROM[String(agent.use)] ?? "search without a net",
        kind: "search",
        ...simulationsOf(agent),
      },
      game: config,
      agent,
      plugins: [],
    }));
}

const FROM: Readonly<Record<string, string>> = {
  default: "player by rule that belongs to the game",
  random: "player that takes any legal move, each as likely",
};

/** Whether an agent without a net can play a game. */
function isSuited(settings: AgentSettings, game: Game<unknown>): boolean {
  const { use, ...options } = settings;
  if (use === "default" && game.search?.rulePlayer === undefined) return false;
  try {
    openSearch(String(use), game, options, withoutNet(searches));
    return true;
  } catch {
    return false;
  }
}

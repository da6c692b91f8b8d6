import { readdirSync } from "node:fs";
import { join } from "node:path";
import { fixed } from "../../../figures/number-text.ts";
import type { Game } from "../../../games/game.ts";
import { games, type GameConfig } from "../../../games/registry.ts";
import { shippedExperiments } from "../../../graph/shipped-experiments.ts";
import { abilitiesOf, wrongNet } from "../../../operators/experiment/agent-net.ts";
import { type NetConfig, openExperiment } from "../../../operators/experiment/open-experiment.ts";
import { holdsCheckpoint, readManifest } from "../../../operators/training/checkpoint-files.ts";
import { packageRoot } from "../../../package-root.ts";
import type { AgentSettings } from "../../../protocols/session-agent.ts";
import { findSearch, openSearch, searches, withoutNet } from "../../../search/registry.ts";
import { openKnown, variantOf } from "./known-games.ts";
import type { PagePlayer } from "./player.ts";
import { simulationsOf } from "./simulations.ts";

/**
 * Agents for a net, best first, by what a net gives: the first one that it fits plays with it. The simulations are for a person
 * who waits on a laptop.
 */
const WITH_NET: readonly AgentSettings[] = [
  { use: "gumbel", simulations: 64 },
  { use: "mc-softmax", simulations: 64 },
  { use: "expectimax", plies: 1 },
  { use: "greedy" },
  { use: "so-ismcts", simulations: 256, epsilon: 0, exploration: 0.3 },
];

/** A search without a net for a game: one that knows no more than its seat, and whose constants suit the game's returns. */
function searchFor({ information, players, returnBounds: [least, most] }: Game<unknown>): AgentSettings {
  if (information !== undefined) return { use: "so-ismcts", simulations: 256 };
  // Scores of one player have no scale that is known: with a large constant all moves have about as many playouts.
  if (players === 1) return { use: "flat-monte-carlo", simulations: 256, exploration: 500 };
  return most - least <= 2 ? { use: "uct", simulations: 1024 } : { use: "mcts-max-n", simulations: 256 };
}

/** The players that come with ludoflow: committed nets, and searches without a net for each game that is known. */
export function shippedPlayers(): PagePlayer[] {
  return [...committedNets(), ...knownConfigs().flatMap(classicalPlayers)];
}

/** The nets in the folder of experiments. */
function committedNets(): PagePlayer[] {
  const folder = join(packageRoot(), "experiments");
  return readdirSync(folder, { withFileTypes: true }).flatMap((entry) => {
    const path = join(folder, entry.name);
    if (!entry.isDirectory() || !holdsCheckpoint(path)) return [];
    const { game, learned, net, unit } = readManifest(path);
    const config = game as GameConfig;
    const open = openExperiment({
      name: "page",
      seed: 0,
      schedule: "synchronous",
      compute: { engine: "auto", device: "cpu", threads: 1 },
      game: config,
      nets: { net: net as NetConfig },
      agents: {},
      graph: {},
    });
    const gives = abilitiesOf(open.nets.get("net")!);
    const agent = WITH_NET.find(
      ({ epsilon, use }) =>
        wrongNet(
          { use: String(use), needs: findSearch(String(use)).needs, role: "net", epsilon },
          "this net",
          gives,
        ) === undefined,
    );
    if (agent === undefined) return [];
    return [
      {
        offer: {
          key: `net:${entry.name}`,
          name: String(agent["use"]),
          from: `${entry.name}, after ${fixed(learned, 0)} ${unit}`,
          kind: "net" as const,
          ...simulationsOf(agent),
        },
        game: config,
        agent: { ...agent, net: path },
        plugins: [],
      },
    ];
  });
}

/** Each game with its usual options, and as the experiments that come with ludoflow play it: in other sizes. */
function knownConfigs(): GameConfig[] {
  const shipped = shippedExperiments();
  const known = games.flatMap(({ name, netOptions }): GameConfig[] => {
    const named = shipped.flatMap(({ game }) => {
      const { rules, ...options } = Object(game) as Partial<GameConfig>;
      if (rules !== name) return [];
      // Options that decide neither the board nor the moves make no game of its own.
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

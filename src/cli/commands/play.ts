import { Command } from "commander";
import { CHANCE, type Game } from "../../games/game.ts";
import { createGame, type GameConfig, games as gameDefinitions } from "../../games/registry.ts";
import { readManifest } from "../../operators/training/checkpoint-files.ts";
import { agentAtSeat, playGame } from "../../protocols/play-game.ts";
import { meanEstimate } from "../../stats/intervals.ts";
import { agentOfFlag } from "../agent-flag.ts";
import { mistakes } from "../agent-mistakes.ts";
import { UsageError } from "../complaint.ts";
import { openAgent } from "../../graph/agents/open-agent.ts";
import { resolveNet } from "../../graph/agents/open-net.ts";
import type { AllowCodeFlag } from "../permit-code.ts";
import { loadPluginsFor, type PluginFlag, pluginOptions } from "../plugin-flags.ts";
import { wholeNumber } from "../whole-number.ts";

interface PlayFlags extends PluginFlag, AllowCodeFlag {
  readonly agent: string;
  readonly games: number;
  readonly seed: number;
  readonly boards?: boolean;
  readonly json?: boolean;
}

/** `ludoflow play CHECKPOINT`: trained weights play games by themselves; the games are printed. */
export function playCommand(): Command {
  const command = new Command("play").argument(
    "<checkpoint>",
    "the folder of a checkpoint: runs/NAME/RUN/checkpoints/NET/LEARNED",
  );
  return pluginOptions(command)
    .description("Let trained weights play games by themselves and print the games.")
    .option(
      "--agent <agent>",
      "the player: a search and its options as under agents in an experiment file, or a file that holds them; its net is the checkpoint",
      "{ use: greedy }",
    )
    .option("--games <n>", "number of games", wholeNumber, 1)
    .option("--seed <n>", "all random draws follow from it", wholeNumber, 1)
    .option("--boards", "print every move with the board after it")
    .option("--json", "print one JSON line a game: its returns, facts, and moves as text, chance included")
    .addHelpText(
      "after",
      `
Chance in game n draws from the stream (seed, "play", n, "chance"), whatever the agent.

Examples:
  $ ludoflow play runs/quickstart/20260101-120000-seed2048/checkpoints/value/0000005000
  $ ludoflow play CHECKPOINT --agent '{ use: mc-softmax, simulations: 100 }' --games 10
  $ ludoflow play CHECKPOINT --agent '{ use: expectimax, plies: 1 }' --boards`,
    )
    .action(async (checkpoint: string, flags: PlayFlags) => {
      if (flags.games === 0) throw new UsageError("--games 0: there is nothing to play");
      await loadPluginsFor(flags, { agent: flags.agent, paths: [checkpoint] });
      await playGames(checkpoint, flags);
    });
}

async function playGames(
  checkpoint: string,
  { agent: given, games, seed, boards, json }: PlayFlags,
): Promise<void> {
  const config = readManifest(checkpoint).game as GameConfig;
  const { rules, ...options } = config;
  if (!gameDefinitions.some(({ name }) => name === rules))
    throw new UsageError(
      `${checkpoint} is of the game "${rules}", which ludoflow does not have; name the plug-in that defines it with --plugin`,
    );
  const game: Game<unknown> = createGame(rules, options);
  const { net, ...agent } = agentOfFlag(given);
  if (net !== undefined) throw new UsageError("--agent names no net: the checkpoint is its net");
  const evaluated = mistakes(() => resolveNet(checkpoint, game, config));
  const seats = Array.from({ length: game.players }, () =>
    agentAtSeat(
      mistakes(() =>
        openAgent({ ...agent, net: checkpoint }, game, (given) =>
          given === checkpoint ? evaluated : resolveNet(given, game, config),
        ),
      ),
    ),
  );
  const say = (line: string) => void process.stdout.write(`${line}\n`);
  const first: number[] = [];
  for (let number = 0; number < games; number++) {
    const played = await playGame(game, seats, [seed, "play", number], ({ mover, move, state }) => {
      // A board is shown where a player moves next, after the plies of chance.
      if (boards === true) say(mover === CHANCE ? `${game.drawing.text(state)}\n` : move);
    });
    const { facts, moves, returns, state } = played;
    if (boards === true) say(game.drawing.text(state));
    first.push(returns[0]!);
    if (json === true) {
      say(JSON.stringify({ game: number, returns, facts, moves }));
      continue;
    }
    const told = Object.entries(facts).map(([fact, value]) => `, ${fact} ${value}`);
    say(`game ${number}: ${returns.join(", ")} in ${played.decisions} moves${told.join("")}`);
    if (boards !== true) say(game.drawing.text(state));
  }
  if (json === true || games === 1 || game.players > 1) return;
  const { value, interval } = meanEstimate(first);
  const [mean, low, high] = [value, ...interval].map((score) => score.toFixed(1));
  say(`${games} games: mean ${mean}, 95% interval [${low}, ${high}]`);
}

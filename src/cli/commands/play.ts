import { existsSync, statSync } from "node:fs";
import { basename, dirname, join, resolve } from "node:path";
import { Command, InvalidArgumentError } from "commander";
import { CHANCE, type Game } from "../../games/game.ts";
import {
  openGame,
  type GameConfig,
  games as gameDefinitions,
  openConfiguredGame,
  type OpenedGame,
} from "../../games/registry.ts";
import { newestCheckpoints, readManifest } from "../../operators/run/weights/checkpoint-files.ts";
import { agentAtSeat, playGame } from "../../protocols/play-game.ts";
import type { AgentSettings, SessionAgent } from "../../protocols/session-agent.ts";
import { meanEstimate } from "../../stats/intervals.ts";
import { agentOfFlag } from "../flags/agent-flag.ts";
import { mistakes } from "../agent-mistakes.ts";
import { UsageError } from "../../messages/usage-error.ts";
import { agentPath, experimentAgent } from "../../graph/agents/experiment-agent.ts";
import { MANIFEST } from "../../graph/folder/run-folder.ts";
import { meantExperiment } from "../../graph/shipped-experiments.ts";
import { openAgent, type ResolvedNet } from "../../graph/agents/open-agent.ts";
import { resolveNet } from "../../graph/agents/open-net.ts";
import { newestPlayer } from "../../graph/agents/newest-player.ts";
import { linearWeights } from "../../graph/agents/linear-weights.ts";
import { assertWritable, writeAtomically } from "../../formats/files/atomic-file.ts";
import { aloneRules } from "../../web/alone/games.ts";
import { MOST_PLIES } from "../../web/alone/player-data.ts";
import { alonePage } from "../../web/server/alone-page.ts";
import { PageNotBuilt } from "../../web/server/assets.ts";
import { GameLeft, Person } from "../person.ts";
import type { AllowCodeFlag } from "../permit-code.ts";
import { loadPluginsFor, type PluginFlag, pluginOptions } from "../flags/plugin-flags.ts";
import { wholeNumber } from "../whole-number.ts";

interface PlayFlags extends PluginFlag, AllowCodeFlag {
  readonly agent?: string;
  readonly human?: readonly number[];
  readonly games: number;
  readonly seed: number;
  readonly boards?: boolean;
  readonly json?: boolean;
  readonly page?: string;
}

/** `ludoflow play PLAYER`: an agent plays games by itself or against people; the games are printed. */
export function playCommand(): Command {
  const command = new Command("play").argument(
    "<player>",
    "the folder of a run, whose newest weights play; the folder of a checkpoint: runs/NAME/RUN/checkpoints/NET/LEARNED; or an agent of an experiment: FILE#AGENT, with the name of a shipped experiment in place of FILE",
  );
  return pluginOptions(command)
    .description("Let an agent play games by itself, or against you, and print the games.")
    .option(
      "--agent <agent>",
      "for a checkpoint or a run: a search and its options as under agents in an experiment file, or a file that holds them; its net is the checkpoint (default: { use: greedy }, of a run an agent of its matches)",
    )
    .option("--human <seats>", "the seats that you play, from 1: 1, or 2,3", seatNumbers)
    .option("--games <n>", "number of games", wholeNumber, 1)
    .option("--seed <n>", "all random draws follow from it", wholeNumber, 1)
    .option("--boards", "print every move with the board after it")
    .option("--json", "print one JSON line a game: its returns, facts, and moves as text, chance included")
    .option(
      "--page <file>",
      "for a checkpoint of a linear value function: write a page on which people play against it, in a browser alone",
    )
    .addHelpText(
      "after",
      `
Chance in game n draws from the stream (seed, "play", n, "chance"), whatever the agent.

Examples:
  $ ludoflow play runs/quickstart/20260101-120000-seed2048/checkpoints/value/0000005000
  $ ludoflow play runs/connect-four-zero/20260101-120000-seed19880801 --human 1
  $ ludoflow play CHECKPOINT --agent '{ use: mc-softmax, simulations: 100 }' --games 10
  $ ludoflow play CHECKPOINT --agent '{ use: expectimax, plies: 1 }' --boards
  $ ludoflow play CHECKPOINT --agent '{ use: expectimax, plies: 2 }' --page game.html
  $ ludoflow play tic-tac-toe-versions#uct --human 1`,
    )
    .action(async (path: string, flags: PlayFlags) => {
      if (flags.games === 0) throw new UsageError("--games 0: there is nothing to play");
      await loadPluginsFor(flags, {
        ...(isCheckpoint(path) ? { paths: [path] } : { agent: path }),
        ...(flags.agent === undefined ? {} : { agent: flags.agent }),
      });
      if (flags.page !== undefined) return writePage(path, flags.page, flags);
      try {
        await playGames(isCheckpoint(path) ? fromFolder(path, flags) : fromExperiment(path, flags), flags);
      } catch (error) {
        if (!(error instanceof GameLeft)) throw error;
        process.stdout.write(`\n${error.message}\n`);
      }
    });
}

function isCheckpoint(path: string): boolean {
  return !path.includes("#") && statSync(path, { throwIfNoEntry: false })?.isDirectory() === true;
}

/** Writes the page of a player that plays in a browser alone. Throws UsageError. */
function writePage(checkpoint: string, file: string, { agent = "{ use: greedy }" }: PlayFlags): void {
  if (!isCheckpoint(checkpoint))
    throw new UsageError("--page writes the player of a checkpoint; name its folder");
  const { plies = 0, use, ...rest } = agentOfFlag(agent);
  if (!["greedy", "expectimax"].includes(String(use)) || Object.keys(rest).length > 0 || !isPlies(plies))
    throw new UsageError(
      `--agent of --page is { use: greedy } or { use: expectimax, plies: N } with at most ${MOST_PLIES} plies`,
    );
  const { game, weights } = mistakes(() => linearWeights(checkpoint));
  if (!aloneRules.includes(game.rules))
    throw new UsageError(
      `--page: a page alone plays ${aloneRules.join(", ")}, and this player plays ${game.rules}`,
    );
  assertWritable(dirname(resolve(file)));
  const name = basename(dirname(resolve(checkpoint)));
  try {
    writeAtomically(file, alonePage({ name, game, weights, plies }));
  } catch (error) {
    if (error instanceof PageNotBuilt) throw new UsageError(error.message);
    throw error;
  }
  process.stdout.write(`${file}: open it in a browser\n`);
}

function isPlies(plies: unknown): plies is number {
  return Number.isInteger(plies) && Number(plies) >= 0 && Number(plies) <= MOST_PLIES;
}

/** Numbers of seats as people count them, as seats from 0. */
function seatNumbers(text: string): number[] {
  const seats = text.split(",").map((each) => (/^[1-9]\d?$/.test(each.trim()) ? Number(each) - 1 : -1));
  if (seats.includes(-1)) throw new InvalidArgumentError("expected numbers of seats, from 1: 1, or 2,3");
  return seats;
}

/** A game, and what opens its player for a seat. */
interface Opened {
  readonly game: Game<unknown>;
  readonly open: () => SessionAgent;
}

/** The player of a checkpoint, or of a run with its newest weights. */
function fromFolder(folder: string, flags: PlayFlags): Opened {
  if (!existsSync(join(folder, MANIFEST))) return fromCheckpoint(folder, flags);
  const newest = newestCheckpoints(folder);
  if (newest.length === 0)
    throw new UsageError(
      `${folder} is the folder of a run without checkpoints; name a checkpoint, or an agent of its experiment: ${join(folder, "experiment.yaml")}#AGENT`,
    );
  if (flags.agent !== undefined && newest.length > 1)
    throw new UsageError(`the run in ${folder} learns several nets; name a checkpoint: ${newest.join(", ")}`);
  const [checkpoint] = newest;
  if (flags.agent !== undefined) return fromCheckpoint(checkpoint!, flags);
  const player = mistakes(() => newestPlayer(folder, newest));
  if (player === undefined) return fromCheckpoint(checkpoint!, flags);
  process.stderr.write(`the agent "${player.name}" plays, with ${player.checkpoints.join(", ")}\n`);
  const { rules, ...options } = player.game;
  return opened(openConfiguredGame(rules, options), player.agent);
}

function fromCheckpoint(checkpoint: string, { agent: given = "{ use: greedy }" }: PlayFlags): Opened {
  const config = readManifest(checkpoint).game as GameConfig;
  const { rules, ...options } = config;
  if (!gameDefinitions.some(({ name }) => name === rules))
    throw new UsageError(
      `${checkpoint} is of the game "${rules}", which ludoflow does not have; name the plug-in that defines it with --plugin`,
    );
  const game: Game<unknown> = openGame(rules, options);
  const { net, ...agent } = agentOfFlag(given);
  if (net !== undefined) throw new UsageError("--agent names no net: the checkpoint is its net");
  return opened({ game, config }, { ...agent, net: checkpoint });
}

function fromExperiment(path: string, { agent: given }: PlayFlags): Opened {
  if (given !== undefined)
    throw new UsageError("--agent is for checkpoints: an experiment's agent is named by FILE#AGENT");
  const named = agentPath(path);
  if (!existsSync(named.file))
    throw new UsageError(
      `there is no checkpoint and no experiment "${named.file}"; name the folder of a checkpoint, or an agent of an experiment: FILE#AGENT${meantExperiment(named.file)}`,
    );
  return mistakes(() => {
    const { game, agent } = experimentAgent(named);
    const { rules, ...options } = game;
    return opened(openConfiguredGame(rules, options), agent);
  });
}

/** The players of all seats share their nets. */
function opened({ game, config }: OpenedGame, agent: AgentSettings): Opened {
  const nets = new Map<unknown, ResolvedNet>();
  const resolve = (given: unknown) => {
    const known = nets.get(given) ?? resolveNet(given, game, config);
    nets.set(given, known);
    return known;
  };
  return { game, open: () => mistakes(() => openAgent(agent, game, resolve)) };
}

async function playGames(
  { game, open }: Opened,
  { boards, games, human = [], json, seed }: PlayFlags,
): Promise<void> {
  const person = human.length === 0 ? undefined : personAt(game, human, json);
  if (person !== undefined && boards === true && game.information !== undefined)
    throw new UsageError(`--boards shows what ${game.name} hides from you; leave it out`);
  const seats = Array.from({ length: game.players }, (_, seat) => {
    const agent = open();
    return person !== undefined && human.includes(seat) ? person.at(agent, seat) : agentAtSeat(agent);
  });
  const say = (line: string) => void process.stdout.write(`${line}\n`);
  const first: number[] = [];
  for (let number = 0; number < games; number++) {
    const played = await playGame(game, seats, [seed, "play", number], ({ mover, move, state }) => {
      if (person !== undefined && game.information === undefined && !human.includes(mover))
        person.show(mover, move);
      // A board is shown when a player moves next, after the plies of chance.
      if (boards === true) say(mover === CHANCE ? `${game.drawing.text(state)}\n` : move);
    });
    const { facts, moves, returns, state } = played;
    if (boards === true) say(game.drawing.text(state));
    first.push(returns[0]!);
    if (json === true) {
      say(JSON.stringify({ game: number, returns, facts, moves }));
      continue;
    }
    const shown = Object.entries(facts).map(([fact, value]) => `, ${fact} ${value}`);
    say(`game ${number}: ${returns.join(", ")} in ${played.decisions} moves${shown.join("")}`);
    if (boards !== true) say(game.drawing.text(state));
  }
  person?.close();
  if (json === true || games === 1 || game.players > 1) return;
  const { value, interval } = meanEstimate(first);
  const [mean, low, high] = [value, ...interval].map((score) => score.toFixed(1));
  say(`${games} games: mean ${mean}, 95% interval [${low}, ${high}]`);
}

/** A person at the terminal for some seats. Throws UsageError if a terminal cannot be a seat of the game. */
function personAt(game: Game<unknown>, human: readonly number[], json = false): Person {
  const none = human.find((seat) => seat >= game.players);
  if (none !== undefined)
    throw new UsageError(
      `--human ${none + 1}: ${game.name} has ${game.players} ${game.players === 1 ? "seat" : "seats"}`,
    );
  if (game.information !== undefined && game.drawing.seatText === undefined)
    throw new UsageError(
      `--human: ${game.name} hides information, and its drawing has no seatText, which shows what one seat sees (docs/add-a-game.md#3-abilities)`,
    );
  if (game.information !== undefined && human.length > 1)
    throw new UsageError(
      `--human ${human.map((seat) => seat + 1).join(",")}: ${game.name} hides information, so one seat plays at a terminal`,
    );
  if (json)
    throw new UsageError("--human and --json exclude each other: the board and the questions are text");
  return new Person(game, process.stdin, process.stdout);
}

import { dirname, resolve } from "node:path";
import { Command, InvalidArgumentError } from "commander";
import { assertWritable, writeAtomically } from "../../formats/files/atomic-file.ts";
import { analyseGame, largestMistakes } from "../../graph/analysis/analyse-game.ts";
import type { Analyst } from "../../graph/analysis/analyse-ply.ts";
import { type AgentSettings, forAnalysis } from "../../protocols/session-agent.ts";
import type { AnalysedGame } from "../../report/games/analysed-games.ts";
import { areShares } from "../../report/games/value-shares.ts";
import { gamePage } from "../../report/games/game-page.ts";
import { shownPlies } from "../../report/games/game-plies.ts";
import { markup } from "../../figures/markup.ts";
import { agentOfFlag } from "../flags/agent-flag.ts";
import { mistakes } from "../agent-mistakes.ts";
import { analysisJson, analysisTable, type WrittenPly } from "../analysis-output.ts";
import { UsageError } from "../../messages/usage-error.ts";
import { type GameOfFile, readGameFile } from "../game-file.ts";
import { openAgent } from "../../graph/agents/open-agent.ts";
import { resolveNet } from "../../graph/agents/open-net.ts";
import type { AllowCodeFlag } from "../permit-code.ts";
import { loadPluginsFor, type PluginFlag, pluginOptions } from "../flags/plugin-flags.ts";
import { wholeNumber, wholeNumberFrom } from "../whole-number.ts";

interface AnalyseFlags extends PluginFlag, AllowCodeFlag {
  readonly agent: string;
  readonly game: number;
  readonly stage?: string;
  readonly plies?: PlyRange;
  readonly moves: number;
  readonly mistakes: number;
  readonly seed: number;
  readonly json?: boolean;
  readonly page?: string;
}

/** Counted from 1. */
interface PlyRange {
  readonly first: number;
  readonly last: number;
}

/** Most plies of a page: each has a drawing of the board. */
const MOST_PLIES = 1000;

/** `ludoflow analyse FILE --agent AGENT`: an agent analyses a game that was played. */
export function analyseCommand(): Command {
  const command = new Command("analyse").argument(
    "<file>",
    "a file in SGF, the folder of a run, or a file of its game records (.games)",
  );
  return pluginOptions(command)
    .description(
      "Let an agent analyse a game: at every ply the value for the mover, the best moves, and what the played move loses (docs/analyse.md).",
    )
    .requiredOption(
      "--agent <agent>",
      "a search and its options as under agents in an experiment file, with a checkpoint as its net if it needs one; or a file that holds them",
    )
    .option("--game <n>", "the game's number in its stage or file, from 0", wholeNumber, 0)
    .option("--stage <name>", "of a run: the stage that played it (default: the first with recorded games)")
    .option("--plies <range>", "only these plies, counted from 1: 7, 10-20 or 30-", plyRange)
    .option("--moves <n>", "most moves listed for a ply", wholeNumberFrom(2, 1000), 4)
    .option("--mistakes <n>", "most mistakes listed at the end", wholeNumber, 5)
    .option("--seed <n>", "all draws of the agent follow from it", wholeNumber, 1)
    .option("--json", "print one JSON line for the game, one a ply, and one for the summary")
    .option("--page <file>", "also write a page to step through the game, as HTML")
    .addHelpText(
      "after",
      `
Examples:
  $ ludoflow analyse runs/duel/20260101-120000-seed1 --agent '{ use: uct, simulations: 5000 }'
  $ ludoflow analyse game.sgf --agent '{ use: uct, simulations: 5000 }' --page game.html
  $ ludoflow analyse RUN/games/match.games --game 3 --agent agent.yaml --plies 10-20 --json`,
    )
    .action(analyse);
}

async function analyse(path: string, flags: AnalyseFlags): Promise<void> {
  await loadPluginsFor(flags, { agent: flags.agent, paths: [path] });
  const settings = agentOfFlag(flags.agent);
  const file = readGameFile(path, flags.stage, flags.game);
  const { game, record, start } = file;
  if (record.actions.length === 0)
    throw new UsageError(
      `${path}: game ${record.game} has no moves, only a position, so there is nothing to analyse; loadsgf of ludoflow gtp takes up a position and finds moves there`,
    );
  const analyst = openAnalyst(settings, file, flags);
  const { first, last } = flags.plies ?? { first: 1, last: Infinity };
  if (first > record.actions.length && first > 1)
    throw new UsageError(`--plies ${first}: the game has ${record.actions.length} plies`);
  if (flags.page !== undefined) assertWritable(dirname(resolve(flags.page)));

  const say = (line: string) => void process.stdout.write(`${line}\n`);
  const out =
    flags.json === true
      ? analysisJson(file, { agent: settings, seed: flags.seed }, say)
      : analysisTable(file, analyst.agent.valued.returnBounds, say);
  for (const note of file.notes) process.stderr.write(`${path}: ${note}\n`);
  out.begin();
  const plies: WrittenPly[] = [];
  const range = { first: first - 1, last: last - 1 };
  for (const { analysis, state } of analyseGame(game, analyst, { start, actions: record.actions }, range)) {
    const text = (action: number) => game.notation.format(state, action);
    const ply = {
      analysis,
      played: text(analysis.action),
      moves: analysis.moves.map(({ action }) => text(action)),
    };
    plies.push(ply);
    out.ply(ply);
  }
  const largest = new Set(
    largestMistakes(
      plies.map(({ analysis }) => analysis),
      flags.mistakes,
    ),
  );
  const byLoss = [...largest].map((each) => plies.find(({ analysis }) => analysis === each)!);
  out.end(plies, byLoss);
  if (flags.page !== undefined)
    writeAtomically(
      flags.page,
      pageOf(file, { by: String(settings["use"]), bounds: analyst.agent.valueBounds }, plies, byLoss),
    );
}

/** Opens the agent. Throws UsageError if it cannot be used, or has no values of moves. */
function openAnalyst(
  settings: AgentSettings,
  { config, game }: GameOfFile,
  { moves, seed }: AnalyseFlags,
): Analyst {
  const agent = mistakes(() =>
    openAgent(forAnalysis(settings), game, (net) => resolveNet(net, game, config)),
  );
  if (agent.best === "any")
    throw new UsageError(
      `--agent: ${String(settings["use"])} gives no values; name a search that does, such as uct`,
    );
  return { agent, moves, seed };
}

function pageOf(
  { from, game, record, result, stage, start }: GameOfFile,
  { bounds, by }: { readonly by: string; readonly bounds: readonly [number, number] | undefined },
  plies: readonly WrittenPly[],
  largest: readonly WrittenPly[],
): string {
  const played: AnalysedGame = {
    stage,
    game,
    record,
    start,
    learned: undefined,
    shares: record.seats.map(() => areShares(game, bounds)),
    analysis: { game: record.game, tops: [], decisions: plies.map(({ analysis }) => analysis) },
    review: {
      by,
      losses: new Map(
        plies.flatMap(({ analysis: { loss, ply } }) => (loss === undefined ? [] : [[ply, loss]])),
      ),
      uncertain: new Set(plies.flatMap(({ analysis: { ply, uncertain } }) => (uncertain ? [ply] : []))),
      mistakes: largest.map(({ analysis }) => analysis.ply),
      ...(result === undefined ? {} : { result }),
    },
  };
  const frame = {
    title: stage === from ? `game ${record.game}` : `${stage}, game ${record.game}`,
    from,
    footer: markup`Made by ludoflow from the record of the game and an analysis by ${by}.`,
  };
  return gamePage(frame, played, shownPlies(played, MOST_PLIES));
}

/** Reads the value of `--plies`. */
function plyRange(text: string): PlyRange {
  const parts = /^(\d+)(-(\d*))?$/.exec(text);
  const first = Number(parts?.[1]);
  const last = parts?.[2] === undefined ? first : parts[3] === "" ? Infinity : Number(parts[3]);
  if (parts === null || first < 1 || last < first)
    throw new InvalidArgumentError("expected plies counted from 1, such as 7, 10-20 or 30-");
  return { first, last };
}

import type { AgentSettings } from "../protocols/session-agent.ts";
import { type GameCourse, seatAnalyses } from "../graph/analysis/analyse-game.ts";
import { type PlyAnalysis, SIMULATIONS_A_MOVE } from "../graph/analysis/analyse-ply.ts";
import { counted } from "../messages/counted.ts";
import type { Game } from "../games/game.ts";
import { seatName } from "../games/seat-name.ts";
import type { GameOfFile } from "./game-file.ts";
import { padEndTo, columnsOf } from "./text-columns.ts";

/** The analysis of a decision with its moves as text. */
export interface WrittenPly {
  readonly analysis: PlyAnalysis;
  readonly played: string;
  /** The moves of the analysis, in its order. */
  readonly moves: readonly string[];
}

/** Prints an analysis while it is made. */
export interface AnalysisOutput {
  readonly begin: () => void;
  readonly ply: (ply: WrittenPly) => void;
  /** `mistakes` are the largest ones, the largest first. */
  readonly end: (plies: readonly WrittenPly[], mistakes: readonly WrittenPly[]) => void;
}

/** The mark before numbers that rest on few simulations. */
const UNSURE = "~";
/** The value of a move that fewer simulations took is marked. */
const FEW_SIMULATIONS = 10;

type Say = (line: string) => void;

/**
 * A table with a line for each ply, of values between `least` and `most`; then a line for each seat and one for each of the largest mistakes. Columns are as
 * wide as the game needs, so that a line can be printed as soon as its ply is analysed.
 */
export function analysisTable(
  { game, record, start }: GameOfFile,
  [least, most]: readonly [least: number, most: number],
  say: Say,
): AnalysisOutput {
  // Values between 0 and 1 need three digits, points one.
  const decimals = most - least <= 2 ? 3 : 1;
  // No "-0.000".
  const number = (value: number) =>
    Number.isNaN(value) ? "?" : (Math.abs(value) < 0.5 * 10 ** -decimals ? 0 : value).toFixed(decimals);
  const names = record.seats.map((player, seat) => seatName(game, seat, player));
  // The head of the column says "seat" already.
  const cells = names.map((name) => name.replace(/^seat /, ""));
  const lengths = moveLengths(game, { start, actions: record.actions });
  const seatWidth = Math.max(4, ...cells.map(columnsOf));
  const moveWidth = lengths.reduce((widest, length) => Math.max(widest, length), 6);
  const row = (ply: string, seat: string, played: string, value: string, loss: string, best: string) => {
    const left = [ply.padStart(4), padEndTo(seat, seatWidth), padEndTo(played, moveWidth)];
    say([...left, value.padStart(7), loss.padStart(7), best].join("  ").trimEnd());
  };
  const lossOf = ({ loss, uncertain }: PlyAnalysis) => `${uncertain ? UNSURE : ""}${number(loss!)}`;
  return {
    begin: () => row("ply", "seat", "played", "value", "loss", "best moves: share of visits, value"),
    ply({ analysis, moves, played }) {
      const { action, loss, moves: top, ply, seat, values, visits } = analysis;
      const best = top.map((move, i) => {
        if (visits === 0) return `${moves[i]} ${number(move.value)}`;
        const share = `${moves[i]} ${((100 * move.visits) / visits).toFixed(0)}%`;
        const few = move.visits < FEW_SIMULATIONS ? UNSURE : "";
        return move.visits === 0 ? share : `${share} ${few}${number(move.value)}`;
      });
      const lost = loss === undefined ? "?" : action === top[0]!.action ? "" : lossOf(analysis);
      row(String(ply + 1), cells[seat]!, played, number(values[seat]!), lost, best.join(", "));
    },
    end(plies, mistakes) {
      if (plies.length === 0) return say("\nNo player decides anything in these plies.");
      say("");
      for (const { seat, decisions, best, meanLoss } of seatAnalyses(plies.map(({ analysis }) => analysis)))
        say(
          `${names[seat]}: no loss in ${best} of ${counted(decisions, "decision")}${Number.isNaN(meanLoss) ? "" : `, mean loss ${number(meanLoss)}`}`,
        );
      if (mistakes.length > 0) say("\nLargest mistakes:");
      for (const { analysis, moves, played } of mistakes)
        say(
          `ply ${analysis.ply + 1}, ${names[analysis.seat]}: ${played} loses ${lossOf(analysis)}, ${moves[0]} is best`,
        );
      const unsure = plies.filter(({ analysis }) => analysis.uncertain).length;
      if (unsure > 0)
        say(
          `\n${UNSURE}: found by few simulations, so it may be chance. In ${unsure} of ${counted(plies.length, "decision")} the search had fewer than ${SIMULATIONS_A_MOVE} simulations for each legal move: give the agent more.`,
        );
    },
  };
}

/** The lengths of the moves of a game as text. */
function moveLengths(game: Game<unknown>, { start, actions }: GameCourse): number[] {
  const state = game.initial();
  game.copy(start, state);
  return Array.from(actions, (action) => {
    const width = columnsOf(game.notation.format(state, action));
    game.play(state, action);
    return width;
  });
}

/** A line of JSON for the game, one for each ply, and one for the summary; `docs/analyse.md` has their keys. */
export function analysisJson(
  { config, from, record, stage }: GameOfFile,
  { agent, seed }: { readonly agent: AgentSettings; readonly seed: number },
  say: Say,
): AnalysisOutput {
  const line = (content: object) => say(JSON.stringify(content));
  return {
    begin: () =>
      line({
        type: "game",
        from,
        stage,
        game: record.game,
        rules: config,
        seats: record.seats,
        plies: record.actions.length,
        returns: record.returns,
        agent,
        seed,
      }),
    ply: ({
      analysis: { legal, loss, moves: top, opinion, ply, seat, uncertain, values, visits },
      moves,
      played,
    }) =>
      line({
        type: "ply",
        ply: ply + 1,
        seat: seat + 1,
        played,
        best: moves[0],
        value: values[seat],
        values,
        loss: loss ?? null,
        uncertain,
        legal,
        visits,
        net: opinion === undefined ? null : { values: opinion.values, rank: opinion.rank },
        moves: top.map((move, i) => ({
          move: moves[i],
          visits: move.visits,
          share: visits > 0 ? move.visits / visits : null,
          prior: move.prior,
          value: visits > 0 && move.visits === 0 ? null : move.value,
        })),
      }),
    end: (plies, mistakes) =>
      line({
        type: "summary",
        seats: seatAnalyses(plies.map(({ analysis }) => analysis)).map(({ seat, meanLoss, ...counts }) => ({
          seat: seat + 1,
          ...counts,
          meanLoss: Number.isNaN(meanLoss) ? null : meanLoss,
        })),
        mistakes: mistakes.map(({ analysis, moves, played }) => ({
          ply: analysis.ply + 1,
          seat: analysis.seat + 1,
          played,
          best: moves[0],
          loss: analysis.loss,
        })),
      }),
  };
}

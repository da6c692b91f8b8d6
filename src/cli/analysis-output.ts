import type { AgentSettings } from "../protocols/session-agent.ts";
import { type GameCourse, seatAnalyses } from "../graph/analysis/analyse-game.ts";
import type { PlyAnalysis } from "../graph/analysis/analyse-ply.ts";
import { counted } from "../messages/counted.ts";
import type { Game } from "../games/game.ts";
import type { GameOfFile } from "./game-file.ts";

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
  // Three digits tell apart what matters between 0 and 1, one what matters among points.
  const decimals = most - least <= 2 ? 3 : 1;
  // No "-0.000".
  const number = (value: number) =>
    Number.isNaN(value) ? "?" : (Math.abs(value) < 0.5 * 10 ** -decimals ? 0 : value).toFixed(decimals);
  const seats = record.seats.map((name, seat) => (name === "" ? String(seat + 1) : `${seat + 1} (${name})`));
  const lengths = moveLengths(game, { start, actions: record.actions });
  const seatWidth = Math.max(4, ...seats.map(({ length }) => length));
  const moveWidth = lengths.reduce((widest, length) => Math.max(widest, length), 6);
  const row = (ply: string, seat: string, played: string, value: string, loss: string, best: string) => {
    const cells = [ply.padStart(4), seat.padEnd(seatWidth), played.padEnd(moveWidth), value.padStart(7)];
    say([...cells, loss.padStart(7), best].join("  ").trimEnd());
  };
  return {
    begin: () => row("ply", "seat", "played", "value", "loss", "best moves: share of visits, value"),
    ply({ analysis: { action, loss, moves: top, ply, seat, values, visits }, moves, played }) {
      const best = top.map((move, i) => {
        const share = visits > 0 ? ` ${((100 * move.visits) / visits).toFixed(0)}%` : "";
        return `${moves[i]}${share}${visits > 0 && move.visits === 0 ? "" : ` ${number(move.value)}`}`;
      });
      const lost = loss === undefined ? "?" : action === top[0]!.action ? "" : number(loss);
      row(String(ply + 1), seats[seat]!, played, number(values[seat]!), lost, best.join(", "));
    },
    end(plies, mistakes) {
      if (plies.length === 0) return say("\nNo player decides anything in these plies.");
      say("");
      for (const { seat, decisions, best, meanLoss } of seatAnalyses(plies.map(({ analysis }) => analysis)))
        say(
          `seat ${seats[seat]}: no loss in ${best} of ${counted(decisions, "decision")}${Number.isNaN(meanLoss) ? "" : `, mean loss ${number(meanLoss)}`}`,
        );
      if (mistakes.length > 0) say("\nLargest mistakes:");
      for (const { analysis, moves, played } of mistakes)
        say(
          `ply ${analysis.ply + 1}, seat ${seats[analysis.seat]}: ${played} loses ${number(analysis.loss!)}, ${moves[0]} is best`,
        );
    },
  };
}

/** The lengths of the moves of a game as text. */
function moveLengths(game: Game<unknown>, { start, actions }: GameCourse): number[] {
  const state = game.initial();
  game.copy(start, state);
  return Array.from(actions, (action) => {
    const { length } = game.notation.format(state, action);
    game.play(state, action);
    return length;
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
    ply: ({ analysis: { legal, loss, moves: top, ply, seat, values, visits }, moves, played }) =>
      line({
        type: "ply",
        ply: ply + 1,
        seat: seat + 1,
        played,
        best: moves[0],
        value: values[seat],
        values,
        loss: loss ?? null,
        legal,
        visits,
        moves: top.map((move, i) => ({
          move: moves[i],
          visits: move.visits,
          share: visits > 0 ? move.visits / visits : null,
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

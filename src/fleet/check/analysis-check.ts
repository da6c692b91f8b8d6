import { decodeGameAnalysis, type AnalysedDecision } from "../../formats/game-analyses.ts";
import type { GameTask } from "../../operators/play/game-task.ts";
import { PacketInvalid } from "../wire/packet.ts";
import type { PlayedDecision } from "./played-record.ts";

/**
 * Checks the analysis of a game while its record is played: it is of the game's decisions, and of moves that were legal there.
 * `analysis` is undefined if there is none. All functions throw PacketInvalid or FileCorrupt.
 */
export class AnalysisCheck {
  readonly #decisions: readonly AnalysedDecision[];
  readonly #most: number;
  readonly #tops: number;
  #next = 0;

  constructor({ analyse, index }: GameTask, analysis: Uint8Array | undefined) {
    if ((analysis === undefined) !== (analyse === undefined))
      throw new PacketInvalid("its analysis is missing, or was not asked for");
    this.#most = analyse?.moves ?? 0;
    this.#tops = analyse?.tops.length ?? 0;
    const read =
      analysis === undefined
        ? { game: index, tops: [], decisions: [] }
        : decodeGameAnalysis(analysis, "a message");
    if (read.game !== index || read.tops.join(" ") !== (analyse?.tops ?? []).join(" "))
      throw new PacketInvalid("its analysis is of another game, or of another kind");
    this.#decisions = read.decisions;
  }

  /** A player has decided. */
  decided(played: PlayedDecision): void {
    if (this.#most === 0) return;
    const decision = this.#decisions[this.#next++];
    if (decision === undefined || !this.#fits(decision, played))
      throw new PacketInvalid(`its analysis is not that of its decisions, at ply ${played.ply}`);
  }

  /** The game is over. */
  ended(): void {
    if (this.#next !== this.#decisions.length)
      throw new PacketInvalid("its analysis is not that of its decisions");
  }

  #fits(
    { action, legal: count, moves, opinion, ply, seat, values }: AnalysedDecision,
    played: PlayedDecision,
  ): boolean {
    return (
      ply === played.ply &&
      seat === played.seat &&
      action === played.action &&
      count === played.legal.length &&
      values.length === played.values.length &&
      values.every((value, each) => Object.is(value, Math.fround(played.values[each]!))) &&
      moves.length <= Math.max(1, this.#most) &&
      moves.some((move) => move.action === action) &&
      moves.every((move) => played.legal.includes(move.action)) &&
      (opinion === undefined ||
        (opinion.values.length === values.length &&
          opinion.shares.length === this.#tops &&
          opinion.rank >= 1 &&
          opinion.rank <= count &&
          [opinion.entropy, ...opinion.values, ...opinion.shares].every((number) => Number.isFinite(number))))
    );
  }
}

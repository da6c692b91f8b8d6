import { existsSync, mkdirSync, rmSync } from "node:fs";
import { dirname } from "node:path";
import { syncFolder, writeOwn } from "../../../formats/files/atomic-file.ts";
import { writing } from "../../../formats/files/file-not-written.ts";
import { readSealed, sealedJson } from "../../../formats/sealed-json.ts";
import type { WeightsVersion } from "../items.ts";
import { roundsUnderWayPath } from "../run-files.ts";

/** A round of measuring: which stage plays it, and with which version of the weights of the net that the stage follows. */
export interface MeasuringRound extends Pick<WeightsVersion, "learned" | "unit" | "version"> {
  readonly stage: string;
  /** Counts from 0. */
  readonly number: number;
}

/**
 * The rounds of measuring that have begun and are not over, by the net whose versions they measure.
 *
 * Learning continues while a round is played, so a checkpoint can be saved that is later than the version of the round. A
 * run that is resumed from this checkpoint does not make the version again. Therefore the rounds that a checkpoint leaves
 * behind are noted in a file of the net, `measurements/NET.rounds.json`, before the checkpoint is written.
 */
export class RoundsUnderWay {
  readonly #folder: string;
  readonly #rounds = new Map<string, Set<MeasuringRound>>();
  /** By net: the text of its file. */
  readonly #written = new Map<string, string>();

  /** The rounds of the run in a folder. No other process may write there. */
  constructor(folder: string) {
    this.#folder = folder;
  }

  /** Adds a round that begins. */
  add(net: string, round: MeasuringRound): void {
    this.#of(net).add(round);
  }

  /** Removes a round that is over: its games and its events are recorded. */
  remove(net: string, round: MeasuringRound): void {
    this.#of(net).delete(round);
  }

  /** The oldest version of a net with which a round that is not over is played; Infinity if there is none. */
  oldest(net: string): number {
    return Math.min(Infinity, ...[...this.#of(net)].map(({ version }) => version));
  }

  /** Whether a round that is not over is played with a version of a net. */
  need(net: string, version: number): boolean {
    return [...this.#of(net)].some((round) => round.version === version);
  }

  /** The rounds that a run which continues from version `from` would not play again. */
  behind(net: string, from: number): readonly MeasuringRound[] {
    return [...this.#of(net)].filter(({ version }) => version < from);
  }

  /**
   * Notes the rounds that a run which continues from version `from` would not play again. To be called when all that was
   * recorded is synced. Throws FileNotWritten.
   */
  save(net: string, from: number): void {
    const rounds = this.behind(net, from);
    const path = roundsUnderWayPath(this.#folder, net);
    const text = rounds.length === 0 ? "" : sealedJson({ rounds });
    if (text === (this.#written.get(net) ?? (existsSync(path) ? undefined : ""))) return;
    writing(path, () => mkdirSync(dirname(path), { recursive: true }));
    if (text !== "") writeOwn(path, text);
    else
      writing(path, () => {
        rmSync(path);
        syncFolder(dirname(path));
      });
    this.#written.set(net, text);
  }

  /** The rounds in the file of a net that an earlier part of the run has left. Throws FileCorrupt. */
  #left(net: string): readonly MeasuringRound[] {
    const path = roundsUnderWayPath(this.#folder, net);
    return existsSync(path) ? (readSealed(path)["rounds"] as readonly MeasuringRound[]) : [];
  }

  /** The rounds of a net that are not over; at first those that an earlier part of the run has left. */
  #of(net: string): Set<MeasuringRound> {
    let rounds = this.#rounds.get(net);
    if (rounds === undefined) this.#rounds.set(net, (rounds = new Set(this.#left(net))));
    return rounds;
  }
}

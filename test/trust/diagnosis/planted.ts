/**
 * The planted failures of `planted/`: experiments with one fault each, and the diagnosis that names it.
 *
 * Twenty were written before the diagnoses. Ten repeat what users of other programs have reported; `source` is the number of the
 * report. The others are mistakes of our own, and those of people who had not read the detectors, which these had missed.
 */
export interface PlantedFailure {
  /** The file, without its ending. */
  readonly file: string;
  /** The name of the diagnosis. */
  readonly expected: string;
  readonly source: string;
  /** Whether the diagnoses of now do not find it. */
  readonly missed?: true;
}

/** All planted failures. */
export const PLANTED: readonly PlantedFailure[] = [
  { file: "arena-of-two-games", expected: "repeated-games", source: "alpha-zero-general#337" },
  { file: "no-noise", expected: "repeated-games", source: "alpha-zero-general#175" },
  { file: "values-out-of-range", expected: "values-of-noise", source: "alpha-zero-general#199" },
  { file: "always-draws", expected: "always-draws", source: "leela-chess#12" },
  { file: "values-of-the-opponent", expected: "values-of-noise", source: "alphagozero#4" },
  { file: "zero-planes", expected: "blind-net", source: "muzero-general#119" },
  { file: "value-loss-left-out", expected: "values-of-noise", source: "alpha-zero-gomoku#12" },
  { file: "diverging", expected: "diverging-rate", source: "muzero-general#118" },
  { file: "other-net", expected: "frozen-net", source: "alpha-zero-general#96" },
  { file: "tiny-rate", expected: "frozen-net", source: "AlphaZero.jl#120" },
  { file: "read-too-often", expected: "over-reading", source: "alpha-zero-general#252" },
  { file: "two-simulations", expected: "one-move-search", source: "muzero-general#134" },
  { file: "one-game", expected: "repeated-games", source: "ours" },
  { file: "one-colour", expected: "blind-net", source: "ours" },
  { file: "read-hardly", expected: "starved-trainer", source: "ours" },
  { file: "old-games", expected: "stale-buffer", source: "ours" },
  { file: "targets-say-nothing", expected: "empty-targets", source: "ours" },
  { file: "noisy-teacher", expected: "noisy-teacher", source: "ours" },
  { file: "only-forced", expected: "forced-moves", source: "ours" },
  { file: "first-seat-wins", expected: "one-sided-results", source: "ours" },
  { file: "rate-in-generations", expected: "frozen-net", source: "outsiders" },
  { file: "planes-divided", expected: "frozen-net", source: "outsiders" },
  { file: "pooled-heads", expected: "frozen-net", source: "outsiders" },
  { file: "mostly-draws", expected: "always-draws", source: "outsiders" },
];

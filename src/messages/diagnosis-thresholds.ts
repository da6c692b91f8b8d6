/**
 * The thresholds of diagnoses whose quantity both `ludoflow check` and a run judge: before the run in a trial or a forecast, and
 * during the run by its events. `check` is stricter where its trial has no other explanation, or where a change costs nothing yet.
 */
export const diagnosisThresholds = {
  /**
   * `empty-targets`: total variation distance of policy targets and priors. Blokus Duo, which learned nothing, had 0.007; games that
   * learned had 0.03 and more.
   */
  targetDistance: 0.02,
  /**
   * `noisy-teacher`: entropy of the visits as a share of that of equal visits of the moves tried. A teacher that learned nothing had 5.98
   * of 5.99 nats; sharp ones are below 0.8.
   */
  visitEntropy: 0.97,
  /** `one-move-search`: the share of the visits that one move has. The search then reads out what the net says. */
  topVisits: 0.7,
  /** `one-move-search`: the share of the legal moves that a search tries. Trials have equal priors; a trained net may exclude most moves. */
  triedMoves: { check: 0.25, run: 0.05 },
  /**
   * `over-reading`: reads of an example before it leaves the buffer. AlphaZero drew each position 0.8 times (700,000 steps of 4,096
   * positions, 44 million games of chess), KataGo's trainer waits for new games after 4 reads, experiments of ludoflow have 1 to 6. Several times as
   * often is rather a mistake in the number of steps; ten times as often, a net memorises the games.
   */
  reads: { check: 20, run: 40 },
} as const;

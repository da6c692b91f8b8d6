import { CHANCE } from "../../games/game.ts";
import { chiSquareTail } from "../../stats/chi-square.ts";
import type { Law } from "./trial.ts";

/** Positions in which outcomes are counted, and how many are drawn in each. */
const POSITIONS = 8;
const DRAWS = 4000;
/** A statistic that is less probable than this is not due to chance. */
const IMPROBABLE = 1e-6;

/** The outcomes with their probabilities are the legal actions; one is drawn from among them. */
export const outcomes: Law = (trial, state, actions) => {
  const { chance } = trial.game;
  if (trial.game.toMove(state) !== CHANCE) return;
  const room = actions.length + 64;
  const listed = new Int32Array(room);
  const probabilities = new Float64Array(room);
  const count = chance!.outcomes(state, listed, probabilities);
  if (listed.subarray(0, count).join() !== actions.join())
    trial.broken("outcomes", "chance.outcomes lists other outcomes than legal");
  const sum = probabilities.subarray(0, count).reduce((total, each) => total + each, 0);
  if (!(Math.abs(sum - 1) < 1e-9))
    trial.broken("odds", `the probabilities of chance.outcomes sum to ${sum}, not to 1`);
  const drawn = chance!.sample(state, trial.random);
  if (!actions.includes(drawn))
    trial.broken("sample", `chance.sample drew ${drawn}, which is not an outcome here`);
};

/** Outcomes are drawn as often as their probabilities say (Pearson's chi-square). */
export const frequencies: Law = (trial, state, actions) => {
  const { chance } = trial.game;
  if (trial.game.toMove(state) !== CHANCE || actions.length < 2 || trial.draws++ >= POSITIONS) return;
  const probabilities = new Float64Array(actions.length);
  chance!.outcomes(state, new Int32Array(actions.length), probabilities);
  const drawn = new Map<number, number>();
  for (let i = 0; i < DRAWS; i++) {
    const outcome = chance!.sample(state, trial.random);
    drawn.set(outcome, (drawn.get(outcome) ?? 0) + 1);
  }
  // Outcomes that are expected less than five times count together: the statistic would not have the distribution.
  const rare = { expected: 0, observed: 0 };
  const classes = [rare];
  for (const [i, action] of actions.entries()) {
    const expected = DRAWS * probabilities[i]!;
    const observed = drawn.get(action) ?? 0;
    if (expected >= 5) classes.push({ expected, observed });
    else {
      rare.expected += expected;
      rare.observed += observed;
    }
  }
  const counted = classes.filter(({ expected, observed }) => expected > 0 || observed > 0);
  const statistic = counted.reduce(
    (sum, { expected, observed }) => sum + (observed - expected) ** 2 / expected,
    0,
  );
  const degrees = counted.length - 1;
  if (degrees > 0 && chiSquareTail(statistic, degrees) < IMPROBABLE)
    trial.broken(
      "frequencies",
      `chance.sample does not draw outcomes as often as chance.outcomes says: of ${DRAWS} draws ${actions
        .slice(0, 6)
        .map((action, i) => `${drawn.get(action) ?? 0} were ${action} (probability ${probabilities[i]})`)
        .join(", ")}${actions.length > 6 ? ", ..." : ""}`,
    );
};

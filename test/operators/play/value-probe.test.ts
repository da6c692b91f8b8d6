import { expect, it } from "vitest";
import type { Evaluator } from "../../../src/games/evaluation.ts";
import { playedFor } from "../../../src/games/outcome.ts";
import { createGame } from "../../../src/games/registry.ts";
import { valueProbe } from "../../../src/operators/play/value-probe.ts";
import { Random } from "../../../src/random.ts";
import { driveEpisode } from "../../../src/search/drive.ts";
import { episode } from "../../../src/search/episode.ts";
import { openSearch } from "../../../src/search/registry.ts";
import { HashEvaluator } from "../../search/depth-first/hash-game.ts";

const game = playedFor(createGame("connect-four", { columns: 5, rows: 4 }), "win-loss");
const evaluator = new HashEvaluator(game) as Evaluator<unknown>;
const search = openSearch("puct-max-n", game, { simulations: 12 });
const played = (number: number) => {
  const seat = { search, random: Random.named("seat", number), evaluator: 0 };
  const options = { keep: { visits: true } } as const;
  return driveEpisode(episode(game, [seat, seat], Random.named("chance"), options), [evaluator]);
};

/** Values by seat and priors beside the legal moves of a position. */
function evaluated(state: unknown) {
  const request = {
    states: [state],
    count: 1,
    values: new Float64Array(game.players),
    priors: new Float32Array(game.maxLegal),
  };
  evaluator.evaluate(request);
  return { values: [...request.values], priors: [...request.priors] };
}

function after(actions: ArrayLike<number>, count = actions.length) {
  const state = game.initial();
  for (let ply = 0; ply < count; ply++) game.play(state, actions[ply]!);
  return state;
}

const scores = (state: unknown) => {
  const out = new Float64Array(game.players);
  game.returns(state, out);
  return [...out];
};
const legalOf = (state: unknown) => {
  const out = new Int32Array(game.maxLegal);
  return [...out.subarray(0, game.legal(state, out))];
};
const probe = (of: ReturnType<typeof played>, evaluations: number, random: Random, value = 0) =>
  driveEpisode(valueProbe({ game, ...of, start: undefined, evaluations, policy: 0, value }, random), [
    evaluator,
    evaluator,
  ]);

it("is what values, policy and play by likeliest moves say of one decision", () => {
  for (let number = 0; number < 12; number++) {
    const one = played(number);
    const found = probe(one, 1e9, Random.named("probe", number))!;
    const { actions, ply, policy, seat } = found.decision;
    expect(one.decisions).toContain(found.decision);
    const root = after(one.actions, ply);
    const values = [...actions].map((action) => {
      const next = after([...one.actions.subarray(0, ply), action]);
      return game.toMove(next) < 0 ? scores(next)[seat]! : evaluated(next).values[seat]!;
    });
    const best = policy.indexOf(Math.max(...policy));
    // Values are from -1 to 1: the temperature is .05.
    const weights = values.map((value) => Math.exp(value / 0.05));
    const share = weights[best]! / weights.reduce((a, b) => a + b);
    expect(found.gain).toBeCloseTo(Math.log(share) - Math.log(evaluated(root).priors[best]!), 6);

    const { values: expected } = evaluated(root);
    while (game.toMove(root) >= 0) {
      const legal = legalOf(root);
      const { priors } = evaluated(root);
      game.play(root, legal[priors.indexOf(Math.max(...priors.slice(0, legal.length)))]!);
    }
    // A value net of its own gives the same, if it is the same net.
    expect(probe(one, 1e9, Random.named("probe", number), 1)).toEqual(found);
    expect(found.greedyError).toBeCloseTo(((expected[seat]! - scores(root)[seat]!) / 2) ** 2, 9);
  }
});

it("costs about a four-hundredth of the evaluations of searches at most", () => {
  let cost = 0;
  let searched = 0;
  for (let number = 0; number < 400; number++) {
    const one = played(number % 8);
    const evaluations = 12 * one.decisions.length;
    searched += evaluations;
    const probing = valueProbe(
      { game, ...one, start: undefined, evaluations, policy: 0, value: 0 },
      Random.named("cost", number),
    );
    for (let step = probing.next(); step.done !== true; step = probing.next()) {
      cost += step.value.request.count;
      evaluator.evaluate(step.value.request);
    }
  }
  expect(cost).toBeGreaterThan(0);
  // Its standard deviation over 400 games is a fifth of its mean.
  expect(cost / searched).toBeLessThan(2 / 400);
});

import { describe, expect, it } from "vitest";
import { foreseen, learningExperiment } from "../../operators/measuring/foresight/foreseen.ts";

describe("what self-play foresees", () => {
  it("is nothing of healthy searches and teachers, in games with few and many moves", async () => {
    const withTeacher = ", warmStart: { agent: teacher, games: 50 }";
    expect(await foreseen("games", learningExperiment({ games: withTeacher }))).toEqual([]);
    const noisy = "{ use: puct-max-n, net: zero, simulations: 50, noise: { epsilon: 0.25, alpha: 1 } }";
    expect(await foreseen("games", learningExperiment({ learner: noisy }))).toEqual([]);
    const tried = "{ use: gumbel, net: zero, simulations: 16, considered: 16, cScale: 0.5, target: tried }";
    const sharp =
      "{ use: mcts-max-n, simulations: 200, payoff: score, learnTemperature: 5, progressiveHistory: 0 }";
    expect(
      await foreseen(
        "games",
        learningExperiment({
          game: "{ rules: blokus-duo }",
          learner: tried,
          teacher: sharp,
          games: withTeacher,
        }),
      ),
    ).toEqual([]);
  });
});

describe("what a trainer foresees", () => {
  it("is a learning rate at which the loss on one batch does not fall", async () => {
    const of = (rate: string) =>
      foreseen("weights", learningExperiment({ game: "{ rules: tic-tac-toe }", rate }));
    expect(await of("10")).toEqual([
      expect.stringMatching(
        /^rate: diverging-rate: at the learning rate 10 .*in \d+ steps .*the loss goes from \S+ up to \S+ and ends at \S+,.*#diverging-rate\)$/,
      ),
    ]);
    expect(await of("0.000001")).toEqual([
      expect.stringMatching(
        /^rate: frozen-net: in 40 steps on one batch .* the loss falls only from \S+ to \S+:/,
      ),
    ]);
    // The first steps of a run count.
    expect(await of("[{ until: 100, value: 0.001 }, { value: 10 }]")).toEqual([]);
  });
});

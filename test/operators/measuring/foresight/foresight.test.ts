import { describe, expect, it } from "vitest";
import { checkGraph } from "../../../../src/graph/check-graph.ts";
import { readExperiment } from "../../../../src/graph/experiment-file.ts";
import { randomLength } from "../../../../src/operators/measuring/cost/random-games.ts";
import { overReading } from "../../../../src/operators/measuring/foresight/example-reads.ts";
import { scratchFolder } from "../../../formats/scratch-folder.ts";
import { writeExperiment } from "../../../graph/tiny-run.ts";
import { foreseen, learningExperiment } from "./foreseen.ts";

const duo = "{ rules: blokus-duo }";

describe("what self-play foresees", () => {
  it("is targets that say nothing, if they change the priors of a few of hundreds of moves", async () => {
    const learner = "{ use: gumbel, net: zero, simulations: 24, cScale: 0.2, target: completed }";
    expect(await foreseen("games", learningExperiment({ game: duo, learner }))).toEqual([
      expect.stringMatching(
        /^agent: empty-targets: at .* in the first third of blokus-duo \(\d+ legal moves\).*"learner" of 24 simulations.*differ from the priors by 0\.0[01]\d .*\d% of the moves.*target: tried.*#empty-targets\)$/,
      ),
    ]);
    // A target over the tried moves alone leaves most moves out, which is far from the priors and still says nothing.
    const alone = "{ use: gumbel, net: zero, simulations: 24, cScale: 0.01, target: tried-unweighted }";
    expect(await foreseen("games", learningExperiment({ game: duo, learner: alone }))).toEqual([
      expect.stringMatching(/#empty-targets\)$/),
    ]);
  });

  it("is a search that looks at one move", async () => {
    const found = await foreseen(
      "games",
      learningExperiment({ learner: "{ use: gumbel, net: zero, simulations: 16, considered: 1 }" }),
    );
    expect(
      found.some((message) => /one move, which gets 100% of the visits.*#one-move-search\)$/.test(message)),
    ).toBe(true);
  });

  it("is a teacher whose visits are flat, and a note of one that is too slow to be tried", async () => {
    const games = ", warmStart: { agent: teacher, games: 50 }";
    const learner = "{ use: gumbel, net: zero, simulations: 24, considered: 24 }";
    const flat = "{ use: uct, simulations: 400, exploration: 0.3 }";
    expect(await foreseen("games", learningExperiment({ game: duo, learner, teacher: flat, games }))).toEqual(
      [
        expect.stringMatching(
          /^warmStart: noisy-teacher: .*"teacher" are flat: .* 5\.\d+ nats.*#noisy-teacher\)$/,
        ),
      ],
    );
    const slow = "{ use: uct, simulations: 100000 }";
    expect(await foreseen("games", learningExperiment({ learner, teacher: slow, games }))).toEqual([
      expect.stringMatching(/^note warmStart: .*"teacher" were not tried/),
    ]);
  });

  it("is nothing where no policy is learned from searches by a net", async () => {
    const learner = "{ use: puct-max-n, net: zero, simulations: 40 }";
    const text = learningExperiment({ learner })
      .replace("examples: { use: alphazero }", "examples: { use: td }")
      .replace(", loss: { use: alphazero }", "");
    for (const stage of ["games", "replay", "weights"]) expect(await foreseen(stage, text)).toEqual([]);
  });
});

describe("what a trainer foresees", () => {
  it("is examples that are read again and again, with the number of steps that would do", () => {
    const offer = {
      agent: "learner",
      examples: { use: "alphazero", resultWeight: 1, quick: "values" },
      games: 100,
    } as const;
    const { opened } = checkGraph(readExperiment(writeExperiment(scratchFolder(), learningExperiment({}))));
    const { decisions } = randomLength(opened.game);
    // Each position of the 50 games about 19 and 21 times.
    const steps = (reads: number) => Math.round((reads * 50 * decisions) / 8);
    expect(overReading({ batch: 8, steps: steps(19) }, opened, { ...offer, generation: 50 })).toEqual([]);
    expect(overReading({ batch: 8, steps: steps(21) }, opened, { ...offer, generation: 50 })).toEqual([
      {
        key: "steps",
        name: "over-reading",
        says: expect.stringContaining("each position about 21 times") as string,
        cure: expect.stringMatching(/^Take at most \d+ steps/) as string,
      },
    ]);
    // Half of the games are held out, so the others are read twice as often.
    expect(
      overReading({ batch: 8, steps: steps(11) }, opened, { ...offer, generation: 50, heldOut: 0.5 }),
    ).toHaveLength(1);
  });
});

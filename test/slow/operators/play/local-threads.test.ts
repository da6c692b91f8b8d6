import { Effect } from "effect";
import { expect, it } from "vitest";
import { checkGraph } from "../../../../src/graph/check-graph.ts";
import { readExperiment } from "../../../../src/graph/experiment-file.ts";
import { initialWeights } from "../../../../src/models/net.ts";
import { networkOf } from "../../../../src/operators/experiment/open-experiment.ts";
import { openLocalThreads } from "../../../../src/operators/play/local-threads.ts";
import { Random } from "../../../../src/random.ts";
import { scratchFolder } from "../../../formats/scratch-folder.ts";
import { writeExperiment } from "../../../graph/tiny-run.ts";

const GAMES = 24;

const experiment = `
name: local-threads
seed: 3
workers: 1
compute: { threads: 1 }
game: { rules: tic-tac-toe }
nets: { zero: { use: residual, filters: 2, blocks: 1, valueUnits: 4 } }
agents: { learner: { use: puct-max-n, net: zero, simulations: 20 } }
graph:
  evaluator: { use: batch-evaluator, net: zero, sessions: 1 }
  games: { use: arena, agents: [learner], seats: round-robin, games: ${GAMES}, inFlight: ${GAMES}, openings: { plies: 1 } }
`;

it("plays all games side by side from the beginning, and tells what its threads and evaluators did", async () => {
  const { opened } = checkGraph(readExperiment(writeExperiment(scratchFolder(), experiment)));
  const { net } = networkOf(opened, "zero");
  const tensors = initialWeights(net, Random.named("weights"));
  await Effect.runPromise(
    Effect.scoped(
      Effect.gen(function* () {
        const weights = { kind: "network", tensors } as const;
        const host = yield* openLocalThreads(opened, {
          warn: () => undefined,
          weightsOf: () => Effect.succeed(weights),
        });
        yield* host.start(opened.experiment);
        yield* host.load("zero", 0, weights);
        host.flow(1);
        const begun = performance.now();
        const reports = yield* Effect.forEach(
          Array.from({ length: GAMES }, (_, index) => index),
          (index) =>
            Effect.map(
              host.play(
                {
                  stage: "games",
                  name: ["games", index],
                  index,
                  generation: 0,
                  seats: ["learner", "learner"],
                  versions: [{ net: 0 }, { net: 0 }],
                },
                0,
              ),
              ({ evaluations }) => ({ evaluations, computed: host.computed() }),
            ),
          { concurrency: "unbounded" },
        );
        // All tasks were posted before the thread had begun: it must not play the first game alone.
        const [first] = reports.toSorted((a, b) => a.computed - b.computed);
        expect(first!.computed).toBeGreaterThan((GAMES / 2) * first!.evaluations);

        const seconds = (performance.now() - begun) / 1000;
        const [threads, evaluator, ...others] = host.flow(seconds);
        expect(others).toEqual([]);
        if (threads?.type !== "threads-flow" || evaluator?.type !== "evaluator-flow")
          throw new Error("the threads come first, then the evaluator");
        expect(threads).toMatchObject({ group: "players", threads: 1, seconds });
        expect(Math.min(threads.worked, threads.waited)).toBeGreaterThan(0);
        expect(threads.worked + threads.waited).toBeLessThanOrEqual(seconds + 1e-3);
        expect(evaluator).toMatchObject({ evaluator: "evaluator", net: "zero", threads: 1, versions: 1 });
        expect(evaluator.rows).toBe(reports.reduce((sum, { evaluations }) => sum + evaluations, 0));
        expect(evaluator.rows).toBe(host.computed());
        expect(evaluator.sizes.reduce((sum, count) => sum + count, 0)).toBe(evaluator.batches);
        expect(evaluator.busy).toBeGreaterThan(0);
        expect(evaluator.busy).toBeLessThanOrEqual(seconds);
      }),
    ),
  );
});

it("plays games of each stage, however many long ones of another stage are under way", async () => {
  const text = `
name: two-stages
seed: 3
workers: 1
compute: { threads: 1 }
game: { rules: tic-tac-toe }
nets: { zero: { use: residual, filters: 2, blocks: 1, valueUnits: 4 } }
agents: { slow: { use: puct-max-n, net: zero, simulations: 50 }, quick: { use: random } }
graph:
  long: { use: arena, agents: [slow, quick], games: 4, inFlight: 2 }
  short: { use: arena, agents: [quick, slow], games: 4, inFlight: 2 }
`;
  const { opened } = checkGraph(readExperiment(writeExperiment(scratchFolder(), text)));
  const tensors = initialWeights(networkOf(opened, "zero").net, Random.named("weights"));
  const weights = { kind: "network", tensors } as const;
  await Effect.runPromise(
    Effect.scoped(
      Effect.gen(function* () {
        const host = yield* openLocalThreads(opened, {
          warn: () => undefined,
          weightsOf: () => Effect.succeed(weights),
        });
        yield* host.start(opened.experiment);
        yield* host.load("zero", 0, weights);
        const ended: string[] = [];
        const task = (stage: string, agent: string, index: number) => ({
          stage,
          name: [stage, index],
          index,
          generation: 0,
          seats: [agent, agent],
          versions: agent === "slow" ? [{ net: 0 }, { net: 0 }] : [{}, {}],
        });
        const tasks = [task("long", "slow", 0), task("long", "slow", 1), task("short", "quick", 0)];
        yield* Effect.forEach(tasks, (each) => Effect.map(host.play(each, 0), () => ended.push(each.stage)), {
          concurrency: "unbounded",
        });
        expect(ended).toEqual(["short", "long", "long"]);
      }),
    ),
  );
});

import { join } from "node:path";
import { describe, expect, it } from "vitest";
import type { MoveAccuracy, RunEvent } from "../../../src/events/event.ts";
import { CHANCE, OVER } from "../../../src/games/game.ts";
import { ticTacToe } from "../../../src/games/tic-tac-toe/tic-tac-toe.ts";
import { LinearPolicy } from "../../../src/models/linear/softmax-policy.ts";
import { rankOf } from "../../../src/operators/measuring/accuracy/judged-moves.ts";
import { collectionOf } from "../../../src/operators/learning/collection/collection-of.ts";
import type { StopSignal } from "../../../src/operators/run/stop-signal.ts";
import { freshWeights } from "../../../src/operators/run/weights/net-weights.ts";
import { Random } from "../../../src/random.ts";
import { runWith, writeStageRun } from "../../faults/stage-runs.ts";
import { scratchFolder } from "../../formats/scratch-folder.ts";
import { resumeRun, startRun } from "../../graph/tiny-run.ts";
import { experimentOf, measure } from "./learn-from.ts";

const random = Random.named("random games");
const legal = new Int32Array(9);
const games = Array.from({ length: 24 }, (_, number) => {
  const state = ticTacToe.initial();
  const moves: number[] = [];
  while (ticTacToe.toMove(state) !== OVER) {
    const move = legal[random.below(ticTacToe.legal(state, legal))]!;
    ticTacToe.play(state, move);
    moves.push(move);
  }
  return { moves, returns: [NaN, NaN], part: number % 3, group: number % 4 === 0 ? 0 : 1 };
});
const collection = collectionOf("random", 2, ["few", "many"], games);

const text = (settings: string) => `
name: accuracy
seed: 3
workers: 1
compute: { threads: 1 }
game: { rules: tic-tac-toe }
nets: { net: { use: mlp, hidden: [], policy: true } }
graph:
  accuracy: { use: policy-accuracy, from: records, policies: [{ net: net }, { net: net, symmetries: ensemble }], ${settings} }
`;

it("is left out where its run is stopped while games are read, and no other reader of the weights waits for it", async () => {
  const scratch = scratchFolder();
  const file = await writeStageRun(runWith("policy-accuracy"), join(scratch, "run"));
  for (const when of ["run-started", "progress"]) {
    const folder = join(scratch, when);
    const onEvent = ({ type }: RunEvent, stop: StopSignal) => void (type === when && stop.request());
    expect(await startRun(file, folder, [], { onEvent })).toEqual({ outcome: "interrupted" });
    expect(await resumeRun(folder)).toEqual({ outcome: "finished" });
  }
});

describe("the accuracy of a net's policy", () => {
  it("is that of its probabilities one by one, and of their mean over the symmetric images", async () => {
    const weights = freshWeights(experimentOf(text("part: test")), "net");
    const matrix = weights.get("weights/policy/matrix")!.data;
    const { policies } = await measure(text("part: test, width: 4"), collection, { net: weights });
    const planes = new Float32Array(27);
    const symmetry = ticTacToe.symmetry!;
    /** The probability of each free cell, in the image of a position under a symmetry. */
    const probabilities = (state: ReturnType<typeof ticTacToe.initial>, image: number) => {
      const turned = ticTacToe.initial();
      symmetry.transform(state, image, turned);
      ticTacToe.nets!.planes["stones"]!.write(turned, planes, 0);
      const free = [...state.cells.keys()].filter((cell) => state.cells[cell] === 0);
      const odds = free.map((cell) => {
        const place = symmetry.action(cell, image);
        return Math.exp(planes.reduce((sum, x, i) => sum + x * matrix[9 * i + place]!, 0));
      });
      const total = odds.reduce((sum, odd) => sum + odd, 0);
      return new Map(free.map((cell, i) => [cell, odds[i]! / total]));
    };
    for (const [number, images] of [1, 8].entries()) {
      const hits: {
        readonly group: number;
        readonly ply: number;
        readonly rank: number;
        readonly log: number;
      }[] = [];
      for (const { group, moves, part } of games) {
        if (part !== 2) continue;
        const state = ticTacToe.initial();
        for (const [ply, move] of moves.entries()) {
          if (9 - ply > 1) {
            const all = Array.from({ length: images }, (_, image) => probabilities(state, image));
            const mean = (cell: number) => all.reduce((sum, each) => sum + each.get(cell)!, 0) / images;
            const own = mean(move);
            // Images of a move are equally likely up to rounding: their order is left open.
            const above = [...all[0]!.keys()].filter((cell) => mean(cell) > own + 1e-6);
            const level = [...all[0]!.keys()].filter((cell) => Math.abs(mean(cell) - own) <= 1e-6);
            if (level.length === 1) hits.push({ group, ply, rank: above.length + 1, log: Math.log(own) });
            else hits.push({ group, ply, rank: NaN, log: Math.log(own) });
          }
          ticTacToe.play(state, move);
        }
      }
      const compare = (told: MoveAccuracy, expected: typeof hits) => {
        const certain = expected.filter(({ rank }) => rank > 0);
        const open = expected.length - certain.length;
        const within = (value: number, most: number) => {
          const count = certain.filter(({ rank }) => rank <= most).length;
          expect(Math.round(value * expected.length)).toBeGreaterThanOrEqual(count);
          expect(Math.round(value * expected.length)).toBeLessThanOrEqual(count + open);
        };
        expect(told.decisions).toBe(expected.length);
        within(told.top1.value, 1);
        within(told.top5.value, 5);
        const mean = expected.reduce((sum, { log }) => sum + log, 0) / expected.length;
        expect(told.likelihood.value).toBeCloseTo(mean, 5);
      };
      const policy = policies[number]!;
      compare(policy, hits);
      // On the empty board all planes are empty, and all moves level.
      if (images === 1) expect(hits.filter(({ rank, ply }) => !(rank > 0) && ply > 0)).toEqual([]);
      for (const [i, each] of policy.groups.entries())
        compare(
          each,
          hits.filter(({ group }) => group === i),
        );
      for (const each of policy.plies)
        compare(
          each,
          hits.filter(({ ply }) => Math.floor(ply / 4) * 4 === each.from),
        );
      expect(policy.groups.map(({ group }) => group)).toEqual(["few", "many"]);
      expect(policy.plies.map(({ from }) => from)).toEqual([0, 4]);
    }
  });

  it("is measured on the same positions again, fewer than all where so many are wanted", async () => {
    const weights = freshWeights(experimentOf(text("part: training")), "net");
    const measured = () => measure(text("part: training, positions: 20"), collection, { net: weights });
    const [one, other] = [await measured(), await measured()];
    expect(one).toEqual(other);
    expect(one.policies[0]!.decisions).toBeLessThanOrEqual(20);
    expect(one.policies[0]!.decisions).toBeGreaterThan(10);
  });
});

it("the accuracy of a linear policy is that of its odds", async () => {
  const linear = `
name: linear
seed: 4
workers: 1
game: { rules: daihinmin, games: 1 }
nets: { net: { use: linear-policy } }
graph:
  accuracy: { use: policy-accuracy, from: records, policies: [{ net: net }], part: test }
`;
  const { game, nets } = experimentOf(linear);
  const open = nets.get("net")!;
  if (open.kind !== "tables") throw new Error("a linear policy has tables");
  const draws = Random.named("linear accuracy");
  const tables = open.load(new Map());
  const policy = new LinearPolicy(game, tables);
  for (let i = 0; i < policy.weights.length; i++) policy.weights[i] = draws.normal();
  const expected = { decisions: 0, top1: 0, log: 0 };
  const deals = Array.from({ length: 3 }, () => {
    const state = game.initial();
    const moves: number[] = [];
    for (let mover = game.toMove(state); mover !== OVER; mover = game.toMove(state)) {
      const move = mover === CHANCE ? game.chance!.sample(state, draws) : policy.draw(state, draws);
      if (mover !== CHANCE && policy.count > 1) {
        const { actions, count, odds, total } = policy;
        const played = actions.indexOf(move);
        expected.decisions++;
        expected.log += Math.log(odds[played]! / total);
        if (rankOf(odds, count, played) === 1) expected.top1++;
      }
      game.play(state, move);
      moves.push(move);
    }
    return { moves, returns: Array.from({ length: game.players }, () => NaN), part: 2, group: 0 };
  });
  const saved = new Map([...open.save(tables)].map(([name, tensor]) => [`weights/${name}`, tensor]));
  const { policies } = await measure(linear, collectionOf("deals", game.players, ["all"], deals), {
    net: saved,
  });
  const [told] = policies;
  expect(told!.decisions).toBe(expected.decisions);
  expect(told!.top1.value).toBeCloseTo(expected.top1 / expected.decisions, 10);
  expect(told!.likelihood.value).toBeCloseTo(expected.log / expected.decisions, 10);
});

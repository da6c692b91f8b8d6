import { describe, expect, it } from "vitest";
import type { Game } from "../../../../src/games/game.ts";
import { playedFor } from "../../../../src/games/outcome.ts";
import { openGame } from "../../../../src/games/registry.ts";
import { BatchSampler } from "../../../../src/operators/learning/replay/batch-sampler.ts";
import { PlanePacker } from "../../../../src/games/packed-planes.ts";
import { encodeGameExamples } from "../../../../src/operators/play/examples/game-examples.ts";
import { surpriseWeights } from "../../../../src/operators/play/examples/surprise-weights.ts";
import type { ReplayReady } from "../../../../src/operators/run/items.ts";
import type { Random } from "../../../../src/random.ts";
import { movesOfRow } from "./moves-of-row.ts";
import { randomGame } from "./random-game.ts";

const blokus: Game<any> = openGame("blokus");
const { nets, symmetry: symmetries } = blokus;
const { actionPlanes, planes } = nets!;
const compact = planes["compact"]!;
const cells = 400;
const { maxLegal } = blokus;
const logitOf = Int32Array.from({ length: blokus.actions }, (_, action) => actionPlanes!.index(action));

/** Draws these numbers, whatever the bound. */
const scripted = (numbers: readonly number[]): Random => {
  const left = [...numbers];
  return { below: () => left.shift()! } as unknown as Random;
};

describe("batches of all that nets learn, from games of Blokus", () => {
  const played = randomGame(blokus, 21);
  const bytes = encodeGameExamples(playedFor(blokus, "win-loss"), played, {
    resultWeight: 1,
    quick: "values",
  });
  const { actions, decisions } = played;
  const end = blokus.initial();
  for (const action of actions) blokus.play(end, action);
  const returns = new Float64Array(4);
  blokus.returns(end, returns);
  const best = Math.max(...returns);
  // A quick decision, the one before it, the last, and one whose reply is learned.
  const quick = decisions.findIndex(({ learn }, i) => i > 0 && !learn);
  const answered = decisions.findIndex(({ learn }, i) => learn && decisions[i + 1]!.learn);
  const numbers = [quick, quick - 1, decisions.length - 1, answered];
  const drawn = numbers.flatMap((number) =>
    Array.from({ length: symmetries!.count }, (_, symmetry) => [number, symmetry] as const),
  );
  const sampler = new BatchSampler(blokus, {
    planes: compact,
    batch: drawn.length,
    policy: { logitOf, legalOnly: true },
    auxiliary: [
      { name: "policyWeight", width: 1 },
      { name: "score", width: 4 },
      { name: "ownership", width: cells },
      { name: "reply", width: maxLegal },
      { name: "replyIndices", width: maxLegal },
    ],
    symmetries: true,
  });
  const replay = { layout: "games", size: decisions.length, at: (number: number) => ({ bytes, number }) };
  const batch = sampler.draw(replay as ReplayReady, scripted(drawn.flat()), 0);
  const auxiliary = batch.auxiliary!;
  const replyOf = (row: number) => movesOfRow(auxiliary.replyIndices!, auxiliary.reply!, row, maxLegal);

  it.each([...drawn.entries()])(
    "transforms everything together: row %i, example and symmetry %o",
    (row, [number, symmetry]) => {
      const rowOf = <A extends Float32Array | Uint8Array>(array: A, width: number) =>
        array.subarray(row * width, (row + 1) * width) as A;
      // The image of the game, played out.
      const imageOf = (action: number) => symmetries!.action(action, symmetry);
      const image = blokus.initial();
      symmetries!.transform(blokus.initial(), symmetry, image);
      const { ply } = decisions[number]!;
      for (const action of actions.slice(0, ply)) blokus.play(image, imageOf(action));
      const packer = new PlanePacker(compact);
      const seen = { bytes: new Uint8Array(packer.bytes), floats: new Float32Array(packer.floats) };
      packer.write(image, seen, 0);
      expect(rowOf(batch.bytes, packer.bytes)).toEqual(seen.bytes);
      expect(rowOf(batch.floats, packer.floats)).toEqual(seen.floats);
      const legal = new Int32Array(maxLegal);
      const count = blokus.legal(image, legal);
      const places = [...legal.subarray(0, count)].map((action) => logitOf[action]!);
      const moves = movesOfRow(batch.policyIndices!, batch.policy!, row, maxLegal);
      expect(moves.map(([place]) => place)).toEqual(places.toSorted((a, b) => a - b));

      const sharesOf = (which: number) => {
        const { actions: of, policy, learn } = decisions[which] ?? { actions: [], policy: [], learn: false };
        return [...of]
          .map((action, i) => [logitOf[imageOf(action)]!, Math.fround(policy[i]!)] as const)
          .filter(([, share]) => learn && share > 0)
          .toSorted(([a], [b]) => a - b);
      };
      expect(moves.filter(([, share]) => share > 0)).toEqual(sharesOf(number));
      expect(replyOf(row)).toEqual(sharesOf(number + 1));
      expect(auxiliary.policyWeight![row]).toBe(decisions[number]!.learn ? 1 : 0);

      // Seats in turn from the mover are the same in all images: those of the game that was played.
      const before = blokus.initial();
      for (const action of actions.slice(0, ply)) blokus.play(before, action);
      const inTurn = [0, 1, 2, 3].map((turns) => (blokus.toMove(before) + turns) % 4);
      expect([...rowOf(batch.value, 4)]).toEqual(inTurn.map((seat) => (returns[seat] === best ? 1 : -1)));
      expect([...rowOf(auxiliary.score!, 4)]).toEqual(inTurn.map((seat) => returns[seat]!));
      for (const action of actions.slice(ply)) blokus.play(image, imageOf(action));
      const owners = new Int8Array(cells);
      blokus.nets!.ownership!(image, owners);
      const turnOf = (owner: number) =>
        inTurn.findIndex((seat) => owner === symmetries!.seat(seat, symmetry));
      const owned = [...owners].map((owner) => (owner < 0 ? 0 : 1 + turnOf(owner)));
      expect([...rowOf(auxiliary.ownership!, cells)]).toEqual(owned);
      expect(new Set(owned)).toEqual(new Set([0, 1, 2, 3, 4]));
    },
  );

  it("has rows of every kind", () => {
    expect(new Set(auxiliary.policyWeight)).toEqual(new Set([0, 1]));
    expect(numbers.every((number) => number >= 0)).toBe(true);
    const replies = numbers.map((_, i) => replyOf(symmetries!.count * i).length);
    expect(replies.slice(1).map((count) => count > 0)).toEqual([false, false, true]);
  });

  it("has the weights of the examples, divided by their mean in the batch", () => {
    const options = { resultWeight: 1, quick: "values", surprise: 0.5 } as const;
    const weighted = encodeGameExamples(playedFor(blokus, "win-loss"), played, options);
    const weighing = new BatchSampler(blokus, {
      planes: compact,
      batch: numbers.length,
      auxiliary: [{ name: "rowWeight", width: 1 }],
      symmetries: false,
    });
    const from = { ...replay, at: (number: number) => ({ bytes: weighted, number }) };
    const rows = [...weighing.draw(from as ReplayReady, scripted(numbers), 0).auxiliary!.rowWeight!];
    const weights = surpriseWeights(decisions, 0.5);
    const mean = numbers.reduce((sum, number) => sum + weights[number]!, 0) / numbers.length;
    for (const [row, weight] of rows.entries()) expect(weight).toBeCloseTo(weights[numbers[row]!]! / mean, 5);
    expect(new Set(rows).size).toBeGreaterThan(2);
    // Without weights in the bytes all are 1.
    expect([...weighing.draw(replay as ReplayReady, scripted(numbers), 0).auxiliary!.rowWeight!]).toEqual(
      numbers.map(() => 1),
    );
  });

  it("leaves nothing of an earlier draw", () => {
    const arrays = () => [batch.policy!, batch.policyIndices!, ...Object.values(auxiliary)];
    const kept = arrays().map((array) => array.slice());
    sampler.draw(replay as ReplayReady, scripted(drawn.map(([number]) => [number, 0]).flat()), 0);
    sampler.draw(replay as ReplayReady, scripted(drawn.flat()), 0);
    expect(arrays()).toEqual(kept);
  });
});

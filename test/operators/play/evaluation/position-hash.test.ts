import { expect, it } from "vitest";
import { Random } from "../../../../src/random.ts";
import { EvaluationCache } from "../../../../src/operators/play/evaluation/evaluation-cache.ts";
import { PositionHash } from "../../../../src/operators/play/evaluation/position-hash.ts";

function keyOf(features: readonly number[], gather: readonly number[]) {
  const key = new PositionHash();
  key.begin();
  key.add(Int32Array.from(features), 0, features.length, 0);
  key.add(Int32Array.from(gather), 0, gather.length, features.length);
  return { first: key.first, second: key.second };
}

it("gives equal positions equal keys, and positions that differ in one word, in order or in length different ones", () => {
  const random = Random.named("keys");
  const seen = new Set<string>();
  const positions: [number[], number[]][] = [];
  for (let i = 0; i < 200; i++) {
    const features = Array.from({ length: 8 }, () => random.below(2));
    const gather = Array.from({ length: random.below(4) }, () => random.below(9));
    positions.push([features, gather]);
  }
  positions.push(
    [[1, 2, 3], []],
    [[3, 2, 1], []],
    [[1, 2], [3]],
    [[], [1, 2, 3]],
    [[1, 2, 3, 0], []],
    [[1, 2, 3], [0]],
  );
  const different = new Set(positions.map((position) => JSON.stringify(position)));
  for (const [features, gather] of positions) {
    const key = keyOf(features, gather);
    expect(keyOf(features, gather)).toEqual(key);
    seen.add(`${key.first} ${key.second}`);
  }
  expect(seen.size).toBe(different.size);
});

it("finds in a cache what was stored under a key, for this version and of this length", () => {
  const cache = new EvaluationCache(100);
  const key = { first: 5, second: 77 };
  const response = Float32Array.of(0.1, 0.2, 0.3);
  cache.store(key, 4, response, 2);
  response.fill(9);
  expect([...cache.find(key, 4, 2)!.subarray(0, 2)]).toEqual([Math.fround(0.1), Math.fround(0.2)]);
  expect(cache.find(key, 4, 3)).toBeUndefined();
  expect(cache.find(key, 5, 2)).toBeUndefined();
  expect(cache.find({ first: 6, second: 77 }, 4, 2)).toBeUndefined();
  // 100 positions have 128 places: this key has the same one, and pushes the other out.
  cache.store({ first: 5, second: 77 + 128 }, 4, response, 3);
  expect(cache.find(key, 4, 2)).toBeUndefined();
  expect(cache.find({ first: 5, second: 77 + 128 }, 4, 3)).toBeDefined();
  // Versions that follow each other have places of their own.
  for (const version of [5, 6, 7]) cache.store({ first: 5, second: 77 + 128 }, version, response, 3);
  for (const version of [4, 5, 6, 7])
    expect(cache.find({ first: 5, second: 77 + 128 }, version, 3)).toBeDefined();
});

import { expect, it } from "vitest";
import { GrowingList } from "../../src/events/growing-list.ts";
import { Random } from "../../src/random.ts";

it("is like an array that is copied at every change, whatever list is continued", () => {
  // Every list of a family, with what it must hold; each step continues or cuts one of them.
  const family: [list: GrowingList<number>, items: readonly number[]][] = [[GrowingList.empty(), []]];
  const random = Random.named(1, "lists");
  for (let step = 0; step < 300; step++) {
    const [list, items] = family[random.below(4) === 0 ? random.below(family.length) : family.length - 1]!;
    const count = random.below(items.length + 2);
    family.push(
      random.below(12) === 0
        ? [list.first(count), items.slice(0, count)]
        : [list.append(step), [...items, step]],
    );
  }
  for (const [list, items] of family) {
    expect([...list]).toEqual(items);
    expect(list.length).toBe(items.length);
    expect([0, 1, -1, items.length, -items.length - 1].map((place) => list.at(place))).toEqual(
      [0, 1, -1, items.length, -items.length - 1].map((place) => items.at(place)),
    );
  }
  expect(Math.max(...family.map(([, items]) => items.length))).toBeGreaterThan(20);
});

import { expect, it } from "vitest";
import { LoadedVersions } from "../../../../src/operators/play/evaluation/loaded-versions.ts";
import { Random } from "../../../../src/random.ts";

it("makes room by the version that was not used for the longest time", () => {
  const loaded = new LoadedVersions<string>(2);
  expect(loaded.makeRoom()).toBeUndefined();
  loaded.add(7, "seven");
  loaded.add(3, "three");
  expect(loaded.use(7)).toBe("seven");
  expect(loaded.makeRoom()).toBe("three");
  expect([loaded.use(3), loaded.use(7)]).toEqual([undefined, "seven"]);
  loaded.add(9, "nine");
  expect(loaded.remove(9)).toBe("nine");
  expect(loaded.makeRoom()).toBeUndefined();
});

it("agrees with a list in the order of use, over random uses and bounds", () => {
  const random = Random.named("uses");
  for (const most of [1, 2, 5]) {
    const loaded = new LoadedVersions<number>(most);
    let list: number[] = [];
    for (let i = 0; i < 300; i++) {
      const version = random.below(8);
      expect(loaded.use(version)).toBe(list.includes(version) ? version : undefined);
      if (list.includes(version)) list = [...list.filter((each) => each !== version), version];
      else {
        expect(loaded.makeRoom()).toBe(list.length === most ? list.shift() : undefined);
        loaded.add(version, version);
        list.push(version);
      }
    }
  }
});

import { describe, expect, it } from "vitest";
import { experimentGroups, longestMinutes } from "../../src/graph/experiment-catalogue.ts";
import { shippedFiles } from "../../src/graph/shipped-files.ts";

const groups = experimentGroups();
const all = groups.flatMap(({ experiments }) => experiments);

describe("the catalogue of experiments", () => {
  it("has every experiment once, first steps first, with one short line of what it shows", () => {
    expect(all.map(({ name }) => name).toSorted()).toEqual([...shippedFiles().keys()].toSorted());
    expect(groups[0]!.title).toBe("First steps");
    expect(groups[0]!.experiments[0]!.name).toBe("quickstart");
    expect(all.filter(({ shows }) => shows.length > 90 || shows === "").map(({ name }) => name)).toEqual([]);
  });

  it("has the matches against programs of others together", () => {
    const peers = all.filter(({ file }) => file.includes("/peers/")).map(({ name }) => name);
    const group = groups.find(({ title }) => title.startsWith("Matches"))!;
    expect(group.experiments.map(({ name }) => name)).toEqual(expect.arrayContaining(peers));
  });

  it("reads the time of each cost", () => {
    expect(all.filter(({ cost }) => longestMinutes(cost) === undefined).map(({ name }) => name)).toEqual([]);
    const minutes = {
      "1 to 3 minutes": 3,
      "2.5 minutes": 2.5,
      "a minute": 1,
      "a quarter of an hour of one core; resumable": 15,
      "three quarters of an hour of two cores; resumable": 45,
      "five to ten minutes": 10,
      "two or three minutes": 3,
      "an hour and a half on a fast machine; resumable": 90,
      "20 minutes on a fast machine, else an hour; resumable": 60,
      "half an hour, 15 minutes of one core a seed; resumable": 30,
      "half a day; resumable": 720,
      "two and a half hours of one core; resumable": 150,
      "some hours of one core; resumable": 600,
    };
    for (const [cost, expected] of Object.entries(minutes)) expect(longestMinutes(cost), cost).toBe(expected);
    expect(longestMinutes("soon")).toBeUndefined();
  });
});

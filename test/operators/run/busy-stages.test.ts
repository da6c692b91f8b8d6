import { describe, expect, it } from "vitest";
import { busyStages, type PresentWork } from "../../../src/operators/run/busy-stages.ts";

/** games -> replay -> weights (learns zero) -> saved, curve; `games` plays with zero. */
const stages = [
  { name: "games", inputs: [], learns: undefined },
  { name: "replay", inputs: ["games"], learns: undefined },
  { name: "weights", inputs: ["replay"], learns: "zero" },
  { name: "saved", inputs: ["weights"], learns: undefined },
  { name: "curve", inputs: ["weights"], learns: undefined },
];

interface Doing {
  readonly works?: boolean;
  readonly underWay?: boolean;
  readonly ended?: boolean;
  readonly pulls?: string;
  readonly nets?: readonly string[];
}

const busyFor = (stage: string, doing: Readonly<Record<string, Doing>>) =>
  busyStages(stage, stages, (name): PresentWork => {
    const { ended = false, nets = [], pulls, underWay = false, works = false } = doing[name] ?? {};
    return {
      clock: { ended, works, waitsForNets: nets, pulls: (from) => from === pulls },
      activity: { works: underWay },
    };
  });

describe("the stages at work that a stage waits for", () => {
  it("are those behind its input, through stages that wait themselves", () => {
    const doing = { games: { works: true }, replay: { pulls: "games" }, weights: { pulls: "replay" } };
    expect(busyFor("weights", doing)).toEqual(["games"]);
    expect(busyFor("curve", { ...doing, curve: { pulls: "weights" }, saved: { pulls: "weights" } })).toEqual([
      "games",
    ]);
  });

  it("are the learner of its weights, or what holds the learner up", () => {
    const games = { nets: ["zero"] };
    expect(busyFor("games", { games, weights: { works: true } })).toEqual(["weights"]);
    const held = { games, saved: { pulls: "weights" }, curve: { works: true } };
    expect(busyFor("games", held)).toEqual(["curve"]);
    expect(busyFor("games", { ...held, curve: { underWay: true } })).toEqual(["curve"]);
    expect(busyFor("games", { ...held, curve: { ended: true } })).toEqual([]);
  });

  it("are what keeps its reader from asking", () => {
    const doing = { games: {}, replay: {}, weights: {}, saved: { pulls: "weights" }, curve: { works: true } };
    expect(busyFor("games", doing)).toEqual(["curve"]);
  });

  it("are none where all wait for each other, and never the stage itself", () => {
    expect(busyFor("games", { games: { nets: ["zero"] }, weights: { pulls: "replay" } })).toEqual([]);
    expect(busyFor("curve", { curve: { works: true } })).toEqual([]);
  });
});

import { describe, expect, it } from "vitest";
import type { RatedParticipant, RatedVersion } from "../../../src/events/event.ts";
import { markup } from "../../../src/figures/markup.ts";
import { headline } from "../../../src/report/sections/headline.ts";
import { learningCurveSection } from "../../../src/report/sections/learning-curve.ts";
import { versionsSection } from "../../../src/report/sections/versions.ts";
import { timed } from "../example-run.ts";

const rated = (version: number, elo: number): RatedVersion => ({
  version,
  learned: 100 * version,
  games: 40,
  elo,
  interval: version === 0 ? [0, 0] : [elo - 50, elo + 50],
});
const other = (participant: string, elo: number): RatedParticipant => ({
  participant,
  games: 60,
  elo,
  interval: [elo - 30, elo + 30],
});
const ratings = (
  learned: number,
  versions: readonly RatedVersion[],
  others: readonly RatedParticipant[] = [],
  stage = "progress",
) =>
  timed(learned, {
    type: "version-ratings",
    stage,
    learned,
    unit: "steps",
    agent: "player",
    versions,
    others,
  });
const match = (learned: number, names: readonly string[]) =>
  timed(learned, {
    type: "match",
    stage: "progress",
    learned,
    unit: "steps",
    agents: names.map((agent) => ({
      agent,
      games: 2,
      mean: 0.5,
      interval: [0, 1],
      returns: [0, 1],
      facts: {},
    })),
  });

const run = (events: readonly ReturnType<typeof timed>[]) => ({
  name: "versions",
  folder: ".",
  manifest: {},
  events,
});
const text = (events: readonly ReturnType<typeof timed>[]) =>
  String(markup`${versionsSection(run(events))!.body}`);

describe("the section on Elo over versions", () => {
  it("is left out if no versions are rated, or only one", () => {
    expect(versionsSection(run([]))).toBeUndefined();
    expect(versionsSection(run([ratings(0, [rated(0, 0)])]))).toBeUndefined();
  });

  const events = [
    ratings(100, [rated(0, 0), rated(1, 90)]),
    ratings(200, [rated(0, 0), rated(1, 80), rated(2, 210)], [other("uct", 150), other("quick@2", 40)]),
  ];

  it("shows the ratings after the last round of each stage, and names the last version", () => {
    const shown = text([...events, ratings(100, [rated(0, 0), rated(1, -70)], [], "second")]);
    expect(shown).toContain("<b>210 Elo (95% interval 160 to 260) above</b> version 0");
    expect(shown).toContain("<b>70 Elo (95% interval 20 to 120) below</b> version 0");
    expect(shown).toContain("Level lines: uct, which does not learn.");
    expect(shown).toContain("200 steps (version 2)");
    expect(shown).not.toContain("NaN");
  });

  it("gives the state of the test that ends learning", () => {
    const tested = {
      gain: 50,
      versions: 2,
      alpha: 0.05,
      beta: 0.05,
      games: 120,
      bounds: [-2.94, 2.94],
    } as const;
    const shown = (ratio: number, verdict: "gain" | "no gain" | "undecided") => {
      const [first, last] = [events[0]!, events[1]!];
      return text([first, { ...last, until: { ...tested, ratio, verdict } } as typeof last]);
    };
    expect(shown(-3.1, "no gain")).toContain(
      "By 120 games against its self of 2 rounds before, the log likelihood ratio of a gain of 50 Elo to none is −3.10 (bounds −2.94 and 2.94), so player gains nothing any more, and learning ends.",
    );
    expect(shown(3.2, "gain")).toContain("so player still gains.");
    expect(shown(0.4, "undecided")).toContain("so the test is undecided.");
    expect(text(events)).not.toContain("log likelihood");
  });

  it("tables the last ratings, of others too", () => {
    expect(versionsSection(run(events))!.tables[0]!.rows).toEqual([
      ["progress", "player", 0, 0, 40, 0, 0, 0],
      ["progress", "player", 1, 100, 40, 80, 30, 130],
      ["progress", "player", 2, 200, 40, 210, 160, 260],
      ["progress", "uct", null, null, 60, 150, 120, 180],
      ["progress", "quick", 2, 200, 60, 40, 10, 70],
    ]);
  });

  it("takes the place of the learning curve, and the headline agrees", () => {
    const played = [match(100, ["player", "player@0"]), match(200, ["player", "player@1"])];
    expect(String(markup`${learningCurveSection(run(played))!.body}`)).toContain("Learning curve: progress");
    const both = [played[0]!, events[0]!, played[1]!, events[1]!];
    expect(learningCurveSection(run(both))).toBeUndefined();
    expect(String(headline(run(both)))).toContain(
      "After 200 steps learned, version 2 of <i>player</i> is <b>210 Elo",
    );
  });
});

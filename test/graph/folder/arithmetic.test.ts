import { createHash } from "node:crypto";
import { cpSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { ARITHMETIC, otherArithmetic, partsWithThis } from "../../../src/graph/folder/arithmetic.ts";
import { replayGame } from "../../../src/graph/replay-game.ts";
import { noteArithmetic, openRunFolder } from "../../../src/graph/folder/run-folder.ts";
import { openExperiment } from "../../../src/operators/experiment/open-experiment.ts";
import { rewriteSealed } from "../../formats/rewrite-sealed.ts";
import { scratchFolder } from "../../formats/scratch-folder.ts";

/** A run of tic-tac-toe that commit c323b6a began with arithmetic-1.yaml and that was interrupted after twelve steps. */
const golden = join(import.meta.dirname, "golden/arithmetic-1");

/** A copy of the run, its manifest and the text of its experiment changed. */
function copied(manifest: object, change = (experiment: string) => experiment): string {
  const folder = join(scratchFolder(), "run");
  cpSync(golden, folder, { recursive: true });
  const path = join(folder, "experiment.yaml");
  const text = change(readFileSync(path, "utf8"));
  writeFileSync(path, text);
  const experimentSha256 = createHash("sha256").update(text).digest("hex");
  rewriteSealed(join(folder, "manifest.json"), (before) => ({ ...before, experimentSha256, ...manifest }));
  return folder;
}

const morePlayouts = (experiment: string) => {
  expect(experiment).toContain("simulations: 6");
  return experiment.replace("simulations: 6", "simulations: 9");
};
/** A game of nine plies. */
const replayed = (folder: string) => replayGame(folder, undefined, 8);

describe("a run of an earlier arithmetic", () => {
  it("is followed by a replay, with the reason", async () => {
    const { difference, departures, excuses } = await replayed(golden);
    expect(difference).toBeUndefined();
    expect(departures).toBeDefined();
    expect(excuses).toEqual([
      `its nets were computed with arithmetic 1, and this program has arithmetic ${ARITHMETIC}`,
    ]);
  });

  it("is followed to the end of a game, though choices and values are others", async () => {
    const { difference, departures } = await replayed(copied({}, morePlayouts));
    expect(difference).toBeUndefined();
    expect(new Set(departures!.map(({ kind }) => kind))).toEqual(new Set(["decision", "value"]));
  });

  it("of this arithmetic is compared bit by bit, up to the first difference", async () => {
    const folder = copied({ arithmetic: ARITHMETIC }, morePlayouts);
    const { difference, departures, excuses } = await replayed(folder);
    expect(difference).toBeDefined();
    expect([departures, excuses]).toEqual([undefined, []]);
  });
});

describe("the arithmetic of a run", () => {
  const { experiment, manifest } = openRunFolder(golden);
  const opened = openExperiment(experiment);

  it("is 1 if the manifest names none, and matters only to nets that are computed", () => {
    expect(otherArithmetic({}, opened)).toContain("arithmetic 1,");
    expect(otherArithmetic({ arithmetic: ARITHMETIC }, opened)).toBeUndefined();
    expect(otherArithmetic({ arithmetic: ARITHMETIC + 1 }, opened)).toContain(`${ARITHMETIC + 1}, and this`);
    const tables = openExperiment({ ...experiment, nets: { zero: { use: "linear" } } });
    expect(otherArithmetic({}, tables)).toBeUndefined();
  });

  it("is noted with each part that has another, once", () => {
    const folder = copied({});
    const bytes = () => readFileSync(join(folder, "manifest.json"), "utf8");
    noteArithmetic(folder, openRunFolder(folder).manifest, new Date("2026-11-30T01:02:03Z"));
    const noted = openRunFolder(folder).manifest;
    expect(noted).toMatchObject({
      started: manifest.started,
      reproducible: false,
      irreproducible: [`its parts were computed with arithmetic 1, then ${ARITHMETIC}`],
      parts: [
        { started: manifest.started, arithmetic: 1 },
        { started: "2026-11-30T01:02:03.000Z", arithmetic: ARITHMETIC },
      ],
    });
    expect(otherArithmetic(noted, opened)).toContain(`arithmetic 1 and ${ARITHMETIC},`);
    const before = bytes();
    noteArithmetic(folder, noted, new Date());
    expect(bytes()).toBe(before);
  });

  it("goes back and forth if programs of several arithmetics take turns", () => {
    const part = (started: string) => ({ started, ludoflow: "0.1.0" });
    const other = { ...part("b"), arithmetic: ARITHMETIC + 1 };
    const parts = [{ ...part("a"), arithmetic: ARITHMETIC }, other];
    expect(partsWithThis({ arithmetic: ARITHMETIC, parts }, part("a"), part("c"))).toEqual([
      ...parts,
      { ...part("c"), arithmetic: ARITHMETIC },
    ]);
    expect(partsWithThis({ arithmetic: ARITHMETIC }, part("a"), part("c"))).toBeUndefined();
  });
});

import { readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { Effect } from "effect";
import { describe, expect, it } from "vitest";
import { tablesBuffer } from "../../../../src/models/tables.ts";
import { openExperiment } from "../../../../src/operators/experiment/open-experiment.ts";
import { CheckpointUnusable } from "../../../../src/operators/run/run-error.ts";
import {
  freshWeights,
  publishable,
  type PublishedWeights,
} from "../../../../src/operators/run/weights/net-weights.ts";
import { VersionStore } from "../../../../src/operators/run/weights/version-store.ts";
import { WeightsBoard } from "../../../../src/operators/run/weights/weights-board.ts";
import { scratchFolder } from "../../../formats/scratch-folder.ts";
import { reasonOf } from "../../../formats/reason-of.ts";
import { bareExperiment } from "../../bare-experiment.ts";

const experiment = bareExperiment({
  nets: {
    zero: { use: "mlp", hidden: [3], valueActivation: "linear", valueScale: 1, values: "returns" },
    line: { use: "linear" },
  },
});
const opened = openExperiment(experiment);

/** Weights of the net "zero", all of which tell the version. */
function numbered(version: number): PublishedWeights {
  const fresh = publishable(opened, "zero", freshWeights(opened, "zero"));
  if (fresh.kind !== "network") throw new Error("no network");
  return {
    kind: "network",
    tensors: new Map(
      [...fresh.tensors].map(([name, data]) => [name, data.map((_, i) => version + i / 1024)]),
    ),
  };
}

function opening(folder = scratchFolder()) {
  const store = new VersionStore(folder, opened);
  const kept = (net = "zero") => readdirSync(join(folder, "weights", net)).toSorted();
  return { folder, store, kept };
}

describe("VersionStore", () => {
  it("gives back the versions that a stage has asked for, also to a later process, and writes no others", () => {
    const { folder, store, kept } = opening();
    store.keep("zero", (version) => version % 2 === 0);
    for (let version = 0; version < 5; version++) store.put("zero", version, numbered(version));
    store.put("line", 0, publishable(opened, "line", freshWeights(opened, "line")));
    expect(kept()).toEqual(["0.safetensors", "2.safetensors", "4.safetensors"]);
    expect(readdirSync(join(folder, "weights"))).toEqual(["zero"]);
    const later = new VersionStore(folder, opened);
    for (const version of [4, 0, 2]) expect(later.read("zero", version)).toEqual(numbered(version));
    expect([0, 1, 2, 3].map((version) => later.has("zero", version))).toEqual([true, false, true, false]);
  });

  it("gives copies of tables, which later learning does not change", () => {
    const { store } = opening();
    const weights = publishable(opened, "line", freshWeights(opened, "line"));
    if (weights.kind !== "tables") throw new Error("no tables");
    const numbers = new Float64Array(tablesBuffer(weights.tables));
    numbers[1] = 7;
    store.keep("line", () => true);
    store.put("line", 3, weights);
    numbers[1] = 8;
    const read = store.read("line", 3);
    if (read.kind !== "tables") throw new Error("no tables");
    expect(new Float64Array(tablesBuffer(read.tables))[1]).toBe(7);
    expect(tablesBuffer(read.tables)).not.toBe(tablesBuffer(weights.tables));
  });

  it("removes what no stage needs once the run would continue from a later version, and nothing sooner", () => {
    const { folder, store, kept } = opening();
    // One stage needs the three versions before, the other one every fourth for good.
    store.keep("zero", (version, from) => version > from - 3);
    store.keep("zero", (version) => version % 4 === 0);
    for (let version = 0; version < 10; version++) store.put("zero", version, numbered(version));
    const versions = () => kept().map((name) => Number.parseInt(name, 10));
    expect(versions()).toEqual([0, 1, 2, 3, 4, 5, 6, 7, 8, 9]);
    store.saved("zero", 6, (version) => version === 2);
    expect(versions()).toEqual([0, 2, 4, 5, 6, 7, 8, 9]);
    store.saved("zero", 6);
    expect(versions()).toEqual([0, 4, 5, 6, 7, 8, 9]);
    // What a kill has left of a file.
    writeFileSync(join(folder, "weights", "zero", ".3.safetensors.17.part"), "half");
    store.saved("zero", 9);
    expect(kept()).toEqual([
      "0.safetensors",
      "4.safetensors",
      "7.safetensors",
      "8.safetensors",
      "9.safetensors",
    ]);
    // A net without kept versions has no folder.
    store.saved("line", 9);
  });

  it("writes the same bytes for the same weights, and takes a version again that was learned again", () => {
    const [one, other] = [opening(), opening()];
    for (const { store } of [one, other]) store.keep("zero", () => true);
    one.store.put("zero", 1, numbered(1));
    other.store.put("zero", 1, numbered(5));
    const bytes = ({ folder }: { folder: string }) =>
      readFileSync(join(folder, "weights", "zero", "1.safetensors"));
    expect(bytes(one).equals(bytes(other))).toBe(false);
    other.store.put("zero", 1, numbered(1));
    expect(bytes(one).equals(bytes(other))).toBe(true);
  });

  it("gives back weights of a net whose settings are in another order", () => {
    const { folder, store } = opening();
    store.keep("zero", () => true);
    store.put("zero", 1, numbered(1));
    const settings = Object.entries(experiment.nets["zero"]!).toReversed();
    const nets = {
      ...experiment.nets,
      zero: Object.fromEntries(settings) as unknown as (typeof experiment.nets)[string],
    };
    const turned = new VersionStore(folder, openExperiment({ ...experiment, nets }));
    expect(turned.read("zero", 1)).toEqual(numbered(1));
  });

  it("refuses damaged weights, weights of another net, and weights that are not there", () => {
    const { folder, store } = opening();
    store.keep("zero", () => true);
    store.put("zero", 1, numbered(1));
    const path = join(folder, "weights", "zero", "1.safetensors");
    const bytes = readFileSync(path);
    for (const place of [bytes.length - 1, bytes.length - 9]) {
      const damaged = Buffer.from(bytes);
      damaged[place]! ^= 1;
      writeFileSync(path, damaged);
      expect(reasonOf(CheckpointUnusable, () => store.read("zero", 1))).toMatch(
        /damaged \(the checksum differs\)/,
      );
    }
    writeFileSync(path, bytes.subarray(0, -4));
    expect(reasonOf(CheckpointUnusable, () => store.read("zero", 1))).toContain(
      "1.safetensors: it is cut short",
    );
    writeFileSync(path, bytes);
    const nets = { ...experiment.nets, zero: { ...experiment.nets["zero"]!, hidden: [4] } };
    const larger = new VersionStore(folder, openExperiment({ ...experiment, nets }));
    expect(reasonOf(CheckpointUnusable, () => larger.read("zero", 1))).toMatch(
      /it holds .*\[3\].*, and this net is .*\[4\]/,
    );
    expect(reasonOf(CheckpointUnusable, () => store.read("zero", 2))).toMatch(/cannot be read: ENOENT/);
  });
});

describe("WeightsBoard with a store", () => {
  it("has a version on disk before it is delivered, and does not keep what an interruption has left", async () => {
    const { store } = opening();
    const there: boolean[] = [];
    const board = new WeightsBoard(
      {
        load: (net, version) => Effect.sync(() => void there.push(store.has(net, version))),
        drop: () => undefined,
      },
      store,
    );
    board.keep("zero", () => true);
    await Effect.runPromise(board.publish("zero", 0, numbered(0)));
    await Effect.runPromise(board.publish("zero", 1, numbered(1), "partial"));
    await Effect.runPromise(board.publish("zero", 1, numbered(2), "final"));
    expect(there).toEqual([true, false, true]);
    expect(await Effect.runPromise(board.weightsOf("zero", 0))).toEqual(numbered(0));
    expect(await Effect.runPromiseExit(board.weightsOf("zero", 7))).toMatchObject({ _tag: "Failure" });
    board.saved("zero", 1);
    expect(store.has("zero", 0)).toBe(true);
  });

  it("gives an earlier version of tables as it was, also while a stage that reads versions still needs it", async () => {
    const board = new WeightsBoard({ load: () => Effect.void, drop: () => undefined }, opening().store);
    board.keep("line", () => true);
    board.reader(["line"], 1);
    const weights = publishable(opened, "line", freshWeights(opened, "line"));
    if (weights.kind !== "tables") throw new Error("no tables");
    const numbers = new Float64Array(tablesBuffer(weights.tables));
    const first = async (version: number) => {
      const read = await Effect.runPromise(board.weightsOf("line", version));
      if (read.kind !== "tables") throw new Error("no tables");
      return new Float64Array(tablesBuffer(read.tables))[1];
    };
    for (const version of [0, 1]) {
      numbers[1] = 10 + version;
      await Effect.runPromise(board.publish("line", version, weights));
    }
    expect([await first(0), await first(1)]).toEqual([10, 11]);
    numbers[1] = 12;
    expect([await first(0), await first(1)]).toEqual([10, 12]);
  });
});

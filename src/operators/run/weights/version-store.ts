import { createHash } from "node:crypto";
import { existsSync, mkdirSync, readdirSync, rmSync } from "node:fs";
import { dirname, join } from "node:path";
import { syncFolder, writeOwn } from "../../../formats/files/atomic-file.ts";
import { FileCorrupt } from "../../../formats/files/file-corrupt.ts";
import { writing } from "../../../formats/files/file-not-written.ts";
import { decodeSafetensors, encodeSafetensors } from "../../../formats/safetensors.ts";
import { openOwn } from "../../../formats/files/own-file.ts";
import { readWholeFile } from "../../../formats/files/whole-file.ts";
import { type OpenExperiment, ownerOf } from "../../experiment/open-experiment.ts";
import type { Tensors } from "../items.ts";
import { CheckpointUnusable } from "../run-error.ts";
import { storedWeightsPath } from "../run-files.ts";
import type { SharedTables } from "../../../models/tables.ts";
import { sameValue } from "../../../same-value.ts";
import { publishable, type PublishedWeights, tensorsOf } from "./net-weights.ts";
import { RoundsUnderWay } from "./rounds-under-way.ts";

const FORMAT = "ludoflow weights 1";

/**
 * Whether a stage of a run that continues from version `from` of a net may still play with `version` of it. A function of
 * the settings alone; asked for `version <= from` only.
 */
export type NeedsVersion = (version: number, from: number) => boolean;

/**
 * The earlier versions of nets that stages of a run play with, as files `weights/NET/VERSION.safetensors` in its folder.
 *
 * A version is on disk before it is published, so games that name it can be played, and replayed, after a kill. It is
 * removed when no stage needs it any more, but not before a checkpoint from which the run would continue is on disk: a
 * resumed run repeats what came after its last checkpoint. The files hold the weights without the state of the learner.
 */
export class VersionStore {
  readonly #folder: string;
  readonly #opened: OpenExperiment;
  readonly #needed = new Map<string, NeedsVersion[]>();
  /** The rounds of measuring that are played with earlier versions. */
  readonly rounds: RoundsUnderWay;

  /** The store in a run's folder. No other process may write there. */
  constructor(folder: string, opened: OpenExperiment) {
    this.#folder = folder;
    this.#opened = opened;
    this.rounds = new RoundsUnderWay(folder);
  }

  /** Says which versions of a net a stage needs. To be called before any version of the net is put. */
  keep(net: string, needed: NeedsVersion): void {
    this.#needed.set(net, [...(this.#needed.get(net) ?? []), needed]);
  }

  /** Writes a version that is about to be published, if a stage needs it. Throws FileNotWritten. */
  put(net: string, version: number, weights: PublishedWeights): void {
    if (this.#isNeeded(net, version, version)) this.write(net, version, weights);
  }

  /** Writes a version. Throws FileNotWritten. */
  write(net: string, version: number, weights: PublishedWeights): void {
    writeWeights(storedWeightsPath(this.#folder, net, version), {
      owner: JSON.stringify(ownerOf(this.#opened.experiment, net)),
      version,
      tensors: tensorsOf(this.#opened, net, weights),
    });
  }

  /** Whether a version is on disk. */
  has(net: string, version: number): boolean {
    return existsSync(storedWeightsPath(this.#folder, net, version));
  }

  /** A copy of tables in memory of its own; in `spare`, a copy that is not used any more, if that is given. */
  copy(net: string, tables: SharedTables, spare?: SharedTables): SharedTables {
    const open = this.#opened.nets.get(net)!;
    if (open.kind !== "tables") throw new Error(`"${net}" is not on tables`);
    if (open.copyWeights === undefined)
      return open.load(new Map([...open.save(tables)].map(([name, { data }]) => [name, data])));
    const copy = spare ?? open.load(new Map());
    open.copyWeights(tables, copy);
    return copy;
  }

  /** A copy of a version from disk. Throws CheckpointUnusable. */
  read(net: string, version: number): PublishedWeights {
    const path = storedWeightsPath(this.#folder, net, version);
    return publishable(this.#opened, net, readWeights(path, ownerOf(this.#opened.experiment, net)));
  }

  /**
   * Says that the run would continue from this version after a kill. Versions that no stage needs from there on, and that
   * are not in use by games under way, are removed; returns them.
   */
  saved(net: string, from: number, inUse: (version: number) => boolean = () => false): number[] {
    const folder = dirname(storedWeightsPath(this.#folder, net, from));
    if (!existsSync(folder)) return [];
    const removed: number[] = [];
    let changed = false;
    for (const name of readdirSync(folder)) {
      const stored = /^(\d+)\.safetensors$/.exec(name);
      // Other names are what a kill has left of a file that was being written.
      const version = Number(stored?.[1]);
      if (stored !== null && (version > from || inUse(version) || this.#isNeeded(net, version, from)))
        continue;
      writing(folder, () => rmSync(join(folder, name)));
      changed = true;
      if (stored !== null) removed.push(version);
    }
    if (changed) writing(folder, () => syncFolder(folder));
    return removed;
  }

  #isNeeded(net: string, version: number, from: number): boolean {
    return (this.#needed.get(net) ?? []).some((needed) => needed(version, from));
  }
}

/** Weights as stored. */
interface StoredWeights {
  /** The game and the net that the weights belong to, as JSON. */
  readonly owner: string;
  readonly version: number;
  readonly tensors: Tensors;
}

/** The pieces of the file; `more` is metadata that follows the others. */
function encoded(
  { owner, tensors, version }: StoredWeights,
  more: Readonly<Record<string, string>> = {},
): Uint8Array[] {
  return encodeSafetensors({
    tensors,
    metadata: { format: FORMAT, owner, version: String(version), ...more },
  });
}

/** The checksum of the file without its checksum. */
function checksumOf(weights: StoredWeights): string {
  const hash = createHash("sha256");
  for (const piece of encoded(weights)) hash.update(piece);
  return hash.digest("hex");
}

function writeWeights(path: string, weights: StoredWeights): void {
  writing(path, () => mkdirSync(dirname(path), { recursive: true }));
  writeOwn(path, encoded(weights, { sha256: checksumOf(weights) }));
}

function readWeights(path: string, expected: ReturnType<typeof ownerOf>): Tensors {
  const fail = (reason: string): never => {
    throw new CheckpointUnusable({ path, reason });
  };
  try {
    const { metadata, tensors } = decodeSafetensors(readWholeFile(path, openOwn(path, "read")), path);
    if (metadata["format"] !== FORMAT)
      fail(`it is of the format "${metadata["format"] ?? "unknown"}"; this program reads "${FORMAT}"`);
    const owner = metadata["owner"] ?? "null";
    const stored = { owner, version: Number(metadata["version"]), tensors: tensors as Tensors };
    if (checksumOf(stored) !== metadata["sha256"])
      fail("it is damaged (the checksum differs); games with this version can no longer be played");
    if (!sameValue(JSON.parse(owner), expected))
      fail(`it holds ${owner}, and this net is ${JSON.stringify(expected)}`);
    return stored.tensors;
  } catch (error) {
    if (error instanceof FileCorrupt) return fail(`it ${error.what}`);
    if (error instanceof CheckpointUnusable) throw error;
    return fail(`these weights of an earlier version cannot be read: ${(error as Error).message}`);
  }
}

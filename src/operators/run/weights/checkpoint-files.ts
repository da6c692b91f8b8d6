import { createHash } from "node:crypto";
import { existsSync, mkdirSync, readdirSync, renameSync, rmSync } from "node:fs";
import { basename, dirname, join } from "node:path";
import { syncFolder, writeOwn } from "../../../formats/files/atomic-file.ts";
import { FileCorrupt } from "../../../formats/files/file-corrupt.ts";
import { whyUnreadable } from "../../../formats/files/unreadable.ts";
import { writing } from "../../../formats/files/file-not-written.ts";
import { openOwn, readOwn, readOwnText } from "../../../formats/files/own-file.ts";
import { decodeSafetensors, encodeSafetensors } from "../../../formats/safetensors.ts";
import { sha256 } from "../../../formats/sha256.ts";
import { readWholeFile } from "../../../formats/files/whole-file.ts";
import { sealedJson } from "../../../formats/sealed-json.ts";
import { type GameConfig, weightsFit } from "../../../games/registry.ts";
import { sameValue } from "../../../same-value.ts";
import { withLaterNetOptions } from "../../experiment/later-options.ts";
import type { NetConfig } from "../../experiment/open-experiment.ts";
import type { Tensor, Tensors } from "../items.ts";
import { CheckpointUnusable } from "../run-error.ts";
import {
  type CheckpointManifest,
  FORMAT,
  parseManifest,
  type StoredManifest,
  TENSORS,
} from "./checkpoint-manifest.ts";

const MANIFEST = "checkpoint.json";

/** A checkpoint in memory. */
export interface Checkpoint extends CheckpointManifest {
  readonly tensors: Tensors;
}

/**
 * Writes a checkpoint as a folder: `checkpoint.json` with the manifest and SHA-256 checksums, `state.safetensors`
 * with the weights and the state of the learner, and the attachments (an ONNX graph) by name.
 *
 * The folder is written under a temporary name, synced, and renamed, so a checkpoint is whole or absent. Its bytes depend
 * only on its content. Throws FileNotWritten.
 */
export function writeCheckpoint(
  folder: string,
  checkpoint: Checkpoint,
  attachments: Readonly<Record<string, Uint8Array>> = {},
): void {
  const { tensors, ...manifest } = checkpoint;
  const parent = dirname(folder);
  const temporary = join(parent, `.${basename(folder)}.part`);
  writing(folder, () => {
    mkdirSync(parent, { recursive: true });
    rmSync(temporary, { recursive: true, force: true });
    mkdirSync(temporary);
  });
  const files: Record<string, { bytes: number; sha256: string }> = {};
  const put = (name: string, content: Uint8Array | readonly Uint8Array[]) => {
    writeOwn(join(temporary, name), content);
    const chunks = content instanceof Uint8Array ? [content] : content;
    const hash = createHash("sha256");
    for (const chunk of chunks) hash.update(chunk);
    files[name] = { bytes: chunks.reduce((sum, chunk) => sum + chunk.length, 0), sha256: hash.digest("hex") };
  };
  put(TENSORS, encodeSafetensors({ tensors, metadata: { format: FORMAT } }));
  for (const [name, content] of Object.entries(attachments)) put(name, content);
  const stored: StoredManifest = { format: FORMAT, ...manifest, files };
  writeOwn(join(temporary, MANIFEST), sealedJson(stored));
  writing(folder, () => {
    // A folder of this name is either identical, because the name has the number of steps, or the remains of a kill.
    removeCheckpoint(folder);
    renameSync(temporary, folder);
    syncFolder(parent);
  });
}

/** The path of a checkpoint's manifest, which is written last. */
export function checkpointManifestPath(folder: string): string {
  return join(folder, MANIFEST);
}

/** Whether a folder holds a whole checkpoint. The manifest is written last, and checkpoints are removed by renaming. */
export function holdsCheckpoint(folder: string): boolean {
  return existsSync(checkpointManifestPath(folder));
}

/** Removes a checkpoint. It is renamed first, so that a kill leaves no checkpoint with missing files. */
export function removeCheckpoint(folder: string): void {
  if (!existsSync(folder)) return;
  const removed = join(dirname(folder), `.${basename(folder)}.removed`);
  writing(folder, () => {
    rmSync(removed, { recursive: true, force: true });
    renameSync(folder, removed);
    rmSync(removed, { recursive: true, force: true });
  });
}

/** Removes the remains of checkpoints that a kill interrupted. No other process may write to the folder. */
export function removeRemains(folder: string): void {
  if (!existsSync(folder)) return;
  for (const name of readdirSync(folder))
    if (/^\.\d+(-partial)?\.(part|removed)$/.test(name))
      writing(folder, () => rmSync(join(folder, name), { recursive: true, force: true }));
}

/** The game and the net that a checkpoint is read for. */
export interface ExpectedOwner {
  readonly game: GameConfig;
  readonly net: unknown;
  /** Whether the net can start from the weights of a net with these other settings; absent: it cannot. */
  takesWeightsOf?(net: unknown): boolean;
}

/**
 * Reads a checkpoint and checks its checksums and, if `expected` is given, its game and net. Throws CheckpointUnusable
 * with the reason and the remedy.
 */
export function readCheckpoint(folder: string, expected?: ExpectedOwner): Checkpoint {
  const fail = (reason: string): never => {
    throw new CheckpointUnusable({ path: folder, reason });
  };
  const manifest = readManifest(folder);
  if (expected !== undefined) {
    if (!weightsFit(manifest.game, expected.game))
      fail(
        `it was learned on ${describe(manifest.game)}, not on ${describe(expected.game)}; name a checkpoint of this game`,
      );
    if (!sameValue(manifest.net, expected.net) && expected.takesWeightsOf?.(manifest.net) !== true)
      fail(
        `it holds the net ${describe(manifest.net)}, not ${describe(expected.net)}; name a checkpoint of this net, or give the net the same settings`,
      );
  }
  let tensorBytes: Uint8Array<ArrayBuffer> | undefined;
  for (const [name, { bytes, sha256 }] of Object.entries(manifest.files)) {
    let content: Uint8Array<ArrayBuffer>;
    try {
      content = readWholeFile(join(folder, name), openOwn(join(folder, name), "read"));
    } catch (error) {
      return fail(`its file ${name} cannot be read (${(error as Error).message}); take another checkpoint`);
    }
    if (content.length !== bytes || createHash("sha256").update(content).digest("hex") !== sha256)
      fail(
        `its file ${name} is damaged (the checksum differs); put back a copy of it, or take another checkpoint (ludoflow fork continues from an earlier one)`,
      );
    if (name === TENSORS) tensorBytes = content;
  }
  try {
    const { metadata, tensors } = decodeSafetensors(tensorBytes!, join(folder, TENSORS));
    const { files: _, format, ...rest } = manifest;
    if (metadata["format"] !== format)
      fail(
        `its file ${TENSORS} is of the format "${metadata["format"] ?? "unknown"}", and ${MANIFEST} says "${format}"; take another checkpoint`,
      );
    return { ...rest, tensors: tensors as ReadonlyMap<string, Tensor> };
  } catch (error) {
    if (error instanceof FileCorrupt) return fail(`${error.message}; take another checkpoint`);
    throw error;
  }
}

/** The manifest of a checkpoint, its net in today's words; other files are not read. Throws CheckpointUnusable. */
export function readManifest(folder: string): StoredManifest {
  let text: string;
  try {
    text = readOwnText(join(folder, MANIFEST));
  } catch (error) {
    const reason = !existsSync(folder)
      ? "there is no such folder"
      : isRun(folder)
        ? `it is the folder of a run; ${checkpointsIn(folder)}`
        : existsSync(join(folder, MANIFEST))
          ? `its ${MANIFEST} cannot be read: ${whyUnreadable(error)}`
          : `it has no ${MANIFEST}; a checkpoint is the folder that holds one${checkpointsAround(folder)}`;
    throw new CheckpointUnusable({ path: folder, reason });
  }
  try {
    const manifest = parseManifest(text);
    return { ...manifest, net: withLaterNetOptions(manifest.net as NetConfig) };
  } catch (error) {
    const reason = `its ${MANIFEST} ${error instanceof SyntaxError ? `is no JSON (${error.message})` : (error as Error).message}; take another checkpoint`;
    throw new CheckpointUnusable({ path: folder, reason });
  }
}

/** A checkpoint in the folder of its net. */
export interface KeptCheckpoint {
  readonly path: string;
  readonly learned: number;
  /** True if an interruption ended the version early. */
  readonly partial: boolean;
}

/** The checkpoints of a net, oldest first; those that have lost their manifest are left out. */
export function listCheckpoints(folder: string): KeptCheckpoint[] {
  return checkpointFolders(folder).filter(({ path }) => holdsCheckpoint(path));
}

/** A digest of a checkpoint's manifest, which has checksums of all its other files. */
export function checkpointDigest(folder: string): string {
  return sha256(readOwn(join(folder, MANIFEST)));
}

/** The folders of a net's checkpoints, oldest first: they are made and removed whole, so each has a manifest unless it is damaged. */
export function checkpointFolders(folder: string): KeptCheckpoint[] {
  if (!existsSync(folder)) return [];
  return readdirSync(folder)
    .filter((name) => /^\d+(-partial)?$/.test(name))
    .map((name) => ({
      path: join(folder, name),
      learned: Number.parseInt(name, 10),
      partial: name.endsWith("-partial"),
    }))
    .toSorted((a, b) => a.learned - b.learned);
}

/** The folder name of a checkpoint: the number learned, in ten digits, and whether the version ended early. */
export function checkpointName(learned: number, partial = false): string {
  return `${String(learned).padStart(10, "0")}${partial ? "-partial" : ""}`;
}

function describe(value: unknown): string {
  return (JSON.stringify(value) ?? "nothing").replaceAll('"', "");
}

/** What to name in place of a run's folder: the newest checkpoint of each of its nets. */
function checkpointsIn(run: string): string {
  const newest = newestCheckpoints(run);
  return newest.length === 0 ? "it has no checkpoints yet" : `name a checkpoint: ${newest.join(", ")}`;
}

/** What to name in place of a folder in a run that holds no checkpoint. */
function checkpointsAround(folder: string): string {
  const run = [join(folder, ".."), join(folder, "../../..")].find(isRun);
  return run === undefined || newestCheckpoints(run).length === 0 ? "" : `; ${checkpointsIn(run)}`;
}

function isRun(folder: string): boolean {
  return existsSync(join(folder, "manifest.json"));
}

/** The newest checkpoint of each net of a run. */
export function newestCheckpoints(run: string): string[] {
  const checkpoints = join(run, "checkpoints");
  const names = (folder: string) => (existsSync(folder) ? readdirSync(folder).toSorted() : []);
  return names(checkpoints).flatMap((net) => {
    const last = names(join(checkpoints, net))
      .filter((name) => /^\d+$/.test(name))
      .at(-1);
    return last === undefined ? [] : [join(checkpoints, net, last)];
  });
}

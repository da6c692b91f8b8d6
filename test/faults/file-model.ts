import { mkdirSync, writeFileSync } from "node:fs";
import { dirname, join, relative } from "node:path";
import type { Random } from "../../src/random.ts";
import type { FileOperation } from "./watch-files.ts";

/** What is in a file, and what would be left of it. */
interface ModelFile {
  bytes: Uint8Array;
  /** What the disk has got for certain. */
  synced: Uint8Array;
  /** What was done with it since, in order; without what a failed sync has lost. */
  since: FileOperation[];
}

/**
 * The files below a folder, as a list of changes makes them. Names last at once, as in a file system with a journal; content
 * lasts when it is synced, and may be kept before.
 */
export class FileModel {
  readonly #root: string;
  readonly #files = new Map<string, ModelFile>();
  readonly #folders = new Set<string>();

  constructor(root: string, operations: readonly FileOperation[] = []) {
    this.#root = root;
    for (const operation of operations) this.apply(operation);
  }

  apply(operation: FileOperation): void {
    const { kind, path } = operation;
    if (kind === "make-folder") this.#folders.add(path);
    else if (kind === "remove") this.#drop(path);
    else if (kind === "rename") this.#rename(path, operation.to);
    else {
      const file = this.#files.get(path) ?? { bytes: new Uint8Array(), synced: new Uint8Array(), since: [] };
      // A folder is synced by the same call as a file.
      if (kind === "sync" && !this.#files.has(path)) return;
      this.#files.set(path, file);
      file.bytes = applied(file.bytes, operation);
      if (kind === "sync")
        Object.assign(file, { synced: file.since.reduce(applied, file.synced), since: [] });
      else file.since.push(operation);
    }
  }

  /**
   * A sync of a file that fails: the system takes what was written for written, and no later sync writes it. What a reader sees stays
   * as it was.
   */
  failSync(path: string): void {
    const file = this.#files.get(path);
    if (file !== undefined) file.since = [];
  }

  /** What the disk has got for certain of a file, by its path from the root; nothing of one that is not there. */
  synced(path: string): Uint8Array {
    return this.#files.get(join(this.#root, path))?.synced ?? new Uint8Array();
  }

  /** What the disk has got for certain, as if all else were lost now. */
  keepSynced(): void {
    for (const file of this.#files.values()) Object.assign(file, { bytes: file.synced, since: [] });
  }

  /** What a power cut leaves: of each file what was synced, and by draw a beginning of what came later. */
  cut(random: Random): void {
    for (const file of this.#files.values()) {
      if (file.since.length === 0) continue;
      const kept = random.below(file.since.length + 1);
      let bytes = file.synced;
      for (const operation of file.since.slice(0, kept)) bytes = applied(bytes, operation);
      const next = file.since[kept];
      if (next?.kind === "write" && random.below(2) === 0) bytes = applied(bytes, torn(next, random));
      // The length may have reached the disk before the content.
      if (bytes.length < file.bytes.length && random.below(4) === 0)
        bytes = resized(bytes, file.bytes.length);
      file.bytes = bytes;
    }
  }

  /** The paths from the root of files with content that a power cut may take. */
  unsynced(): string[] {
    return [...this.#files]
      .filter(([, { since }]) => since.some(({ kind }) => kind !== "open"))
      .map(([path]) => relative(this.#root, path));
  }

  /** By path from the root: the content of each file. */
  content(): Map<string, Uint8Array> {
    return new Map(
      [...this.#files]
        .map(([path, { bytes }]) => [relative(this.#root, path), bytes] as const)
        .toSorted(([a], [b]) => (a < b ? -1 : 1)),
    );
  }

  /** Writes the files into another folder. */
  writeTo(folder: string): void {
    mkdirSync(folder, { recursive: true });
    for (const path of this.#folders)
      mkdirSync(join(folder, relative(this.#root, path)), { recursive: true });
    for (const [path, bytes] of this.content()) {
      mkdirSync(dirname(join(folder, path)), { recursive: true });
      writeFileSync(join(folder, path), bytes);
    }
  }

  #drop(path: string): void {
    for (const each of this.#files.keys()) if (isWithin(each, path)) this.#files.delete(each);
    for (const each of this.#folders) if (isWithin(each, path)) this.#folders.delete(each);
  }

  #rename(path: string, to: string): void {
    const files = [...this.#files].filter(([each]) => isWithin(each, path));
    const folders = [...this.#folders].filter((each) => isWithin(each, path));
    this.#drop(path);
    for (const [each, file] of files) this.#files.set(to + each.slice(path.length), file);
    for (const each of folders) this.#folders.add(to + each.slice(path.length));
  }
}

/** A write of which the last bytes are missing. */
export function torn<T extends Extract<FileOperation, { kind: "write" }>>(write: T, random: Random): T {
  return { ...write, bytes: write.bytes.subarray(0, random.below(write.bytes.length)) };
}

function isWithin(path: string, folder: string): boolean {
  return path === folder || path.startsWith(`${folder}/`);
}

function applied(bytes: Uint8Array, operation: FileOperation): Uint8Array {
  if (operation.kind === "open") return operation.truncates ? new Uint8Array() : bytes;
  if (operation.kind === "truncate") return resized(bytes, operation.length);
  if (operation.kind !== "write") return bytes;
  const whole = resized(bytes, Math.max(bytes.length, operation.at + operation.bytes.length));
  whole.set(operation.bytes, operation.at);
  return whole;
}

/** A copy of this length: cut, or with zeros at the end. */
function resized(bytes: Uint8Array, length: number): Uint8Array {
  const copy = new Uint8Array(length);
  copy.set(bytes.subarray(0, length));
  return copy;
}

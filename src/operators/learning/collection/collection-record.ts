import { createHash } from "node:crypto";
import { existsSync, fstatSync, mkdirSync } from "node:fs";
import { join } from "node:path";
import { AppendedFile } from "../../../formats/files/appended-file.ts";
import { writeOwn } from "../../../formats/files/atomic-file.ts";
import { writing } from "../../../formats/files/file-not-written.ts";
import { readOwnText } from "../../../formats/files/own-file.ts";
import type { GameCollection } from "../../run/items.ts";
import type { LeftOut } from "./left-out.ts";
import type { ReadingSummary } from "./read-games.ts";

/** What a run keeps of a collection that a stage has read. */
export interface CollectionRecord {
  /** Adds a line to the list of what is left out. Throws FileNotWritten. */
  leaveOut(each: LeftOut): void;
  /**
   * Writes the record. A resumed run must learn from the games that it began with: if they have changed, returns
   * what to do. Throws FileNotWritten.
   */
  finish(collection: GameCollection, summary: ReadingSummary): string | undefined;
}

/** Opens the record of a stage's collection, `collections/STAGE.json` in the run's folder, and the list beside it. */
export function collectionRecord(folder: string, stage: string): CollectionRecord {
  const place = join(folder, "collections");
  const path = join(place, `${stage}.json`);
  const list = join(place, `${stage}.left-out.txt`);
  writing(place, () => mkdirSync(place, { recursive: true }));
  // A resumed run starts the list again.
  const lines = AppendedFile.open(list, (file) => ({ bytes: 0, size: fstatSync(file).size }));
  return {
    leaveOut: ({ reason, where, why }) => lines.write(Buffer.from(`${where}: ${reason}: ${why}\n`)),
    finish: (collection, summary) => {
      lines.close();
      const sha256 = contentSum(collection);
      if (existsSync(path)) {
        const earlier = storedSum(path);
        if (earlier === undefined) return `${path} is damaged; put back a copy of it, or start a new run`;
        if (earlier === sha256) return undefined;
        return `the files give other games than when the run began (${path}); put the earlier files back, or start a new run`;
      }
      writeOwn(path, `${JSON.stringify({ sha256, ...summary }, null, 1)}\n`);
      return undefined;
    },
  };
}

/** The SHA-256 that a record names; undefined if the record is damaged. */
function storedSum(path: string): string | undefined {
  try {
    const { sha256 } = JSON.parse(readOwnText(path)) as { readonly sha256?: unknown };
    return typeof sha256 === "string" && /^[0-9a-f]{64}$/.test(sha256) ? sha256 : undefined;
  } catch {
    return undefined;
  }
}

/** The SHA-256 of all that a collection holds. */
function contentSum({ groupOf, groups, moves, offsets, parts, returns, starts }: GameCollection): string {
  const sum = createHash("sha256");
  for (const { buffer } of [moves, offsets, returns, parts, groupOf]) sum.update(new Uint8Array(buffer));
  return sum.update(JSON.stringify([groups, [...starts]])).digest("hex");
}

import { existsSync, readdirSync, readFileSync } from "node:fs";
import { dirname, join, posix } from "node:path";
import type { BenchRecord } from "../bench/record.ts";
import { recordTable } from "../bench/record-table.ts";

/*
 * A block of a page that is written from the record of a bench:
 *
 *   <!-- figures: ../results/bench/games.json by ludoflow bench games -->
 *   ...
 *   <!-- /figures -->
 *
 * Where the record is not there yet, the block has figures that were measured by hand, and says so.
 */
const BLOCK = /^<!-- figures: (\S+) by (ludoflow bench [^>]+?) -->\n(.*?)^<!-- \/figures -->$/gms;

/** A block of figures in a page. */
interface Figures {
  /** The record's name: `games`. */
  readonly name: string;
  /** Its path from the root of the checkout. */
  readonly file: string;
  /** The command line that measures it. */
  readonly command: string;
  /** The text of the block. */
  readonly text: string;
}

/** The pages of the notebook with blocks of figures, as paths from the root. */
export function filesWithFigures(root: string): string[] {
  return readdirSync(join(root, "docs/notebook"))
    .filter((name) => name.endsWith(".md"))
    .map((name) => `docs/notebook/${name}`)
    .filter((page) => readFileSync(join(root, page), "utf8").includes("<!-- figures:"));
}

/** The blocks of figures in the text of a page. */
export function figuresOf(text: string, page: string): Figures[] {
  return [...text.matchAll(BLOCK)].map(([, link, command, inside]) => {
    const file = posix.join(posix.dirname(page), link!);
    return { name: posix.basename(file, ".json"), file, command: command!, text: inside! };
  });
}

/** The text of a page with its blocks of figures written anew from their records; blocks without a record stay as they are. */
export function withFigures(text: string, page: string, root: string): string {
  return text.replaceAll(BLOCK, (block: string, link: string, command: string) => {
    const file = join(root, dirname(page), link);
    if (!existsSync(file)) return block;
    const record = JSON.parse(readFileSync(file, "utf8")) as BenchRecord;
    if (record.command !== command)
      throw new Error(
        `${page}: ${link} was measured by ${record.command}, not by ${command}; measure it again`,
      );
    const [head] = block.split("\n");
    return `${head}\n\n${recordTable(record, link)}\n\n<!-- /figures -->`;
  });
}

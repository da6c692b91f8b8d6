import { existsSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";

const folder = join(import.meta.dirname, "corpora");

/** The lines that mutations of a protocol begin with. */
export function seedLines(protocol: string): string[] {
  return linesOf(join(folder, "seeds", `${protocol}.txt`));
}

/** The lines of a protocol that have failed once: each is tried as it is. */
export function failedLines(protocol: string): string[] {
  const file = join(folder, "failed", `${protocol}.txt`);
  return existsSync(file) ? linesOf(file) : [];
}

/** The texts of experiments that have failed once. */
export function failedExperiments(): string[] {
  const experiments = join(folder, "failed/experiments");
  return readdirSync(experiments).map((name) => readFileSync(join(experiments, name), "utf8"));
}

function linesOf(file: string): string[] {
  return readFileSync(file, "utf8").trimEnd().split("\n");
}

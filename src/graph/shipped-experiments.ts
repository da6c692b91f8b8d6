import { existsSync, readdirSync, statSync } from "node:fs";
import { basename, dirname, extname, join, relative, resolve } from "node:path";
import { ExperimentInvalid } from "./problem.ts";
import { shippedFiles, shippedOr } from "./shipped-files.ts";
import { readSource } from "./yaml-source.ts";
import { didYouMean, nearestName } from "../messages/did-you-mean.ts";

/** An experiment that comes with this package. */
export interface ShippedExperiment {
  readonly name: string;
  /** The path of its file. */
  readonly file: string;
  /** What it shows. */
  readonly description: string;
  /** How long a run takes, and on what. */
  readonly cost: string;
  /** Its game, as its file has it; undefined if another file has it. */
  readonly game?: unknown;
}

/** All experiments of this package, read from their files: those of its folder first, then those of the folders in it. */
export function shippedExperiments(): ShippedExperiment[] {
  return [...shippedFiles()].map(([name, file]) => {
    const { description, cost, game } = readSource(file).value as {
      readonly description: string;
      readonly cost: string;
      readonly game?: unknown;
    };
    return { name, file, description, cost, game };
  });
}

/** What a user types for an experiment file: its name if it is one of this package, else its path from the working directory. */
export function typedPath(file: string): string {
  const name = basename(file, ".yaml");
  return shippedFiles().get(name) === resolve(file) ? name : relative(".", file);
}

/**
 * The path of the experiment that a command is given: a file, else the experiment of this package with this name. Throws
 * ExperimentInvalid if it is neither, and suggests the nearest.
 */
export function experimentPath(given: string): string {
  const path = shippedOr(given);
  // Folders and the like are reported by what reads the file.
  if (existsSync(path)) return path;
  const message = `no such file "${given}", and no experiment of ludoflow has this name${meantExperiment(given)} (ludoflow experiments lists the names)`;
  throw new ExperimentInvalid([{ file: given, line: 0, column: 0, path: "", message }]);
}

/** A suggestion: a file beside the path that was given, else the name of an experiment of this package. */
export function meantExperiment(given: string): string {
  const folder = dirname(given);
  const beside =
    statSync(folder, { throwIfNoEntry: false })?.isDirectory() === true ? readdirSync(folder) : [];
  const files = beside.filter((file) => [".yaml", ".yml"].includes(extname(file)));
  const names = files.flatMap((file) => [file, basename(file, extname(file))]);
  const nearest = nearestName(basename(given), names);
  const file = files.find((each) => each === nearest || basename(each, extname(each)) === nearest);
  return file === undefined
    ? didYouMean(basename(given, extname(given)), shippedFiles().keys())
    : `; did you mean "${join(folder, file)}"?`;
}

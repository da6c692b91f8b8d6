import { mkdirSync } from "node:fs";
import { dirname } from "node:path";
import { writeOwn } from "../../../formats/files/atomic-file.ts";
import { LARGEST_LIST, readBoundedText } from "../../../formats/files/bounded-file.ts";
import { writing } from "../../../formats/files/file-not-written.ts";
import { isTooDeep } from "../../../formats/nesting.ts";
import { isPlainMap } from "../../../formats/plain-map.ts";
import { isJsonOf } from "../../../formats/sealed-json.ts";
import { sha256 } from "../../../formats/sha256.ts";
import type { Game } from "../../../games/game.ts";
import type { GameConfig } from "../../../games/registry.ts";
import { sameValue } from "../../../same-value.ts";
import type { RunFiles } from "../../run/run-files.ts";
import type { AgentConfig, OpenExperiment } from "../../experiment/open-experiment.ts";
import { OpeningsUnusable } from "./openings-unusable.ts";

/** The format of a database of openings. */
const FORMAT = "ludoflow openings 1";

/** How the openings of a database are made. */
export interface OpeningsOf {
  readonly agent: string;
  readonly plies: number;
  /** Minimum number of openings. */
  readonly openings: number;
}

/** A database of openings as it lies in its file, JSON. */
interface OpeningFile {
  readonly format: string;
  /** SHA-256 of the JSON text of all that follows, without spaces. */
  readonly sha256: string;
  readonly game: GameConfig;
  readonly agent: AgentConfig;
  readonly plies: number;
  /** Opening n has the draws of the random stream named (seed, stage, n). */
  readonly seed: number;
  readonly stage: string;
  /** Each opening as its moves in the game's notation, with spaces between them. */
  readonly openings: readonly string[];
}

/** What a database says, without how it is stored. */
type OpeningContent = Omit<OpeningFile, "format" | "sha256">;

/** The stage whose database is written. */
interface StageOfOpenings {
  readonly files: RunFiles;
  readonly opened: OpenExperiment;
  readonly stage: string;
}

/** Writes a stage's openings to its database in the run's folder. Throws FileNotWritten. */
export function writeOpenings(
  { files, opened, stage }: StageOfOpenings,
  of: OpeningsOf,
  openings: readonly Int32Array[],
): void {
  const { agents, game, seed } = opened.experiment;
  const content = {
    game,
    agent: agents[of.agent]!,
    plies: of.plies,
    seed,
    stage,
    openings: openings.map((opening) => openingText(opened.game, opening)),
  };
  writeDatabase(files.openings(stage), content);
}

/**
 * Copies a database of another run into the run's folder, so that the run does not depend on other files. What it says is copied, not
 * its bytes: spaces that were changed by hand do not make other results. Throws OpeningsUnusable and FileNotWritten.
 */
export function adoptOpenings(
  { files, stage }: Pick<StageOfOpenings, "files" | "stage">,
  path: string,
): void {
  writeDatabase(files.openings(stage), readUsable(path, databaseIn));
}

/**
 * The first `of.openings` openings of a database. Throws OpeningsUnusable if it cannot be read, is damaged, has another
 * game, agent or length, or has too few openings.
 */
export function readOpenings(opened: OpenExperiment, of: OpeningsOf, path: string): Int32Array[] {
  return readUsable(path, (text) => openingsIn(opened, of, text));
}

/** What `read` makes of the text of a database. Throws OpeningsUnusable. */
function readUsable<A>(path: string, read: (text: string) => A): A {
  try {
    return read(readBoundedText(path, LARGEST_LIST));
  } catch (error) {
    throw new OpeningsUnusable(path, (error as Error).message);
  }
}

/** The content of a database, from its text. Throws Error if the text is not a database, is of another format or is damaged. */
export function databaseIn(text: string): OpeningContent {
  let stored: unknown;
  try {
    stored = JSON.parse(text);
  } catch (error) {
    throw new Error(`is no JSON (${(error as Error).message})`, { cause: error });
  }
  if (!isPlainMap(stored) || isTooDeep(stored)) throw new Error("is not a database of openings");
  const { format, sha256, ...content } = stored as unknown as OpeningFile;
  if (format !== FORMAT)
    throw new Error(
      `is of the format "${(format as string | undefined) ?? "unknown"}"; this program reads "${FORMAT}"`,
    );
  if (sha256 !== checksum(content) || !isJsonOf(stored, text))
    throw new Error("does not match its checksum: it is damaged or has been changed; build it again");
  if (!Array.isArray(content.openings) || !content.openings.every((each) => typeof each === "string"))
    throw new Error("has no list of openings");
  return content;
}

function openingsIn({ experiment, game }: OpenExperiment, of: OpeningsOf, text: string): Int32Array[] {
  const content = databaseIn(text);
  const check = (what: string, is: unknown, wanted: unknown) => {
    if (!sameValue(is, wanted))
      throw new Error(`was built with the ${what} ${JSON.stringify(is)}, not ${JSON.stringify(wanted)}`);
  };
  check("game", content.game, experiment.game);
  check("agent", content.agent, experiment.agents[of.agent]);
  check("plies", content.plies, of.plies);
  if (content.openings.length < of.openings)
    throw new Error(`holds ${content.openings.length} openings, ${of.openings} are wanted`);
  return content.openings.slice(0, of.openings).map((opening) => openingActions(game, opening));
}

function writeDatabase(path: string, content: OpeningContent): void {
  const file: OpeningFile = { format: FORMAT, sha256: checksum(content), ...content };
  writing(path, () => mkdirSync(dirname(path), { recursive: true }));
  writeOwn(path, `${JSON.stringify(file, null, 1)}\n`);
}

function checksum(content: OpeningContent): string {
  return sha256(JSON.stringify(content));
}

function openingText(game: Game<unknown>, opening: Int32Array): string {
  const state = game.initial();
  return Array.from(opening, (action) => {
    const text = game.notation.format(state, action);
    game.play(state, action);
    return text;
  }).join(" ");
}

function openingActions(game: Game<unknown>, text: string): Int32Array {
  const state = game.initial();
  return Int32Array.from(text.split(" "), (move) => {
    const action = game.notation.parse(state, move);
    if (action === undefined) throw new Error(`"${move}" in "${text}" is not a legal move`);
    game.play(state, action);
    return action;
  });
}

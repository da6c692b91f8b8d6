import {
  copyFileSync,
  existsSync,
  linkSync,
  mkdirSync,
  readdirSync,
  renameSync,
  rmSync,
  statSync,
} from "node:fs";
import { basename, dirname, join, relative, resolve, sep } from "node:path";
import { readOwnText } from "../../../formats/files/own-file.ts";
import { checkpointDigest } from "../../../operators/run/weights/checkpoint-files.ts";
import type { AgentSettings } from "../../../protocols/session-agent.ts";
import { netRoles } from "../../../search/definition.ts";
import { JOURNALS } from "./game-journal.ts";

/** The folder of weights that games on the page hold, below the folder of runs. */
const HELD = join("played", ".weights");
const DAY_MS = 24 * 3600_000;

/**
 * The settings of an agent with nets that stay as they are: each checkpoint of a run in the folder `root` is held in `played/.weights`,
 * since a run at work may prune it. Its files are linked there, and take no more space than before; on systems without links they are
 * copied. Throws the system's error if a checkpoint is gone.
 */
export function withHeldNets(root: string, agent: AgentSettings): AgentSettings {
  const held: Record<string, unknown> = {};
  for (const role of netRoles) {
    const net = agent[role];
    if (typeof net === "string" && isWithin(root, net)) held[role] = heldCheckpoint(root, net);
  }
  return { ...agent, ...held };
}

/**
 * Deletes weights that nothing names: no journal of a game, and no run of played games. Those of the last day are kept, for games that
 * are about to begin.
 */
export function dropUnusedWeights(root: string): void {
  const folder = join(resolve(root), HELD);
  const old = Date.now() - DAY_MS;
  const unused = new Set(namesIn(folder).filter((name) => statSync(join(folder, name)).mtimeMs < old));
  if (unused.size === 0) return;
  const [played, journals] = [join(resolve(root), "played"), join(resolve(root), JOURNALS)];
  const texts = [
    ...namesIn(journals).map((name) => join(journals, name)),
    ...namesIn(played).map((name) => join(played, name, "experiment.yaml")),
  ];
  for (const path of texts) {
    if (!existsSync(path)) continue;
    const text = readOwnText(path);
    for (const name of unused) if (text.includes(name)) unused.delete(name);
  }
  for (const name of unused) rmSync(join(folder, name), { recursive: true, force: true });
}

function namesIn(folder: string): string[] {
  return existsSync(folder) ? readdirSync(folder) : [];
}

function isWithin(root: string, path: string): boolean {
  const way = relative(resolve(root), resolve(path));
  return way !== "" && !way.startsWith("..") && !way.startsWith(sep);
}

/** Holds a checkpoint under a name by its content; returns its folder. */
function heldCheckpoint(root: string, checkpoint: string): string {
  const name = `${basename(checkpoint)}-${checkpointDigest(checkpoint).slice(0, 16)}`;
  const folder = join(resolve(root), HELD, name);
  if (existsSync(folder)) return folder;
  const unfinished = `${folder}.${process.pid}.part`;
  rmSync(unfinished, { recursive: true, force: true });
  mkdirSync(unfinished, { recursive: true });
  for (const { isFile, name } of filesOf(checkpoint)) {
    if (!isFile) continue;
    const [from, to] = [join(checkpoint, name), join(unfinished, name)];
    mkdirSync(dirname(to), { recursive: true });
    try {
      linkSync(from, to);
    } catch {
      copyFileSync(from, to);
    }
  }
  renameSync(unfinished, folder);
  return folder;
}

function filesOf(folder: string): { readonly name: string; readonly isFile: boolean }[] {
  return readdirSync(folder, { withFileTypes: true, recursive: true }).map((entry) => ({
    name: relative(folder, join(entry.parentPath, entry.name)),
    isFile: entry.isFile(),
  }));
}

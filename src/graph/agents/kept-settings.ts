import { existsSync, statSync } from "node:fs";
import { readBoundedText } from "../../formats/files/bounded-file.ts";
import { checkpointManifestPath } from "../../operators/run/weights/checkpoint-files.ts";
import type { AgentSettings } from "../../protocols/session-agent.ts";
import { netRoles } from "../../search/definition.ts";
import { LARGEST_FILE } from "../yaml-source.ts";
import { agentSettings, readAgentSettings } from "./agent-settings.ts";
import { agentPath } from "./experiment-agent.ts";

/** Most files whose settings are kept; the one that was requested longest ago gives its place to another one. */
const MOST_FILES = 16;

/** The settings of a file, and the files that they were read from. */
interface Kept {
  readonly file: string;
  readonly settings: AgentSettings;
  readonly texts: ReadonlyMap<string, string>;
}

/**
 * Reads settings of agents as `agentSettings` does, and keeps those of files: a file is parsed and checked again only when its
 * text, or the text of a file that it extends, is another one.
 */
export class KeptSettings {
  readonly #kept = new Map<string, Kept>();

  read(agent: unknown): AgentSettings {
    if (typeof agent !== "string") return agentSettings(agent);
    const kept = this.#kept.get(agent);
    this.#kept.delete(agent);
    const { file } = agentPath(agent);
    const now = kept?.file === file && isUnchanged(kept) ? kept : { file, ...readAgentSettings(agent) };
    // The path of missing weights may name another folder once there is one.
    if (weightPaths(now.settings).every((path) => existsSync(path))) this.#kept.set(agent, now);
    if (this.#kept.size > MOST_FILES) this.#kept.delete(this.#kept.keys().next().value!);
    return now.settings;
  }
}

function isUnchanged({ texts }: Kept): boolean {
  try {
    return [...texts].every(([file, text]) => readBoundedText(file, LARGEST_FILE) === text);
  } catch {
    // What cannot be read any more is reported when it is read again.
    return false;
  }
}

/** See `AgentSource`. A checkpoint is a folder, which is written as a whole. */
export function weightsVersion(settings: AgentSettings): string {
  return weightPaths(settings)
    .flatMap((path) => [path, checkpointManifestPath(path)])
    .map(stampOf)
    .join("\n");
}

/** The folders and files that hold the weights of an agent. */
function weightPaths(settings: AgentSettings): string[] {
  return netRoles
    .flatMap((role) => {
      const net: unknown = settings[role];
      if (typeof net !== "object" || net === null) return [net];
      const { file, weights } = net as { readonly file?: unknown; readonly weights?: unknown };
      return [file, weights];
    })
    .filter((path) => typeof path === "string");
}

/** A text that changes when a file is written or replaced, and when it comes or goes. */
function stampOf(path: string): string {
  try {
    const { ctimeNs, dev, ino, mtimeNs, size } = statSync(path, { bigint: true });
    return [dev, ino, size, mtimeNs, ctimeNs].join(" ");
  } catch (error) {
    return (error as NodeJS.ErrnoException).code ?? String(error);
  }
}

import { basename } from "node:path";
import { isPlainMap } from "../../../formats/plain-map.ts";
import { unsealedJson } from "../../../formats/sealed-json.ts";

/** The file of a checkpoint with its tensors. */
export const TENSORS = "state.safetensors";
/** The format that this version writes. */
export const FORMAT = "ludoflow checkpoint 2";
/** The format of nets that come with ludoflow. */
const EARLIER_FORMAT = "ludoflow checkpoint 1";

/** The description of a checkpoint in its manifest. */
export interface CheckpointManifest {
  /** The game and the net of the learner, as in the experiment file with defaults filled in. */
  readonly game: unknown;
  readonly net: unknown;
  /** The name of the net in its experiment. */
  readonly name: string;
  readonly version: number;
  readonly learned: number;
  readonly unit: "games" | "steps";
  /** The counters of the learner. */
  readonly progress: Readonly<Record<string, number>>;
}

/** A manifest as stored in `checkpoint.json`. */
export interface StoredManifest extends CheckpointManifest {
  readonly format: string;
  /** The other files of the checkpoint, by name. */
  readonly files: Readonly<Record<string, { readonly bytes: number; readonly sha256: string }>>;
}

/** The keys of a manifest, and what each must be. Nets that come with ludoflow have no checksum, and no other keys. */
const KEYS: Readonly<Record<keyof StoredManifest, readonly [what: string, is: (value: unknown) => boolean]>> =
  {
    format: ["a text", isText],
    game: ["a game with its rules", (value) => isPlainMap(value) && isText(value["rules"])],
    net: ["a net with its kind", (value) => isPlainMap(value) && isText(value["use"])],
    name: ["a text", isText],
    version: ["a number that counts", isCount],
    learned: ["a number that counts", isCount],
    unit: ['"games" or "steps"', (value) => value === "games" || value === "steps"],
    progress: ["numbers by name", (value) => isPlainMap(value) && Object.values(value).every(isNumber)],
    files: [
      "sizes and checksums by file",
      (value) => isPlainMap(value) && Object.entries(value).every(isFile),
    ],
  };

/**
 * A manifest from the text of `checkpoint.json`; its checksum is compared. Throws SyntaxError for a
 * text that is no JSON, and an Error whose message ends the sentence "its checkpoint.json ...".
 */
export function parseManifest(text: string): StoredManifest {
  const { format } = Object(JSON.parse(text)) as { readonly format?: unknown };
  if (format !== FORMAT && format !== EARLIER_FORMAT)
    throw new Error(
      `is of the format "${isText(format) ? format : "unknown"}"; this program reads "${FORMAT}" and "${EARLIER_FORMAT}"`,
    );
  const content = unsealedJson(text, Object.keys(KEYS));
  for (const [key, [what, is]] of Object.entries(KEYS))
    if (!is(content[key])) throw new Error(`is not what this program writes: "${key}" is not ${what}`);
  const manifest = content as unknown as StoredManifest;
  if (manifest.files[TENSORS] === undefined) throw new Error(`names no ${TENSORS}`);
  return manifest;
}

function isText(value: unknown): value is string {
  return typeof value === "string";
}

function isNumber(value: unknown): boolean {
  return typeof value === "number";
}

function isCount(value: unknown): boolean {
  return Number.isSafeInteger(value) && (value as number) >= 0;
}

/** Whether this is a file in the checkpoint's own folder, with size and checksum. */
function isFile([name, file]: [string, unknown]): boolean {
  return name === basename(name) && isPlainMap(file) && isCount(file["bytes"]) && isText(file["sha256"]);
}

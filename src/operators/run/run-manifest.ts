import { unsealedJson } from "../../formats/sealed-json.ts";

/** The format of runs, which their manifest names; it holds for all files of a run. */
export const RUN_FORMAT = "ludoflow run 2";

/** A manifest that another version has written, in a format that this one does not read. */
export class OtherRunFormat extends Error {
  constructor(format: unknown) {
    super(
      `is of the format "${typeof format === "string" ? format : "unknown"}"; this program reads "${RUN_FORMAT}"`,
    );
    this.name = "OtherRunFormat";
  }
}

/**
 * The content of a `manifest.json`, whose checksum is compared. Throws OtherRunFormat, SyntaxError for a text that is no JSON,
 * and an Error for damage; their messages end the sentence "FILE ...".
 */
export function parseRunManifest(text: string): Record<string, unknown> {
  const { format } = Object(JSON.parse(text)) as { readonly format?: unknown };
  if (format !== RUN_FORMAT) throw new OtherRunFormat(format);
  return unsealedJson(text);
}

import { readFileSync, writeFileSync } from "node:fs";
import { sealedJson } from "../../src/formats/sealed-json.ts";

/** Changes the content of a file of sealed JSON, as a program of ours could have written it; returns the new text. */
export function rewriteSealed(path: string, change: (content: Record<string, unknown>) => object): string {
  const { sha256: _, ...content } = JSON.parse(readFileSync(path, "utf8")) as Record<string, unknown>;
  const text = sealedJson(change(content));
  writeFileSync(path, text);
  return text;
}

import type { Problem } from "./problem.ts";
import type { Place, Source } from "./yaml-source.ts";

/** The place of a pointer, or of the innermost part around it that has a place. */
export function nearestPlace(
  source: Source,
  pointer: string,
): { readonly at: string; readonly place: Place } | undefined {
  for (let at = pointer; at !== ""; at = at.slice(0, at.lastIndexOf("/"))) {
    const place = source.places.get(at);
    if (place !== undefined) return { at, place };
  }
  return undefined;
}

/** The problem at a place of the source, found by JSON pointer; with `atKey` at the key. */
export function problemAt(source: Source, pointer: string, message: string, atKey = false): Problem {
  const path = pointer
    .split("/")
    .slice(1)
    .map((part) => part.replaceAll("~1", "/").replaceAll("~0", "~"))
    .join(".");
  const found = nearestPlace(source, pointer);
  // What was read from no file has no places.
  const start = source.places.size === 0 ? 0 : 1;
  if (found === undefined) return { file: source.file, line: start, column: start, path, message };
  const { at, place } = found;
  // A missing key is reported at the key of its map.
  const spot = atKey || at !== pointer ? place.key : place.value;
  return { file: place.file, ...spot, path, message };
}

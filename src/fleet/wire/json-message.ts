import { isPlainMap } from "../../formats/plain-map.ts";

/** The text of a message of plain data. */
export function jsonMessage(data: object): string {
  return JSON.stringify(data);
}

/** Reads a message of plain data; undefined if it is none. Its fields are to be looked at before they are used. */
export function readJson(bytes: Uint8Array): Readonly<Record<string, unknown>> | undefined {
  try {
    const data: unknown = JSON.parse(new TextDecoder().decode(bytes));
    return isPlainMap(data) ? data : undefined;
  } catch {
    return undefined;
  }
}

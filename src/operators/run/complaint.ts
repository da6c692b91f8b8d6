/**
 * A mistake in a stage that a schema cannot find. `key` is the setting that it is about, or a place in it: `agents/1`.
 */
export type Complaint = { readonly key?: string; readonly message: string } | UnknownName;

/** A complaint about a name that does not exist in the experiment. */
export interface UnknownName {
  readonly key: string;
  /** The kind of thing that has the name: `net`, `agent`. */
  readonly what: string;
  readonly unknown: string;
  readonly known: readonly string[];
}

/** The complaint about a setting that must name one of `among` and does not; empty if it does. */
export function complainUnknown(
  key: string,
  what: string,
  name: string,
  among: Readonly<Record<string, unknown>>,
): UnknownName[] {
  return Object.hasOwn(among, name) ? [] : [{ key, what, unknown: name, known: Object.keys(among) }];
}

const TAG = "NumberUnsound";

/**
 * A number that may enter no tree, no table and no file: it is NaN or infinite, or not one of those that were promised. The message names
 * the net or game that gave it, the output, and the position.
 */
export class NumberUnsound extends Error {
  readonly _tag = TAG;

  constructor(message: string) {
    super(message);
    this.name = TAG;
  }
}

/** Whether an error is a `NumberUnsound`, also one of another thread. */
export function isNumberUnsound(error: unknown): boolean {
  return (Object(error) as { readonly _tag?: unknown })._tag === TAG;
}

/** A mistake in the arguments of a command, which the message describes. */
export class UsageError extends Error {
  constructor(message: string) {
    super(message);
    this.name = "UsageError";
  }
}

/** A command that cannot be followed. The message follows `?` in the response. */
export class GtpError extends Error {
  readonly _tag = "GtpError";

  constructor(message: string) {
    super(message);
    this.name = "GtpError";
  }
}

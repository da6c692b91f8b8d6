/** A fleet cannot be used: its server, its address or the rights there. The message says what to do. */
export class FleetUnavailable extends Error {
  readonly _tag = "FleetUnavailable";

  constructor(message: string) {
    super(message);
    this.name = "FleetUnavailable";
  }
}

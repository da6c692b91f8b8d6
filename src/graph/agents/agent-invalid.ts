/** The settings of an agent cannot be used; the message says why. */
export class AgentInvalid extends Error {
  readonly _tag = "AgentInvalid";

  constructor(message: string) {
    super(message);
    this.name = "AgentInvalid";
  }
}

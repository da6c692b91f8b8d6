/**
 * A player could not go on: an outside program gave up, died, hung or broke the rules. The message says who and why;
 * the seat is known to whoever asked.
 */
export class PlayerFailed extends Error {
  readonly _tag = "PlayerFailed";

  constructor(message: string) {
    super(message);
    this.name = "PlayerFailed";
  }
}

/**
 * A player could not continue: an outside program gave up, died, hung or broke the rules. The message names the player and
 * the reason. The caller knows the seat.
 */
export class PlayerFailed extends Error {
  readonly _tag = "PlayerFailed";

  constructor(message: string) {
    super(message);
    this.name = "PlayerFailed";
  }
}

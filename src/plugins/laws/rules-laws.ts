import { CHANCE, OVER } from "../../games/game.ts";
import { sharedPart } from "./parts-of-states.ts";
import type { Law, Trial } from "./trial.ts";

/** The seat to move and the legal actions agree, and come in order. Returns the actions. */
export function legalActions<S>(trial: Trial<S>, state: S): readonly number[] {
  const { actions, chance, maxLegal, players } = trial.game;
  const mover = trial.game.toMove(state);
  if (mover !== OVER && mover !== CHANCE && !(Number.isInteger(mover) && mover >= 0 && mover < players))
    trial.broken(
      "toMove",
      `toMove gave ${mover}; it is a seat from 0 to ${players - 1}, CHANCE (-1) or OVER (-2)`,
    );
  if (mover === CHANCE && chance === undefined)
    trial.broken("chance", "toMove gave CHANCE, and chance is missing: it says how likely each outcome is");
  const legal = trial.legal(state);
  const count = legal.length;
  if (mover === OVER && count !== 0)
    trial.broken("over", `legal gave ${count} actions when the game was over; it gives 0 then`);
  if (mover !== OVER && count < 1)
    trial.broken(
      "none",
      "legal gave no action though the game is not over: a seat without a move needs a pass, or toMove another seat",
    );
  if (count > maxLegal) trial.broken("most", `legal gave ${count} actions, and maxLegal is ${maxLegal}`);
  for (const [i, action] of legal.entries()) {
    if (action < 0 || (mover !== CHANCE && action >= actions))
      trial.broken("range", `legal gave the action ${action}; actions are numbers from 0 to ${actions - 1}`);
    if (i > 0 && action <= legal[i - 1]!)
      trial.broken(
        "order",
        `legal gave ${legal[i - 1]} before ${action}; actions come in increasing order, each once`,
      );
  }
  if (trial.legal(state).join() !== legal.join())
    trial.broken("legal", "legal gave other actions when it was called again; it must not change the state");
  return legal;
}

/** A copy is whole, whatever the other state held before, and shares nothing with the original. */
export const copies: Law = (trial, state, actions) => {
  const { game, spare } = trial;
  const fresh = trial.copyOf(state);
  trial.same("copy", "a copy into a new state is another position", fresh, state);
  game.copy(state, spare);
  trial.same(
    "copy over",
    "a copy over a state of later or earlier plies is another position: copy leaves something of it",
    spare,
    state,
  );
  const shared = sharedPart(state, fresh);
  if (shared !== undefined)
    trial.broken("shared", `copy shares \`${shared}\` with the original: copy its contents`);
  const before = game.notation.position(state);
  let legal = actions;
  for (let i = 0; i < 3 && legal.length > 0; i++) {
    const action = trial.draw(spare, legal);
    game.play(fresh, action);
    game.play(spare, action);
    legal = trial.legal(spare);
  }
  if (game.notation.position(state) !== before) trial.broken("apart", "moves on a copy changed the original");
  trial.same("copies", "two copies of one state play on to different positions", fresh, spare);
};

/** Every seat has a finite return, at the end within the bounds. */
export const returns: Law = (trial, state) => {
  const { game } = trial;
  const [least, most] = game.returnBounds;
  const written = new Float64Array(game.players).fill(Number.NaN);
  game.returns(state, written);
  for (const [seat, value] of written.entries()) {
    if (Number.isNaN(value)) trial.broken("returns", `returns wrote no number for seat ${seat}`);
    if (!Number.isFinite(value))
      trial.broken("returns", `returns gave ${value} for seat ${seat}; every return is finite`);
    if (game.toMove(state) === OVER && (value < least || value > most))
      trial.broken(
        "bounds",
        `seat ${seat} has the return ${value} at the end; returnBounds are ${least} and ${most}`,
      );
  }
};

import { CHANCE } from "../../games/game.ts";
import { everyFew, type Law, type Trial } from "./trial.ts";

/** Legal actions that are played in a position and in its images. */
const PLAYED = 4;

/** Symmetry 0 is the identity, and each symmetry has one inverse. Returns the inverses by symmetry. */
export function inverses<S>(trial: Trial<S>): readonly number[] {
  const { actions, players, symmetry } = trial.game;
  if (symmetry === undefined) return [];
  const all = Array.from({ length: symmetry.count }, (_, number) => number);
  const everyAction = Array.from({ length: actions }, (_, action) => action);
  const everySeat = Array.from({ length: players }, (_, seat) => seat);
  if (
    !everyAction.every((action) => symmetry.action(action, 0) === action) ||
    !everySeat.every((seat) => symmetry.seat(seat, 0) === seat)
  )
    trial.broken("identity", "symmetry 0 is not the identity: it changes actions or seats");
  return all.map((number) => {
    const undone = all.filter(
      (other) =>
        everySeat.every((seat) => symmetry.seat(symmetry.seat(seat, number), other) === seat) &&
        everyAction.every((action) => symmetry.action(symmetry.action(action, number), other) === action),
    );
    if (undone.length !== 1)
      trial.broken(
        "inverse",
        `symmetry ${number} is undone by ${undone.length} symmetries in actions and seats; each has one inverse`,
      );
    return undone[0]!;
  });
}

/** The image of a move in the image of a position, under one symmetry: in all positions. */
export const imagesOfMoves: Law = (trial, state, actions) => {
  const { symmetry } = trial.game;
  if (symmetry === undefined || trial.game.toMove(state) < 0) return;
  const number = trial.random.below(symmetry.count);
  commutes(trial, state, number, trial.draw(state, actions));
};

/** All symmetries map a position, its returns and its legal actions, and are undone by their inverses. */
export function images<S>(
  inverse: readonly number[],
  trial: Trial<S>,
  state: S,
  actions: readonly number[],
): void {
  const { game } = trial;
  const { players, symmetry } = game;
  if (symmetry === undefined) return;
  const mover = game.toMove(state);
  const [before, after] = [new Float64Array(players), new Float64Array(players)];
  game.returns(state, before);
  for (const number of inverse.keys()) {
    const image = trial.image(state, number);
    if (number === 0)
      trial.same("identity", "symmetry 0 changes the position; it is the identity", image, state);
    trial.same(
      "inverse",
      `symmetry ${inverse[number]} undoes symmetry ${number} in actions and seats, but not in the position`,
      trial.image(image, inverse[number]!),
      state,
    );
    const inPlace = trial.copyOf(state);
    symmetry.transform(inPlace, number, inPlace);
    trial.same(
      "in place",
      `symmetry ${number} transforms a state in place otherwise than into another state`,
      inPlace,
      image,
    );
    game.returns(image, after);
    if (before.some((value, seat) => value !== after[symmetry.seat(seat, number)]))
      trial.broken("symmetry returns", `returns are others in the image under symmetry ${number}`);
    if (game.toMove(image) !== (mover < 0 ? mover : symmetry.seat(mover, number)))
      trial.broken("symmetry mover", `another seat is to move in the image under symmetry ${number}`);
    const mapped = mover === CHANCE ? undefined : actions.map((action) => symmetry.action(action, number));
    if (mapped === undefined) chanceCommutes(trial, state, number, actions);
    else if (mapped.toSorted((a, b) => a - b).join() !== trial.legal(image).join())
      trial.broken(
        "symmetry legal",
        `the legal actions in the image under symmetry ${number} are not the images of the legal ones`,
      );
    else for (const action of everyFew(actions, PLAYED)) commutes(trial, state, number, action);
  }
}

function commutes<S>(trial: Trial<S>, state: S, number: number, action: number): void {
  trial.same(
    "symmetry",
    `symmetry ${number} does not commute with moves: the image of a move in the image is another position than the image of the position after it`,
    trial.after(trial.image(state, number), trial.game.symmetry!.action(action, number)),
    trial.image(trial.after(state, action), number),
  );
}

/** Outcomes have no symmetry of their own: the positions after all of them are compared. */
function chanceCommutes<S>(trial: Trial<S>, state: S, number: number, outcomes: readonly number[]): void {
  const { notation } = trial.game;
  const image = trial.image(state, number);
  const texts = (states: readonly S[]) =>
    states
      .map((each) => notation.position(each))
      .toSorted()
      .join("\n");
  if (
    texts(trial.legal(image).map((outcome) => trial.after(image, outcome))) !==
    texts(outcomes.map((outcome) => trial.image(trial.after(state, outcome), number)))
  )
    trial.broken(
      "symmetry chance",
      `symmetry ${number} does not commute with chance: other positions can follow in the image`,
    );
}

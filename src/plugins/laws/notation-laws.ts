import { CHANCE, type PositionErrorCode } from "../../games/game.ts";
import { stateText } from "../../games/plain-state.ts";
import type { Random } from "../../random.ts";
import { described, everyFew, type Law, LawBroken, type Trial } from "./trial.ts";

/** Texts that are damaged of each position. */
const DAMAGED = 8;
/** Plies that are played on from a position, and from every tenth position. */
const PLIES = 20;
const MANY_PLIES = 1000;
/** Texts of earlier moves that are tried in a position. */
const EARLIER = 80;

const codes: Readonly<Record<PositionErrorCode, true>> = {
  ERR_SYNTAX: true,
  ERR_SIZE: true,
  ERR_PIECES: true,
  ERR_CARDS: true,
  ERR_TURN: true,
  ERR_SCORE: true,
};

/** Each legal action has its own text, which is read as this action. */
export const moves: Law = (trial, state, actions) => {
  const { notation } = trial.game;
  const texts = new Map<string, number>();
  for (const action of actions) {
    const text = notation.format(state, action);
    const other = texts.get(text);
    if (other !== undefined)
      trial.broken("format", `notation.format writes the actions ${other} and ${action} both as "${text}"`);
    texts.set(text, action);
    const parsed = notation.parse(state, text);
    if (parsed !== action)
      trial.broken(
        "parse",
        `notation.parse reads "${text}" as ${parsed}; notation.format wrote the action ${action}`,
      );
    trial.moves.add(text);
  }
};

/** No other text is read as an action: not one of an earlier move that is not legal now, nor a damaged one. */
export const otherTexts: Law = (trial, state, actions) => {
  const { notation } = trial.game;
  const legal = new Map(actions.map((action) => [notation.format(state, action), action]));
  const [first = ""] = legal.keys();
  for (const text of [
    "",
    "?",
    " ",
    `${first} `,
    `${first}${first}`,
    ...everyFew([...trial.moves], EARLIER),
  ]) {
    const parsed = notation.parse(state, text);
    if (parsed !== legal.get(text))
      trial.broken(
        "other texts",
        `notation.parse reads "${text}" as ${parsed}; notation.format writes no legal action so: it is undefined`,
      );
  }
};

/** A position that was written and read is the same position. */
export const positions: Law = (trial, state) => {
  if (trial.game.notation.position(state).includes("\n"))
    trial.broken("line", "notation.position writes more than one line");
  trial.same(
    "position",
    "notation.parsePosition reads a text of notation.position as another position",
    readBack(trial, state),
    state,
    false,
  );
};

/** The state that the own text of a position names. */
function readBack<S>(trial: Trial<S>, state: S): S {
  const { notation } = trial.game;
  const reading = notation.parsePosition(notation.position(state));
  if ("state" in reading) return reading.state;
  return trial.broken(
    "position",
    `notation.parsePosition refuses a text of notation.position: ${reading.error.message}`,
  );
}

/** A position that was written and read plays on as the original does. */
export const playsOn: Law = (trial, state) => {
  const { game } = trial;
  const read = readBack(trial, state);
  const original = trial.copyOf(state);
  const plies = trial.positions.length % 10 === 0 ? MANY_PLIES : PLIES;
  for (let ply = 0; ply < plies; ply++) {
    const actions = trial.legal(original);
    if (actions.length === 0) return;
    const action = trial.draw(original, actions);
    game.play(original, action);
    game.play(read, action);
    trial.same(
      "position plays",
      "a position that was written and read plays on to another position: its text leaves something out",
      read,
      original,
      false,
    );
  }
};

/**
 * A damaged text is refused with a code, or names a position that can be written, read and played on. Derived texts of states
 * (`plain-state.ts`) promise less: they are checked for kinds and lengths alone.
 */
export const damagedTexts: Law = (trial, state) => {
  const { notation } = trial.game;
  const text = notation.position(state);
  trial.positions.push(text);
  if (notation.position === stateText) return;
  for (let i = 0; i < DAMAGED; i++) readOrRefused(trial, damaged(text, trial.positions, trial.random));
  readOrRefused(trial, randomText(trial.random));
};

function readOrRefused<S>(trial: Trial<S>, text: string): void {
  const { game } = trial;
  const broken = (what: string) =>
    trial.broken("damaged", `of the text "${text}" notation.parsePosition ${what}`);
  let step = "threw";
  try {
    const reading = game.notation.parsePosition(text);
    if ("error" in reading) {
      const { code, message } = reading.error;
      if (!Object.hasOwn(codes, code))
        broken(`gives the code ${code}; codes are ${Object.keys(codes).join(", ")}`);
      if (!/\w/.test(message)) broken("gives an error without a message");
      return;
    }
    step = "makes a position that cannot be played on: it threw";
    const { state } = reading;
    const again = game.notation.parsePosition(game.notation.position(state));
    if ("error" in again) return broken(`makes a position whose own text it refuses: ${again.error.message}`);
    trial.same(
      "damaged",
      `a position read from "${text}" is another one once it is written and read`,
      again.state,
      state,
      false,
    );
    for (let ply = 0; ply < PLIES; ply++) {
      const actions = trial.legal(state);
      const mover = game.toMove(state);
      if (actions.length === 0) {
        if (mover >= CHANCE) broken("makes a position in which no action is legal and the game is not over");
        return;
      }
      if (mover >= 0) game.information?.determinize(state, mover, trial.random, trial.spare);
      game.play(state, trial.draw(state, actions));
    }
  } catch (error) {
    throw error instanceof LawBroken
      ? error
      : new LawBroken("damaged", `of the text "${text}" notation.parsePosition ${step} ${described(error)}`);
  }
}

/** One to three random edits: characters left out, put in, replaced or exchanged; parts left out or taken from another text. */
function damaged(text: string, others: readonly string[], random: Random): string {
  const pick = <T>(from: ArrayLike<T>): T => from[random.below(from.length)]!;
  let characters = text.split("");
  for (let edits = 1 + random.below(3); edits > 0; edits--) {
    const other = pick(others);
    const at = random.below(characters.length + 1);
    const kind = random.below(6);
    if (kind === 0) characters.splice(at, 1);
    else if (kind === 1) characters.splice(at, 0, pick(other));
    else if (kind === 2) characters.splice(at, 1, pick(other));
    else if (kind === 3 && characters.length > 0) {
      const [a, b] = [random.below(characters.length), random.below(characters.length)];
      [characters[a], characters[b]] = [characters[b]!, characters[a]!];
    } else {
      const parts = characters.join("").split(" ");
      const theirs = other.split(" ");
      const which = random.below(parts.length);
      if (kind === 4) parts[which] = theirs[Math.min(which, theirs.length - 1)]!;
      else parts.splice(which, 1 + random.below(2));
      characters = parts.join(" ").split("");
    }
  }
  return characters.join("");
}

/** Up to 12 printable characters. */
function randomText(random: Random): string {
  return String.fromCharCode(...Array.from({ length: random.below(13) }, () => 32 + random.below(95)));
}

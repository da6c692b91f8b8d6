import { expect, it } from "vitest";
import { openGame } from "../../../src/games/registry.ts";
import { noteOutsideFile, outsidePlace, placedMessage } from "../../../src/messages/outside-place.ts";
import { inGame } from "../../../src/operators/play/outside-failure.ts";

const game = openGame("tic-tac-toe");
const task = {
  stage: "match",
  index: 7,
  name: [],
  seats: [],
  versions: [],
  generation: 0,
} as unknown as Parameters<typeof inGame>[2];

it("tells of errors that a plug-in throws in which game and after which moves, and leaves others alone", () => {
  const other = new Error("ours");
  expect(inGame(other, game, task, [0, 4])).toBe(other);
  expect([other.message, outsidePlace(other), placedMessage("text")]).toEqual(["ours", undefined, "text"]);

  noteOutsideFile("file:///some%20where/own.ts", "/some where/own.ts");
  const error = new Error("theirs");
  error.stack =
    "Error: theirs\n    at f (/ours.ts:1:2)\n    at g (file:///some%20where/own.ts:3:4)\n    at h (/ours.ts:5:6)";
  expect(placedMessage(error)).toBe("/some where/own.ts:3:4: theirs");
  inGame(error, game, task, [0, 4, 4]);
  // The moves as the game writes them, and from where it cannot play on their numbers.
  expect(error.message).toMatch(/^theirs \(game 7 of stage "match", at ply 3, after a\d b\d .+\)$/);
});

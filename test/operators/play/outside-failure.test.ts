import { execFileSync } from "node:child_process";
import { expect, it } from "vitest";
import { agentSource } from "../../../src/graph/agents/open-agent.ts";
import { RefereeSession } from "../../../src/protocols/referee/session.ts";
import { openGame } from "../../../src/games/registry.ts";
import { noteOutsideFile, outsidePlace, placedMessage } from "../../../src/messages/outside-place.ts";
import { inGame } from "../../../src/operators/play/outside-failure.ts";

const game = openGame("tic-tac-toe");
const experiment = {
  game: { rules: "tic-tac-toe" },
  plugins: ["/it's/own.ts"],
} as unknown as Parameters<typeof inGame>[1]["experiment"];
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
  expect(inGame(other, { experiment, game }, task, [0, 4])).toBe(other);
  expect([other.message, outsidePlace(other), placedMessage("text")]).toEqual(["ours", undefined, "text"]);

  noteOutsideFile("file:///some%20where/own.ts", "/some where/own.ts");
  const error = new Error("theirs");
  error.stack =
    "Error: theirs\n    at f (/ours.ts:1:2)\n    at g (file:///some%20where/own.ts:3:4)\n    at h (/ours.ts:5:6)";
  expect(placedMessage(error)).toBe("/some where/own.ts:3:4: theirs");
  inGame(error, { experiment, game }, task, [0, 4, 4]);
  // The moves as the game writes them, and from where it cannot play on their numbers.
  expect(error.message).toMatch(/^theirs \(game 7 of stage "match", at ply 3, after a\d b\d .+\)/);
  const text = error.message;
  inGame(error, { experiment, game }, task, Array<number>(300).fill(0));
  // Too many moves for a command.
  expect(error.message.slice(text.length)).toMatch(
    /^ \(game 7 of stage "match", at ply 300, after \.\.\. .+\)$/,
  );
});

it("the command in the message plays up to there, and meets the error again", () => {
  noteOutsideFile("file:///own.ts", "/own.ts");
  const error = new Error("theirs");
  error.stack = "Error: theirs\n    at g (/own.ts:3:4)";
  inGame(error, { experiment, game }, task, [0, 4]);
  const command = /; (printf .*) plays up to there$/.exec(error.message)![1]!;
  expect(command).toMatch(/ \| ludoflow referee tic-tac-toe --plugin '\/it'\\''s\/own\.ts'$/);
  const lines = execFileSync("sh", ["-c", command.slice(0, command.indexOf(" | "))], { encoding: "utf8" });
  const session = new RefereeSession("tic-tac-toe", agentSource());
  const responses = lines
    .trim()
    .split("\n")
    .map((line) => JSON.parse(session.respond(line)) as unknown);
  expect(responses.at(-1)).toMatchObject({ plies: 2, toMove: 0 });
});

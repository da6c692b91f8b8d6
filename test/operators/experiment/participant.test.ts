import { describe, expect, it } from "vitest";
import { participantName, participantNamed } from "../../../src/operators/experiment/participant.ts";

describe("the name of a participant", () => {
  it.each([
    ["player", { agent: "player" }],
    ["player@0", { agent: "player", version: 0 }],
    ["deep-1@120", { agent: "deep-1", version: 120 }],
  ])("%s tells agent and version", (name, participant) => {
    expect(participantNamed(name)).toEqual(participant);
    expect(participantName(participant)).toBe(name);
  });
});

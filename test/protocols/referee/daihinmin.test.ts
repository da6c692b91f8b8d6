import { describe, expect, it } from "vitest";
import { agentSource } from "../../../src/graph/agents/open-agent.ts";
import { RefereeSession } from "../../../src/protocols/referee/session.ts";

function send(session: RefereeSession, command: object): Record<string, unknown> {
  return JSON.parse(session.respond(JSON.stringify(command))) as Record<string, unknown>;
}

function legal(position: object): unknown {
  const session = new RefereeSession("daihinmin", agentSource());
  expect(send(session, { cmd: "set", ...position })).toMatchObject({ toMove: 0, over: false });
  return send(session, { cmd: "legal" })["moves"];
}

describe("set of Daihinmin", () => {
  it("knows what beats a table", () => {
    const single = { kind: "single", cells: "HQ" };
    const hand = ["SK", "HK", "D5", "JK"];
    expect(legal({ hand, table: single })).toEqual(["pass", "SK", "HK", "JK"]);
    expect(legal({ hand, table: single, lock: true })).toEqual(["pass", "HK", "JK"]);
    expect(legal({ hand, table: single, revolution: true })).toEqual(["pass", "D5", "JK"]);
    expect(legal({ hand, table: { kind: "group", cells: "HQ DQ" }, lock: true })).toEqual(["pass", "HK *DK"]);
  });

  it("lets the joker complete sequences, at virtual ranks too", () => {
    const table = { kind: "sequence", cells: "S5 *S6 S7" };
    expect(legal({ hand: ["DA", "D2", "H8", "HT", "JK"], table })).toEqual([
      "pass",
      "H8 *H9 HT",
      "*DK DA D2",
      "DA D2 *D+",
    ]);
    expect(
      legal({ hand: ["D3", "D4", "JK"], table: { kind: "sequence", cells: "S6 S7 S8" }, revolution: true }),
    ).toEqual(["pass", "*D- D3 D4", "D3 D4 *D5"]);
  });

  it("lists every play of all cards together", () => {
    const hand = [
      ...["S", "H", "D", "C"].flatMap((suit) => "3456789TJQKA2".split("").map((rank) => suit + rank)),
      "JK",
    ];
    expect(legal({ hand, table: null })).toHaveLength(1 + 2_349 + 72);
    expect(legal({ hand: hand.slice(0, 52), table: null })).toHaveLength(1 + 447);
  });

  it("says what is wrong", () => {
    const session = new RefereeSession("daihinmin", agentSource());
    const error = (command: object) => send(session, { cmd: "set", ...command })["error"];
    expect(error({})).toMatch(/"hand"/);
    expect(error({ hand: ["S3", "S3"] })).toMatch(/S3 twice/);
    expect(error({ hand: ["S1"] })).toMatch(/no card/);
    expect(error({ hand: ["S3"], lock: "yes" })).toMatch(/"lock" must be/);
    expect(error({ hand: ["S3"], table: { kind: "pair", cells: "S4 H4" } })).toMatch(/single, group/);
    expect(error({ hand: ["S3"], table: { kind: "single", cells: "S4 H4" } })).toMatch(/is no single/);
    expect(send(session, { cmd: "branching", longest: 12 })["error"]).toMatch(/3 to 11/);
    expect(send(new RefereeSession("2048", agentSource()), { cmd: "branching" })["error"]).toMatch(
      /command of daihinmin/,
    );
  });
});

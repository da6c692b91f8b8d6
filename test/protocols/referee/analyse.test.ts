import { describe, expect, it } from "vitest";
import { agentSource } from "../../../src/graph/agents/open-agent.ts";
import { RefereeSession } from "../../../src/protocols/referee/session.ts";

type Reply = Record<string, unknown>;

function send(session: RefereeSession, line: Reply): Reply {
  return JSON.parse(session.respond(JSON.stringify(line))) as Reply;
}

/** A session of tic-tac-toe after these moves. */
function after(...moves: string[]): RefereeSession {
  const session = new RefereeSession("tic-tac-toe", agentSource());
  for (const move of moves) send(session, { cmd: "play", move });
  return session;
}

describe("analyse with a depth-first search", () => {
  it("gives the value and all best moves, the agent's keys under agent or on the line", () => {
    const session = after("b2", "b1");
    for (const use of ["max-n", "paranoid", "best-reply"]) {
      const named = send(session, { cmd: "analyse", agent: { use, depth: 9 } });
      expect(named["value"]).toBe(1);
      // Every move but the one opposite wins.
      expect(named["best"]).toEqual(["a3", "c3", "a2", "c2", "a1", "c1"]);
      expect(named["moveValues"]).toMatchObject({ a3: 1, b3: 0.5, c3: 1 });
      expect(send(session, { cmd: "analyse", use, depth: 9 })).toEqual(named);
    }
  });

  it("values every move, though the same agent that plays cuts some", () => {
    const session = after("a3");
    const { moveValues, best } = send(session, { cmd: "analyse", use: "paranoid", depth: 9 });
    expect(best).toEqual(["b2"]);
    expect(Object.values(moveValues as object)).toEqual([0, 0, 0, 0.5, 0, 0, 0, 0]);
    const losing = after("a3", "b3");
    expect(send(losing, { cmd: "analyse", use: "paranoid", depth: 9 })["value"]).toBe(1);
    const cut = send(losing, { cmd: "analyse", use: "paranoid", depth: 9, pruning: "full" });
    expect(cut["value"]).toBe(1);
  });

  it("of Blokus takes value and payoff by name", () => {
    const session = new RefereeSession("blokus-duo", agentSource());
    const analyse = (options: Reply) => send(session, { cmd: "analyse", use: "best-reply", ...options });
    expect(analyse({ depth: 1, value: "placed" })["value"]).toBe(5);
    expect(analyse({ depth: 1, value: "score" })["value"]).toBe(-84);
    expect(analyse({ depth: 1, value: "score", payoff: "margin" })["value"]).toBe(5);
    expect(analyse({ depth: 2, value: "placed", payoff: "margin" })["value"]).toBe(0);
    expect(analyse({ depth: 1, value: "squares" })["error"]).toMatch(/known: auto, placed, score, returns/);
    expect(analyse({ deep: 1 })["error"]).toMatch(/unknown option "deep"/);
  });

  it("genmove takes the agent's keys from the line as well", () => {
    expect(send(after("b2", "b1"), { cmd: "genmove", use: "paranoid", depth: 9 })["move"]).toBe("a3");
    expect(send(after(), { cmd: "genmove", depth: 9 })["error"]).toMatch(/"genmove" needs "agent"/);
  });
});

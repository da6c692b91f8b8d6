import { readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";
import type { Game } from "../../../../src/games/game.ts";
import { openConfiguredGame } from "../../../../src/games/registry.ts";
import { goDialect } from "../../../../src/protocols/gtp/go/go.ts";
import { GtpSession } from "../../../../src/protocols/gtp/session.ts";
import { SessionAgent } from "../../../../src/protocols/session-agent.ts";
import { replay } from "../transcript.ts";

const transcript = readFileSync(join(import.meta.dirname, "sessions/kigo.txt"), "utf8");

/** An agent that plays these moves one after the other, so that the transcript does not depend on any search. */
function playing(moves: readonly string[], game: Game<unknown>): SessionAgent {
  const left = moves.values();
  const search = {
    maxRequest: 0,
    // oxlint-disable-next-line require-yield -- it makes no requests
    *search(state: unknown) {
      const action = game.notation.parse(state, left.next().value!)!;
      return {
        action,
        values: [0, 0],
        actions: Int32Array.of(action),
        visits: new Float64Array(1),
        actionValues: new Float64Array(1),
        samples: [],
      };
    },
  };
  return new SessionAgent(search, { best: "any", valued: game, valueBounds: undefined });
}

it("says line by line what the board Kigo received in a whole game, to its score", () => {
  const moves = [...transcript.matchAll(/^> genmove white\n= (\S+)$/gm)].map(([, move]) => move!);
  const session = new GtpSession({
    dialect: goDialect,
    game: { rules: "go", size: 9, komi: 6.5 },
    open: ({ rules, ...options }) => {
      const opened = openConfiguredGame(rules, options);
      const game = opened.game as Game<unknown>;
      return { game, config: opened.config, newAgent: () => playing(moves, game) };
    },
    seed: 0,
    program: { name: "ludoflow", version: "0" },
    files: {
      read: () => "",
      write: () => undefined,
    },
  });
  replay(session, transcript);
  // Both sides have passed, and Kigo's score is that of the rules: no dead stone is left.
  expect(transcript.match(/^> (genmove white\n= PASS|play black pass)$/gm)!.length).toBeGreaterThan(1);
  expect(session.respond("final_score")).toBe("= B+74.5\n\n");
  expect(session.respond("genmove b")).toBe("= PASS\n\n");
});

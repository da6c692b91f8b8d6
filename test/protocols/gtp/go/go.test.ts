import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import type { Game } from "../../../../src/games/game.ts";
import { openGame } from "../../../../src/games/registry.ts";
import { agentKinds } from "../../../../src/operators/experiment/agent-kinds.ts";
import { kataForm, leelaForm } from "../../../../src/protocols/gtp/analysis.ts";
import { goDialect } from "../../../../src/protocols/gtp/go/go.ts";
import type { GtpPlayer } from "../../../../src/protocols/gtp/player.ts";
import { GtpSession } from "../../../../src/protocols/gtp/session.ts";
import { Random } from "../../../../src/random.ts";
import { driveEpisode } from "../../../../src/search/drive.ts";
import { episode } from "../../../../src/search/episode.ts";
import { openSearch } from "../../../../src/search/registry.ts";
import { bear } from "../noise.ts";
import { openForTest } from "../open-for-test.ts";
import { replay } from "../transcript.ts";

const transcripts = join(import.meta.dirname, "transcripts");

function start(agent: object = { use: "random" }, options: object = { size: 9 }): GtpSession {
  return new GtpSession({
    dialect: goDialect,
    game: { rules: "go", ...options },
    open: openForTest({ ...agent }),
    seed: 0,
    program: { name: "ludoflow", version: "0" },
    files: {
      read: (path) => files.get(path) ?? fail(path),
      write: (path, text) => void files.set(path, text),
    },
    warn: (message) => void warnings.push(message),
  });
}

/** What sessions have warned of. */
const warnings: string[] = [];

/** The files of all sessions. */
const files = new Map<string, string>();

function fail(path: string): never {
  throw new Error(`no file ${path}`);
}

const send = (session: GtpSession, ...lines: string[]) =>
  lines.map((line) => session.respond(line)?.trimEnd());

describe("GTP for Go", () => {
  it.each(readdirSync(transcripts))("plays the transcript %s", (file) => {
    replay(start(), readFileSync(join(transcripts, file), "utf8"));
  });

  it("plays a game to its end, in turn, and the game counts as its board does", () => {
    const session = start({ use: "random" }, { size: 5, komi: 0.5, moveLimit: 60 });
    let passes = 0;
    for (let ply = 0; ply < 60 && passes < 2; ply++) {
      const [move] = send(session, `genmove ${"bw"[ply % 2]}`);
      expect(move).toMatch(/^= ([A-E][1-5]|PASS)$/);
      passes = move === "= PASS" ? passes + 1 : 0;
    }
    expect(send(session, "final_score")[0]).toMatch(/^= [BW]\+\d+\.5$/);
  });

  it("follows noise, command by command", () => {
    files.set("B", "(;GM[1]SZ[5];B[aa];W[bb])");
    bear(start({ use: "random" }, { size: 5 }), 250, Random.named("noise"));
    files.clear();
  });

  it("uses no handicap of the agent's file: controllers place the stones", () => {
    const session = start({ use: "random" }, { size: 9, handicap: 4 });
    expect(send(session, "ludoflow-showposition")).toEqual(["= 9/9/9/9/9/9/9/9/9 X"]);
    expect(send(session, "clear_board", "ludoflow-showposition")[1]).toBe("= 9/9/9/9/9/9/9/9/9 X");
    expect(send(session, "boardsize 9", "ludoflow-showposition")[1]).toBe("= 9/9/9/9/9/9/9/9/9 X");
  });
});

describe("game files of Go", () => {
  it("are written as they were played, with set-up stones and moves out of turn, and read again", () => {
    const session = start({ use: "random" }, { size: 7, komi: 0.5, suicide: true });
    send(
      session,
      "set_free_handicap c3 e5",
      "play w d4",
      "play b pass",
      "play w a1",
      "play w b2",
      "savesgf x",
    );
    const [printed, position] = send(session, "printsgf", "ludoflow-showposition");
    expect(printed!.slice(2)).toBe(files.get("x")!.trimEnd());
    expect(printed).toMatch(/SZ\[7\]KM\[0\.5\].*HA\[2\]AB\[ec\]\[ce\]/);
    const other = start();
    expect(send(other, "loadsgf x", "ludoflow-showposition")).toEqual(["=", position]);
    // Black passed between the last two moves of White.
    expect(send(other, "loadsgf x 5", "undo", "undo", "undo", "undo", "undo").at(-1)).toMatch(/cannot undo/);
    expect(send(other, "loadsgf x 2", "printsgf y", "loadsgf y", "undo", "undo").at(-1)).toMatch(
      /cannot undo/,
    );
  });

  it("are read from a position in the middle on, and up to a move that is illegal", () => {
    files.set("middle", "(;SZ[5]KM[0];B[aa];W[bb];AW[cc]AE[aa];B[dd];B[ee];W[ee])");
    const session = start();
    const position = (line: string) => send(session, line, "ludoflow-showposition");
    expect(position("loadsgf middle")[0]).toMatch(/^\? middle: line 1, column \d+: W\[ee\] is not legal/);
    expect(position("loadsgf middle 3")).toEqual(["=", "= X4/1O3/5/5/5 X 5/5/5/5/5 X A5,B4"]);
    expect(position("loadsgf middle 4")[1]).toBe("= 5/1O3/2O2/3X1/5 O 5/1O3/2O2/5/5 X D2");
    expect(position("loadsgf middle 5")[1]).toBe("= 5/1O3/2O2/3X1/4X O 5/1O3/2O2/3X1/5 X E1");
    files.set("chess", "(;GM[2])");
    files.set("text", "no game");
    expect(send(session, "loadsgf chess", "loadsgf text", "loadsgf none")).toEqual([
      expect.stringMatching(/^\? chess: line 1, column 3: GM\[2\] is another game/),
      expect.stringMatching(/^\? text: /),
      '? cannot read the file "none": no file none',
    ]);
  });

  it("leave their rules behind with their game, and report what is wrong in them", () => {
    files.set("nz", "(;SZ[5]KM[0.5]RU[NZ]HA[x];B[aa])");
    const session = start({ use: "random" }, { size: 9, superko: "simple" });
    const rules = (line: string) => send(session, line, "kata-get-rules")[1];
    warnings.length = 0;
    expect(rules("loadsgf nz")).toMatch(/"ko":"SITUATIONAL","suicide":true/);
    expect(warnings).toEqual([expect.stringMatching(/^nz: line 1, column \d+: HA\[x\]/)]);
    expect(rules("clear_board")).toMatch(/"ko":"SIMPLE","suicide":false/);
    expect(send(session, "query_boardsize", "get_komi")).toEqual(["= 5", "= 0.5"]);
    rules("loadsgf nz");
    expect(rules("boardsize 7")).toMatch(/"ko":"SIMPLE","suicide":false/);
  });

  it("are refused where the game went on after its end", () => {
    const session = start({ use: "random" }, { size: 3 });
    expect(send(session, "play b b2", "play w pass", "play b pass", "play w a1", "printsgf").at(-1)).toBe(
      "? cannot save a game in which colours moved out of turn",
    );
  });
});

describe("the status of stones", () => {
  // White's stone in the corner cannot live; all else is settled.
  const settled = "setposition 2O1X/XXXXX/1X1X1/XXXXX/1X1X1 X";

  it("is that of most playouts, the same for the same lines", () => {
    const session = start({ use: "random" }, { size: 5 });
    expect(send(session, settled)).toEqual(["="]);
    expect(send(session, "final_status_list dead", "final_status_list seki")).toEqual(["= C5", "="]);
    expect(send(session, "final_status_list alive")[0]).toMatch(/^= A4 B4 .*E5|^= E5/s);
    // Black owns all points in the end, those of the dead stone too.
    expect(send(session, "estimate_score", "final_score")).toEqual(["= B+17.5", "= B+12.5"]);
    expect(send(session, "final_status_list black_territory")).toEqual([
      expect.stringMatching(/^= A5 B5 D5 A3 C3 E3 A1 C1 E1$/),
    ]);
    expect(send(session, "final_status_list white_territory")).toEqual(["="]);
    expect(send(session, "final_status_list asleep")[0]).toMatch(/^\? invalid status "asleep"/);
    const [ownership] = send(session, "ludoflow-ownership");
    expect(
      ownership!
        .slice(2)
        .split("\n")
        .map((row) => row.split(" ").length),
    ).toEqual([5, 5, 5, 5, 5]);
    expect(send(session, "ludoflow-ownership")).toEqual([ownership]);
  });

  it("keeps the agent from passing in a cleanup", () => {
    // Of two moves with no visits the pass is the last, so the agent's own choice is made to be the pass.
    const session = start({ use: "uct", simulations: 400 }, { size: 5, komi: -30 });
    send(session, settled);
    const cleaned = send(session, "kgs-genmove_cleanup b")[0];
    expect(cleaned).toMatch(/^= [A-E][1-5]$/);
    send(session, "undo", "play w pass", "play b pass");
    expect(send(session, "kgs-genmove_cleanup b")[0]).toMatch(/^= [A-E][1-5]$/);
    expect(send(session, "final_status_list dead")[0]).toMatch(/^=/);
  });
});

/** A session whose search has written some lines. */
function analyse(session: GtpSession, line: string): readonly string[] {
  let text = session.respond(line)!;
  const until = performance.now() + 20_000;
  while (session.streams && text.split("\n").length < 5 && performance.now() < until)
    text += session.advance();
  text += session.end() ?? "";
  expect(text).toMatch(/^=\d*\n(info .*\n)*\n$/);
  return text.trim().split("\n").slice(1);
}

describe("an analysis", () => {
  const info = /info move (\S+) visits (\d+) winrate (\S+) order (\d+) pv ((?:(?!info)\S+ ?)+)/g;

  it("grows while it is watched, and changes nothing", () => {
    const session = start({ use: "uct", simulations: 20 }, { size: 5 });
    const [expected] = send(start({ use: "uct", simulations: 20 }, { size: 5 }), "genmove b");
    const lines = analyse(session, "7 lz-analyze b 2");
    expect(lines.length).toBeGreaterThanOrEqual(3);
    const visits = lines.map((line) =>
      [...line.matchAll(info)].reduce((sum, [, , count]) => sum + Number(count), 0),
    );
    expect(visits).toEqual(visits.toSorted((a, b) => a - b));
    expect(visits.at(-1)).toBeGreaterThan(visits[0]!);
    const moves = [...lines.at(-1)!.matchAll(info)];
    expect(moves.map(([, , , , order]) => Number(order))).toEqual([...moves.keys()]);
    for (const [, move, , winrate, , pv] of moves) {
      expect(pv!.trim().split(" ")[0]).toBe(move);
      expect(Number(winrate)).toBeGreaterThanOrEqual(0);
      expect(Number(winrate)).toBeLessThanOrEqual(10_000);
    }
    expect(send(session, "genmove b")[0]).toBe(expected);
  });

  it("ends with the next line, which gets its response, and says something in any case", () => {
    const session = start({ use: "uct", simulations: 20 }, { size: 5 });
    expect(session.respond("kata-analyze")).toBe("=\n");
    expect(session.streams).toBe(true);
    expect(session.respond("3 name")).toMatch(/^info move .* winrate 0\.\d{6} .*\n\n=3 ludoflow\n\n$/);
    expect(session.respond("lz-analyze w interval 5")).toBe("=\n");
    expect(session.respond("# a remark ends it too")).toMatch(/^info move .*\n\n$/);
    expect([session.streams, session.end()]).toEqual([false, undefined]);
  });

  it("of a search that decides at once has one line, and of a seat without moves none", () => {
    const session = start({ use: "random" }, { size: 3 });
    expect(analyse(session, "lz-analyze")).toHaveLength(1);
    const blocked = start({ use: "random" }, { size: 3, moveLimit: 1 });
    send(blocked, "play b b2");
    expect(blocked.respond("lz-analyze w 1")).toMatch(/^=/);
    blocked.end();
  });

  it("reports only what the search finds out", () => {
    const line = (agent: object) =>
      analyse(start(agent, { size: 3, komi: 0 }), "kata-analyze b 1 maxmoves 1")[0];
    expect(line({ use: "random" })).toMatch(/^info move \S+ order 0 pv \S+$/);
    expect(line({ use: "preferred" })).toMatch(/^info move \S+ order 0 pv \S+$/);
    // Areas are no win shares.
    expect(line({ use: "max-n", depth: 1 })).toMatch(/^info move \S+ order 0 pv \S+$/);
    expect(line({ use: "max-n", depth: 1, value: "returns" })).toMatch(
      /^info move \S+ winrate 0\.000000 order 0/,
    );
    expect(line({ use: "max-n", depth: 1, value: "returns", payoff: "margin" })).toMatch(
      /^info move \S+ winrate 0\.500000 order 0/,
    );
    expect(line({ use: "uct", simulations: 10 })).toMatch(
      /^info move \S+ visits \d+ winrate 0\.\d{6} order 0/,
    );
    const known = { text: "D4", visits: 3, winShare: 0.25, prior: 0.5, variation: ["D4", "pass"] };
    expect(leelaForm([known])).toBe("info move D4 visits 3 winrate 2500 prior 5000 order 0 pv D4 pass");
    expect(kataForm([{ text: "E5", prior: 0.5, variation: ["E5"] }])).toBe(
      "info move E5 prior 0.500000 order 0 pv E5",
    );
  });

  it("is shown with the move that the agent plays", () => {
    const agent = { use: "uct", simulations: 50 };
    const [expected] = send(start(agent, { size: 5 }), "genmove b");
    const session = start(agent, { size: 5 });
    const [shown] = send(session, "kata-genmove_analyze b 10 maxmoves 3");
    const [, infos, move] = /^=\s*\n(info .*)\nplay (\S+)$/.exec(shown!)!;
    expect(`= ${move}`).toBe(expected);
    expect([...infos!.matchAll(info)]).toHaveLength(3);
    expect(infos).toContain(`info move ${move} visits`);
    expect(send(session, "last_move")).toEqual([`= black ${move}`]);
    expect(send(session, "lz-genmove_analyze x")).toEqual(['? invalid colour "x" (known: b, w)']);
  });

  it("refuses what it cannot show, and reads what it need not", () => {
    const session = start();
    const refused: readonly (readonly [string, RegExp])[] = [
      ["lz-analyze b x", /^\? unknown key "x" \(known: interval, /],
      ["kata-analyze x 20", /^\? invalid colour "x" \(known: b, w\)/],
      ["kata-analyze b 20 30", /^\? unknown key "30"/],
      ["lz-analyze avoid b D4 3", /^\? avoid is not supported/],
      ["kata-analyze b 10 ownership", /^\? syntax error: expected a value after ownership/],
      ["kata-analyze b 10 ownership maybe", /^\? ownership is "maybe": expected true or false/],
      ["kata-analyze b 10 maxmoves many", /^\? "many" is not a number/],
      ["kata-analyze interval x", /^\? "x" is not a number/],
    ];
    for (const [line, message] of refused) expect(send(session, line)[0]).toMatch(message);
    expect(analyse(session, "kata-analyze b 1 ownership true maxmoves 3")).not.toEqual([]);
  });
});

describe("a Go program as an agent", () => {
  /** Passes always, and counts as given: the text of a response with its sign. */
  function passing(response: string, options: object = {}) {
    const program = `while read -r id name rest; do
      sign== text=
      case "$name" in
        genmove) text=PASS ;;
        list_commands) text=final_score ;;
        final_score) sign="\${0%% *}" text="\${0#* }" ;;
        set_free_handicap) [ "$rest" = "C7 G7 C3 G3" ] || exit 4 ;;
        komi) [ "$rest" = 2 ] || exit 5 ;;
        boardsize) [ "$rest" = 9 ] || exit 6 ;;
      esac
      printf '%s%s %s\\n\\n' "$sign" "$id" "$text"
    done`;
    const game = openGame("go", { size: 9, komi: 2, ...options }) as Game<unknown>;
    const command = ["/bin/sh", "-c", program, response];
    const agent = openSearch(
      "gtp",
      game,
      { command, dialect: "go", timeoutMs: 30_000 },
      agentKinds(),
    ) as GtpPlayer<unknown>;
    const seat = { search: agent, random: Random.named(0), evaluator: -1 };
    const played = driveEpisode(episode(game, [seat, seat], Random.named(1)), []);
    agent.stop();
    return played;
  }

  it("passes as a move, and objects to no score that it counts too", () => {
    const { actions, dispute, failure, returns } = passing("= W+2.0");
    expect([failure, dispute, [...actions], returns]).toEqual([undefined, undefined, [81, 81], [0, 1]]);
  });

  it("receives handicap stones", () => {
    const { dispute, failure } = passing("= B+79", { handicap: 4 });
    expect([failure, dispute]).toEqual([undefined, undefined]);
  });

  it.each([
    ["= B+2", /^counts "B\+2", and by the rules it is "W\+2"$/],
    ["= 0", /^counts "0", and/],
    ["= W+Resign", /^counts "W\+Resign", and/],
    ["? cannot score", /^gives no score: [^]*refused "final_score": "cannot score"$/],
  ])("objects to the result where it says %s", (response, message) => {
    const { dispute, failure, returns } = passing(response);
    expect(failure).toBe(undefined);
    expect(dispute!.seat).toBe(0);
    expect(dispute!.message).toMatch(message);
    expect(returns).toEqual([0, 1]);
  });
});

describe("a clock", () => {
  it("sets the time of a move in place of simulations, and is left aside where it is to be", () => {
    const agent = { use: "uct", simulations: 10_000_000 };
    const session = start(agent, { size: 5 });
    const processorSeconds = (line: string) => {
      const began = process.cpuUsage();
      expect(send(session, line)[0]).toMatch(/^=/);
      const { system, user } = process.cpuUsage(began);
      return (system + user) / 1e6;
    };
    send(session, "time_settings 0 1 10");
    // All simulations would take minutes.
    expect(processorSeconds("genmove b")).toBeLessThan(20);
    for (const line of ["time_left w 0 0", "genmove w", "time_left b -5 0", "genmove b"])
      expect(processorSeconds(line)).toBeLessThan(20);
  });
});

import { describe, expect, it } from "vitest";
import { openAgent } from "../../../src/graph/agents/open-agent.ts";
import { gtpDialects, gtpRules, dialectOf } from "../../../src/protocols/gtp/dialects.ts";
import { GtpPlayer } from "../../../src/protocols/gtp/player.ts";
import { GtpSession } from "../../../src/protocols/gtp/session.ts";
import { Random } from "../../../src/random.ts";
import { driveEpisode } from "../../../src/search/drive.ts";
import { episode } from "../../../src/search/episode.ts";
import { openSearch } from "../../../src/search/registry.ts";
import { games } from "../../../src/games/registry.ts";
import { openStones, stonesDialect } from "./stones.ts";

/** A session of a game that ludoflow does not have, with files in memory. */
function start() {
  const files = new Map<string, string>();
  const session = new GtpSession({
    dialect: stonesDialect,
    game: { rules: "stones" },
    open: (config) => {
      const opened = openStones(config);
      return { ...opened, newAgent: () => openAgent({ use: "random" }, opened.game) };
    },
    seed: 0,
    program: { name: "stones", version: "0" },
    files: {
      read: (path) => {
        const text = files.get(path);
        if (text === undefined) throw new Error("no such file");
        return text;
      },
      write: (path, text) => void files.set(path, text),
    },
  });
  return { files, send: (...lines: string[]) => lines.map((line) => session.respond(line)?.trimEnd()) };
}

describe("a dialect", () => {
  it("has a name of its own, and games that are there", () => {
    expect(new Set(gtpDialects.map(({ name }) => name)).size).toBe(gtpDialects.length);
    const known = games.map(({ name }) => name);
    for (const { games: spoken } of gtpDialects)
      expect(Object.keys(spoken).filter((rules) => !known.includes(rules))).toEqual([]);
    for (const rules of gtpRules) expect(dialectOf(rules)?.games).toHaveProperty([rules]);
    expect(dialectOf("chess")).toBe(undefined);
  });

  it("owns colours, vertices, passes and scores: the session knows no game by name", () => {
    const { send } = start();
    expect(send("play black A3", "play W c1", "play b B2", "final_score")).toEqual(["=", "=", "=", "= B+1"]);
    expect(send("play w b2", "play w D1", "play w a9", "play red a1")).toEqual([
      "? illegal move: b2",
      "? illegal move: D1",
      "? illegal move: a9",
      '? invalid colour "red" (known: black, white)',
    ]);
    // Without an ability to pass turns over, colours move in turn.
    expect(send("play b a1")).toEqual(["? it is the turn of white, not of black"]);
    expect(send("play w pass", "play b PASS", "genmove w", "final_score")).toEqual([
      "=",
      "=",
      "= pass",
      "= B+1",
    ]);
    expect(send("undo", "ludoflow-showposition")[1]).toBe("= 0,-1,-1,-1,0,-1,-1,-1,1 0");
    const moves = send("genmove b", "genmove w", "genmove b").map((response) => response!.slice(2));
    for (const move of moves) expect(move).toMatch(/^([A-C][1-3]|PASS)$/i);
  });

  it("adds commands of its own, set-up with options among them", () => {
    const { send } = start();
    const [listed] = send("list_commands");
    const names = listed!.slice(2).split("\n");
    expect(names).toEqual(names.toSorted());
    expect(names).toContain("boardsize");
    expect(names).not.toContain("set_game");
    expect(send("boardsize 1", "boardsize", "play b e5")).toEqual([
      "? unacceptable size",
      "? syntax error: expected a size",
      "? illegal move: e5",
    ]);
    expect(send("boardsize 5", "play b e5", "boardsize 5", "undo", "clear_board", "play b E5")).toEqual([
      "=",
      "=",
      "=",
      "? cannot undo: this is the start of the game",
      "=",
      "=",
    ]);
  });

  it("owns game files: an SGF is saved and put up again with its board size", () => {
    const { send, files } = start();
    expect(send("boardsize 4", "play b d4", "play w pass", "play b a1", "savesgf game")).toEqual(
      Array.from({ length: 5 }, () => "="),
    );
    expect(files.get("game")).toBe("(;GM[40]SZ[4]\n;B[da]\n;W[]\n;B[ad]\n)\n");
    const position = send("ludoflow-showposition");
    expect(send("boardsize 3", "loadsgf game", "ludoflow-showposition").slice(1)).toEqual(["=", ...position]);
    expect(send("loadsgf game 2", "ludoflow-showposition")[1]).toBe(
      `= ${[-1, -1, -1, 0, ...Array(12).fill(-1)].join(",")} 1`,
    );
    files.set("bad", "(;SZ[4]\n;B[da]");
    expect(send("loadsgf bad")[0]).toBe(
      "? bad: ERR_TREE_END: line 1, column 1: the game tree that begins here does not end",
    );
    expect(send("setposition x")[0]).toBe("? ERR_SYNTAX: no positions here");
  });

  it("speaks for an outside program as well: it is set up, and passes where a pass is a move", () => {
    const { game } = openStones({ rules: "stones", size: 2 });
    const program = `while read -r id name rest; do
      text=
      case "$name $rest" in
        "boardsize 2") size=2 ;;
        genmove*) [ "$size" = 2 ] || exit 4; text=PASS ;;
        list_commands*) text=genmove ;;
        "play white "*) case "$rest" in "white "[AB][12]|"white PASS") ;; *) exit 5 ;; esac ;;
      esac
      printf '=%s %s\\n\\n' "$id" "$text"
    done`;
    const player = new GtpPlayer(game, stonesDialect.games["stones"]!, {
      command: ["/bin/sh", "-c", program],
      dialect: "stones",
      setUp: [],
      chatter: "refuse",
      perSeat: true,
      timeoutMs: 30_000,
      restart: "after-failure",
    });
    const seats = [player, openSearch("random", game)].map((search, seat) => ({
      search,
      random: Random.named("stones", seat),
      evaluator: -1,
    }));
    const { actions, failure } = driveEpisode(episode(game, seats, Random.named("stones")), []);
    player.stop();
    expect(failure).toBe(undefined);
    expect([...actions].filter((_, ply) => ply % 2 === 0).every((action) => action === 4)).toBe(true);
    expect([...actions].slice(-2)).toEqual([4, 4]);
  });
});

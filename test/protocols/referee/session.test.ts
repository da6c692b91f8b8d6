import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { agentSource } from "../../../src/graph/agents/open-agent.ts";
import { games } from "../../../src/games/registry.ts";
import { RefereeSession } from "../../../src/protocols/referee/session.ts";
import { Random } from "../../../src/random.ts";
import type { ResolveNet } from "../../../src/graph/agents/open-agent.ts";

type Reply = Record<string, unknown>;

const nested = (levels: number) => `${"[".repeat(levels)}${"]".repeat(levels)}`;

function send(session: RefereeSession, command: object): Reply {
  const response = session.respond(JSON.stringify(command));
  expect(response).not.toContain("\n");
  return JSON.parse(response) as Reply;
}

describe("docs/referee.md", () => {
  const text = readFileSync(new URL("../../../docs/referee.md", import.meta.url), "utf8");
  const blocks = [...text.matchAll(/```referee (\S+)\n([\s\S]*?)```/g)];

  it("shows every command", () => {
    const shown = new Set([...text.matchAll(/^> \{"cmd":"(\w+)"/gm)].map((match) => match[1]));
    expect(shown).toEqual(
      new Set([
        "new",
        "play",
        "legal",
        "state",
        "undo",
        "genmove",
        "analyse",
        "perft",
        "position",
        "set",
        "slide",
        "branching",
        "score",
      ]),
    );
  });

  for (const [index, [, game, block]] of blocks.entries())
    it(`gives the responses of session ${index + 1}`, () => {
      const session = new RefereeSession(game!, agentSource());
      const lines = block!.trim().split("\n");
      for (let i = 0; i < lines.length; i += 2) {
        expect([lines[i]![0], lines[i + 1]![0]]).toEqual([">", "<"]);
        const [shown, rest] = lines[i + 1]!.slice(2).split("...");
        const response = session.respond(lines[i]!.slice(2));
        if (rest === undefined) expect(response).toBe(shown);
        else expect(response.slice(0, shown!.length)).toBe(shown);
      }
    });
});

describe("a session", () => {
  it("is a function of its lines", () => {
    const lines = [
      { cmd: "new", options: { seed: 11 } },
      { cmd: "genmove", agent: { use: "random" } },
      { cmd: "genmove", agent: { use: "uct", simulations: 20, exploration: 500 } },
      { cmd: "genmove", agent: { use: "random" } },
      { cmd: "state" },
    ];
    const run = () => {
      const session = new RefereeSession("2048", agentSource());
      return lines.map((line) => send(session, line));
    };
    expect(run()).toEqual(run());
    const other = new RefereeSession("2048", agentSource());
    expect(send(other, { cmd: "new", options: { seed: 12 } })).not.toEqual(run()[0]);
  });

  it("plays a game to its end, undoes it all, and refuses to go on at both ends", () => {
    const session = new RefereeSession("2048", agentSource());
    send(session, { cmd: "new", options: { rows: 2, columns: 2 } });
    const positions: Reply[] = [];
    let reply: Reply = {};
    do {
      positions.push(send(session, { cmd: "state" }));
      reply = send(session, { cmd: "genmove", agent: { use: "random" } });
    } while (reply["over"] === false);
    expect(reply["toMove"]).toBe(null);
    const end = send(session, { cmd: "state" });
    expect(send(session, { cmd: "legal" })).toEqual({ moves: [], count: 0 });
    for (const cmd of ["genmove", "analyse"])
      expect(send(session, { cmd, agent: { use: "random" } })["error"]).toMatch(/the game is over/);
    expect(send(session, { cmd: "play", move: "up" })["error"]).toMatch(/the game is over/);
    expect(send(session, { cmd: "perft", depth: 3 })).toEqual({ count: 0 });
    expect(send(session, { cmd: "state" })).toEqual(end);
    for (const position of positions.toReversed()) {
      send(session, { cmd: "undo" });
      expect(send(session, { cmd: "state" })).toEqual(position);
    }
    expect(send(session, { cmd: "undo" })["error"]).toMatch(/nothing to undo/);
  });

  it("counts the moves of all seats in Blokus, at the start and when it is over", () => {
    const session = new RefereeSession("blokus", agentSource());
    expect(send(session, { cmd: "legal" })).toMatchObject({ count: 58, counts: [58, 58, 58, 58] });
    let plies = 0;
    for (; send(session, { cmd: "state" })["over"] !== true; plies++)
      send(session, { cmd: "genmove", agent: { use: "random" } });
    expect(plies).toBeGreaterThan(20);
    expect(send(session, { cmd: "legal" })).toEqual({ moves: [], count: 0, counts: [0, 0, 0, 0] });
    expect(new RefereeSession("2048", agentSource()).respond('{"cmd":"legal"}')).not.toContain("counts");
  });

  it("gets the same chance when a move is taken back and played again", () => {
    const session = new RefereeSession("2048", agentSource());
    const once = send(session, { cmd: "play", move: "down" });
    send(session, { cmd: "undo" });
    expect(send(session, { cmd: "play", move: "down" })).toEqual(once);
  });

  it("responds to bad lines with an error and continues as if they had not been", () => {
    const session = new RefereeSession("2048", agentSource());
    const before = send(session, { cmd: "state" });
    const bad: readonly [string, RegExp][] = [
      ["", /not JSON/],
      ["{", /not JSON/],
      ["[1]", /a line is an object/],
      ["null", /a line is an object/],
      ["{}", /"cmd" must be one of: new, play/],
      ['{"cmd":7}', /"cmd" must be one of/],
      [`{"cmd":"new","options":{"seed":${nested(5000)}}}`, /nested too deeply; at most 100 levels/],
      [`{"cmd":"genmove","agent":${nested(5000)}}`, /nested too deeply; at most 100 levels/],
      [`{"cmd":"legal","a":${nested(100_000)}}`, /nested too deeply; at most 100 levels/],
      ['{"cmd":"plya"}', /unknown command "plya"; did you mean "play"\?/],
      ['{"cmd":"toString"}', /unknown command/],
      ['{"cmd":"play"}', /needs "move"/],
      ['{"cmd":"play","move":"a1=2"}', /illegal move "a1=2" \(legal: /],
      ['{"cmd":"new","options":[]}', /"options" must be an object/],
      [
        '{"cmd":"new","options":{"seed":"x"}}',
        /"seed" must be a whole number from 0 to 9007199254740991, not "x"/,
      ],
      ['{"cmd":"new","options":{"chance":"mine"}}', /"chance" must be "drawn"/],
      ['{"cmd":"new","options":{"rows":5}}', /rows: expected a whole number from 2 to 4, found 5/],
      ['{"cmd":"perft"}', /needs "depth"/],
      ['{"cmd":"perft","depth":-1}', /needs "depth"/],
      ['{"cmd":"perft","depth":1001}', /needs "depth"/],
      ['{"cmd":"perft","depth":99}', /too deep here/],
      ['{"cmd":"genmove"}', /needs "agent"/],
      ['{"cmd":"genmove","agent":[]}', /an agent is an object/],
      ['{"cmd":"genmove","agent":{}}', /"use" must name a search/],
      ['{"cmd":"genmove","agent":{"use":"gredy"}}', /unknown search "gredy"; did you mean "greedy"\?/],
      ['{"cmd":"genmove","agent":{"use":"mcts-max-n","net":"x"}}', /nets cannot be opened here/],
      ['{"cmd":"genmove","agent":{"use":"greedy","net":"x"}}', /nets cannot be opened here/],
      ['{"cmd":"genmove","agent":{"use":"uct","simulation":9}}', /unknown option "simulation"/],
      ['{"cmd":"genmove","agent":"missing.yaml"}', /cannot read the file "missing.yaml"/],
      ['{"cmd":"set"}', /needs "board"/],
      ['{"cmd":"set","board":[2,2]}', /16 tiles, not 2/],
      ['{"cmd":"set","board":[0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0]}', /cannot be empty/],
      ['{"cmd":"set","board":[1,2,0,0,0,0,0,0,0,0,0,0,0,0,0,0]}', /tile 0 is 1/],
      [
        '{"cmd":"set","board":[262144,2,0,0,0,0,0,0,0,0,0,0,0,0,0,0]}',
        /tile 0 is 262144, .* to 131072 \(2\^17, the greatest that a game can reach\)/,
      ],
      ['{"cmd":"set","board":[null,2,0,0,0,0,0,0,0,0,0,0,0,0,0,0]}', /tile 0 is null, not a number/],
      ['{"cmd":"set","board":[0,"2",0,0,0,0,0,0,0,0,0,0,0,0,0,0]}', /tile 1 is "2", not a number/],
      ['{"cmd":"new","options":{"seed":-1}}', /"seed" must be a whole number from 0 to .*, not -1/],
      ["[1]", /a line is an object such as .*, and this is a list/],
      ["3", /and this is 3/],
      ["null", /and this is null/],
      ['{"cmd":"slide","move":"sideways"}', /needs "move"/],
    ];
    for (const [line, message] of bad) {
      const response = JSON.parse(session.respond(line)) as Reply;
      expect(Object.keys(response)).toEqual(["error"]);
      expect(response["error"]).toMatch(message);
      expect(response["error"]).not.toMatch(/TypeError|undefined|at .*\.ts/);
    }
    expect(send(session, { cmd: "state" })).toEqual(before);
  });

  it("takes every board that play can reach: the fullest of all is over, one tile less plays on to it", () => {
    const session = new RefereeSession("2048", agentSource());
    const chain = Array.from({ length: 16 }, (_, i) => 2 ** (17 - i));
    expect(send(session, { cmd: "set", board: chain })).toMatchObject({ over: true });
    send(session, { cmd: "new", options: { chance: "given" } });
    // 2^16 twice and on: the last merge of all makes the one 2^17.
    const board = [65536, 65536, ...Array<number>(14).fill(0)];
    send(session, { cmd: "set", board });
    send(session, { cmd: "play", move: "left" });
    const reached = (send(session, { cmd: "state" }) as { board: number[] }).board;
    expect(reached[0]).toBe(131072);
    expect(send(session, { cmd: "set", board: reached })).toMatchObject({ over: false });
  });

  it("counts positions, chance outcomes as plies", () => {
    const session = new RefereeSession("2048", agentSource());
    send(session, { cmd: "new", options: { rows: 2, columns: 2, chance: "given" } });
    // 8 first tiles on 4 cells; then 6 on the 3 cells left.
    expect([0, 1, 2].map((depth) => send(session, { cmd: "perft", depth })["count"])).toEqual([1, 8, 48]);
  });

  it("sets up a position from its text, in every game that has one, and reports mistakes by a code", () => {
    const session = new RefereeSession("tic-tac-toe", agentSource());
    send(session, { cmd: "play", move: "b2" });
    expect(send(session, { cmd: "position" })).toEqual({ position: "3/1x1/3 o" });
    const position = "xx1/oo1/3 x";
    expect(send(session, { cmd: "set", position })).toEqual({ toMove: 0, over: false, returns: [0, 0] });
    expect(send(session, { cmd: "position" })).toEqual({ position });
    expect(send(session, { cmd: "undo" })["error"]).toMatch(/nothing to undo/);
    const { code, error, ...rest } = send(session, { cmd: "set", position: "xxx/3/3 o" });
    expect([code, rest]).toEqual(["ERR_PIECES", {}]);
    expect(error).toMatch(/3 stones x/);
    expect(send(session, { cmd: "set", position: "x2/3/3 x" })["code"]).toBe("ERR_TURN");
    for (const wrong of [{ position: 7 }, { position: null }, {}])
      expect(send(session, { cmd: "set", ...wrong })).toEqual({
        error: '"set" needs "position": the text of a position, as "position" returns it',
      });
    expect(send(session, { cmd: "position" })).toEqual({ position });
    expect(send(session, { cmd: "set", position: "xxx/oo1/3 -" })).toMatchObject({
      over: true,
      returns: [1, 0],
    });
  });

  it.each(games.map(({ name }) => name))("gives and takes positions of %s inside a game", (name) => {
    const [one, two] = [0, 1].map(() => new RefereeSession(name, agentSource()));
    const start = { cmd: "new", options: { seed: 3, chance: "given" } };
    send(one!, start);
    send(two!, start);
    const random = Random.named("positions", name);
    for (let ply = 0; ply < 12; ply++) {
      const { moves } = send(one!, { cmd: "legal" }) as { moves: string[] };
      send(one!, { cmd: "play", move: moves[random.below(moves.length)]! });
      const { position } = send(one!, { cmd: "position" });
      const { error, toMove } = send(two!, { cmd: "set", position });
      expect([error, toMove]).toEqual([undefined, send(one!, { cmd: "state" })["toMove"]]);
      expect(send(two!, { cmd: "position" })).toEqual({ position });
      expect(send(two!, { cmd: "legal" })).toEqual(send(one!, { cmd: "legal" }));
      if (toMove === null) break;
    }
    expect(send(two!, { cmd: "set", position: "nonsense" })["code"]).toBe("ERR_SYNTAX");
  });

  it("names the known games for an unknown one", () => {
    expect(() => new RefereeSession("2084", agentSource())).toThrow(
      /unknown game "2084"; did you mean "2048"\?/,
    );
  });
});

describe("agents", () => {
  let folder: string;
  beforeAll(() => {
    folder = mkdtempSync(join(tmpdir(), "referee-"));
  });
  afterAll(() => {
    rmSync(folder, { recursive: true });
  });

  /** Values a board by its number of empty cells. */
  const resolveNet: ResolveNet = (net, game) => {
    if (net !== "emptiness") throw new Error(`no net ${JSON.stringify(net)}`);
    const bytes = new Uint8Array(game.nets!.packing!.bytes);
    return {
      hasPolicy: false,
      hasValue: true,
      evaluator: {
        evaluate(request) {
          for (let row = 0; row < request.count; row++) {
            game.nets!.packing!.pack(request.states[row], bytes, 0);
            request.values[row] = bytes.filter((exponent) => exponent === 0).length;
          }
        },
      },
    };
  };
  const board = [2, 2, 0, 0, 4, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0];

  it("use nets through the resolver", () => {
    const session = new RefereeSession("2048", agentSource(resolveNet));
    send(session, { cmd: "set", board });
    // Left and right merge the 2s: reward 4 and 14 empty cells; up and down merge nothing.
    expect(send(session, { cmd: "analyse", agent: { use: "greedy", net: "emptiness" } })).toEqual({
      value: 18,
      values: [18],
      best: ["right", "left"],
      visits: { right: 0, down: 0, left: 0 },
      moveValues: { right: 18, down: 13, left: 18 },
    });
    const searched = send(session, {
      cmd: "analyse",
      agent: { use: "mc-softmax", net: "emptiness", simulations: 50 },
    });
    const visits = Object.values(searched["visits"] as Record<string, number>);
    expect(visits.reduce((a, b) => a + b, 0)).toBe(49);
    expect(send(session, { cmd: "analyse", agent: { use: "greedy", net: "other" } })["error"]).toBe(
      'no net "other"',
    );
    expect(
      send(session, { cmd: "analyse", agent: { use: "puct-max-n", net: "emptiness" } })["error"],
    ).toMatch(/needs a net with a policy/);
  });

  it("come from YAML or JSON files, read anew when they have changed", () => {
    const session = new RefereeSession("2048", agentSource(resolveNet));
    send(session, { cmd: "set", board });
    const inline = send(session, { cmd: "analyse", agent: { use: "greedy", net: "emptiness" } });
    const yaml = join(folder, "agent.yaml");
    writeFileSync(yaml, "use: greedy\nnet: emptiness\n");
    expect(send(session, { cmd: "analyse", agent: yaml })).toEqual(inline);
    writeFileSync(yaml, "use: random\n");
    expect(send(session, { cmd: "analyse", agent: yaml })["value"]).toBe(0);
    const json = join(folder, "agent.json");
    writeFileSync(json, '{"use":"greedy","net":"emptiness"}');
    expect(send(session, { cmd: "analyse", agent: json })).toEqual(inline);
    writeFileSync(yaml, "use: [\n");
    expect(send(session, { cmd: "analyse", agent: yaml })["error"]).toMatch(/is not YAML: .*[^:]$/);
    writeFileSync(yaml, "- random\n");
    expect(send(session, { cmd: "analyse", agent: yaml })["error"]).toMatch(/an agent is an object/);
  });

  it("stay open while their settings and weights are the same, eight at a time, until a new game", () => {
    const weights = join(folder, "weights");
    const manifest = join(weights, "checkpoint.json");
    mkdirSync(weights);
    writeFileSync(manifest, "one");
    const counts = { opened: 0, closed: 0 };
    const session = new RefereeSession(
      "2048",
      agentSource((_, game, config) => {
        counts.opened++;
        const close = () => Promise.resolve(void counts.closed++);
        return { ...resolveNet("emptiness", game, config), close };
      }),
    );
    const file = join(folder, "kept.yaml");
    const request = (agent: unknown) => {
      expect(send(session, { cmd: "analyse", agent })).not.toHaveProperty("error");
      return [counts.opened, counts.closed];
    };
    writeFileSync(file, `use: greedy\nnet: ${weights}\n`);
    expect([request(file), request(file)]).toEqual([
      [1, 0],
      [1, 0],
    ]);
    // The same settings in other words are the same agent.
    writeFileSync(file, `# The best one.\nuse: greedy\nnet: ${weights}\n`);
    expect(request(file)).toEqual([1, 0]);
    expect(request({ use: "greedy", net: weights })).toEqual([1, 0]);
    writeFileSync(manifest, "two, longer");
    expect([request(file), request(file)]).toEqual([
      [2, 1],
      [2, 1],
    ]);
    const other = (simulations: number) => request({ use: "mc-softmax", net: weights, simulations });
    for (let simulations = 2; simulations < 9; simulations++) other(simulations);
    expect(request(file)).toEqual([9, 1]);
    // The ninth agent ends the one that was requested longest ago.
    expect(other(9)).toEqual([10, 2]);
    expect(request(file)).toEqual([10, 2]);
    expect(other(2)).toEqual([11, 3]);
    send(session, { cmd: "new" });
    expect(counts).toEqual({ opened: 11, closed: 11 });
    expect(request(file)).toEqual([12, 11]);
  });

  it("genmove plays what analyse found", () => {
    const session = new RefereeSession("2048", agentSource());
    const agent = { use: "uct", simulations: 100, exploration: 300 };
    const { best, value } = send(session, { cmd: "analyse", agent });
    const played = send(session, { cmd: "genmove", agent });
    expect(best).toContain(played["move"]);
    expect(played["value"]).toBe(value);
    expect(played["chance"]).toHaveLength(1);
  });
});

import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, afterEach, beforeAll, describe, expect, it, vi } from "vitest";
import { analyseCommand } from "../../../../src/cli/commands/analyse.ts";
import { UsageError } from "../../../../src/messages/usage-error.ts";
import { encodeGameRecord } from "../../../../src/formats/game-records.ts";
import { readExperiment } from "../../../../src/graph/experiment-file.ts";
import { createRunFolder } from "../../../../src/graph/folder/run-folder.ts";
import { RunFolderInvalid } from "../../../../src/graph/folder/run-folder-invalid.ts";
import { RunFiles } from "../../../../src/operators/run/run-files.ts";
import { writeExperiment } from "../../../graph/tiny-run.ts";
import { ludoflow } from "../../../cli/run-cli.ts";

const scratch = mkdtempSync(join(tmpdir(), "ludoflow-analyse-"));
afterAll(() => rmSync(scratch, { recursive: true, force: true }));
const run = join(scratch, "run");
const exact = "{ use: paranoid, depth: 9 }";

/** Noughts begin at a side, which loses; crosses complete a diagonal. */
const actions = [4, 1, 0, 3, 8];

beforeAll(() => {
  const text =
    "name: duel\nseed: 1\ngame: { rules: tic-tac-toe }\nagents: { a: { use: random }, b: { use: random } }\n" +
    "graph: { match: { use: arena, games: 2, agents: [a, b] } }\n";
  const file = writeExperiment(scratch, text);
  const { release } = createRunFolder(
    readExperiment(file, []).experiment,
    { file, set: [] },
    run,
    new Date("2026-01-01T00:00:00Z"),
  );
  release();
  const files = new RunFiles(run);
  for (const game of [0, 1])
    files.appendGame(
      "match",
      encodeGameRecord({
        game,
        generation: 0,
        seats: ["a", "<b>"],
        actions: game === 0 ? actions : actions.slice(0, 3),
        values: new Float64Array(),
        returns: game === 0 ? [1, 0] : [0, 0],
        facts: {},
      }),
    );
  files.close();
});

afterEach(() => vi.restoreAllMocks());

/** What the command prints, with these arguments. */
async function analyse(...args: string[]): Promise<string> {
  let out = "";
  const write = vi.spyOn(process.stdout, "write").mockImplementation((text) => {
    out += String(text);
    return true;
  });
  await analyseCommand()
    .exitOverride()
    .configureOutput({ writeErr: () => undefined })
    .parseAsync(args, { from: "user" });
  write.mockRestore();
  return out;
}

const linesOf = (out: string) =>
  out
    .trim()
    .split("\n")
    .map((line) => JSON.parse(line) as Record<string, unknown>);

describe("ludoflow analyse", () => {
  it("prints a table of every ply, what each seat lost, and the largest mistakes", async () => {
    const out = await analyse(run, "--agent", exact, "--moves", "2");
    expect(out).toBe(`\
 ply  seat     played    value     loss  best moves: share of visits, value
   1  1 (a)    b2        0.500    0.000  a3 0.500, b2 0.500
   2  2 (<b>)  b3        0.500    0.500  a3 0.500, b3 0.000
   3  1 (a)    a3        1.000           a3 1.000, c3 1.000
   4  2 (<b>)  a2        0.000    0.000  c3 0.000, a2 0.000
   5  1 (a)    c1        1.000    0.000  c3 1.000, c1 1.000

seat 1 (a): no loss in 3 of 3 decisions, mean loss 0.000
seat 2 (<b>): no loss in 1 of 2 decisions, mean loss 0.250

Largest mistakes:
ply 2, seat 2 (<b>): b3 loses 0.500, a3 is best
`);
  });

  it("prints lines of JSON, the same again for the same seed, of the plies that were asked for", async () => {
    const args = [join(run, "games", "match.games"), "--agent", "{ use: uct, simulations: 30 }", "--json"];
    const out = await analyse(...args, "--plies", "2-3");
    expect(await analyse(...args, "--plies", "2-3")).toBe(out);
    expect(await analyse(...args, "--plies", "2-3", "--seed", "2")).not.toBe(out);
    const [game, ...plies] = linesOf(out);
    const summary = plies.pop();
    expect(game).toMatchObject({
      type: "game",
      from: "duel",
      stage: "match",
      game: 0,
      rules: { rules: "tic-tac-toe" },
      seats: ["a", "<b>"],
      plies: 5,
      returns: [1, 0],
      agent: { use: "uct", simulations: 30 },
      seed: 1,
    });
    expect(plies).toMatchObject([
      { type: "ply", ply: 2, seat: 2, played: "b3", legal: 8, visits: 30 },
      { type: "ply", ply: 3, seat: 1, played: "a3", legal: 7, visits: 30 },
    ]);
    expect(plies).toEqual(linesOf(await analyse(...args)).slice(2, 4));
    expect(summary).toMatchObject({ type: "summary", seats: [{ seat: 1, decisions: 1 }, { seat: 2 }] });
    expect(linesOf(await analyse(...args, "--plies", "4-"))).toHaveLength(4);
  });

  it("writes a page that steps through the game and leads to its mistakes", async () => {
    const page = join(scratch, "page.html");
    await analyse(run, "--agent", exact, "--plies", "1-3", "--page", page);
    const html = readFileSync(page, "utf8");
    expect(html.match(/<article /g)).toHaveLength(5);
    expect(html).toContain('<label for="p2">Ply 2</label>');
    expect(html).toContain("The move loses <b>50.0 percentage points</b> against a3.</p>");
    expect(html.match(/This ply was not analysed\./g)).toHaveLength(2);
    expect(html).toMatch(/<td class="notation">b3<\/td>.*<td class="number">0\.0%<\/td><\/tr>/);
    expect(html).toContain("by paranoid at the decisions of all seats");
    expect(html).not.toMatch(/<script|<b>\)|NaN|undefined|report\.html/);
  });

  it("reads a game of Go in SGF, and says what it has left out", async () => {
    const sgf = join(scratch, "game.sgf");
    const page = join(scratch, "go.html");
    writeFileSync(sgf, "(;GM[1]SZ[3]KM[0]RU[Chinese]PB[Anna]PW[Bob]RE[B+R];B[bb];W[ab];B[ab])");
    let err = "";
    vi.spyOn(process.stderr, "write").mockImplementation((text) => {
      err += String(text);
      return true;
    });
    const agent = "{ use: uct, simulations: 30 }";
    const [game, first, second] = linesOf(await analyse(sgf, "--agent", agent, "--json", "--page", page));
    expect(game).toMatchObject({ from: "game.sgf", seats: ["Anna", "Bob"], plies: 2, returns: [1, 0] });
    expect([first, second]).toMatchObject([
      { ply: 1, seat: 1, played: "B2", legal: 10 },
      { ply: 2, seat: 2, played: "A2", legal: 9 },
    ]);
    expect(err).toContain("B[ab] is not legal: the point is occupied; the game is read up to there");
    expect(readFileSync(page, "utf8")).toContain("Black (Anna) and White (Bob): B+R, 2 plies.");
  });

  it("names seats as the game does, in columns that suit wide letters, and marks what few simulations found", async () => {
    const sgf = join(scratch, "wide.sgf");
    writeFileSync(sgf, "(;GM[1]CA[UTF-8]SZ[3]KM[0]RU[Chinese]PB[山下敬吾]PW[Bob];B[bb];W[ab])");
    const out = await analyse(sgf, "--agent", "{ use: uct, simulations: 12 }", "--moves", "2");
    const [head, first, second] = out.split("\n");
    expect(head).toMatch(/^ ply {2}seat {14}played {4}value/);
    expect(first).toMatch(/^ {3}1 {2}Black \(山下敬吾\) {2}B2 .* \d+% ~\d\.\d{3}/);
    expect(second).toMatch(/^ {3}2 {2}White \(Bob\) {7}A2 /);
    expect(out).toMatch(/^Black \(山下敬吾\): no loss in /m);
    expect(out).toMatch(/^~: found by few simulations.* In 2 of 2 decisions the search had fewer than 4 /m);
    expect(await analyse(run, "--agent", exact)).not.toContain("~");
    const page = join(scratch, "few.html");
    await analyse(run, "--agent", "{ use: uct, simulations: 20 }", "--seed", "3", "--page", page);
    const html = readFileSync(page, "utf8");
    expect(html).toMatch(/loses <b>\d+\.\d percentage points<\/b> against \S+\. Few simulations found it/);
    expect(html).toMatch(/and lost ~\d+\.\d percentage points; /);
  });

  it("says what is wrong, and writes nothing", async () => {
    const page = join(scratch, "none.html");
    const stray = join(scratch, "stray.games");
    writeFileSync(stray, "");
    const other = join(scratch, "other.sgf");
    writeFileSync(other, "(;GM[2])");
    const empty = join(scratch, "empty.txt");
    writeFileSync(empty, "no game");
    const position = join(scratch, "position.sgf");
    writeFileSync(position, "(;SZ[9]KM[7]RU[Chinese]AB[aa]AW[cc]PL[W])");
    for (const [args, kind, complaint] of [
      [[position, "--agent", exact], UsageError, "game 0 has no moves, only a position"],
      [[join(scratch, "nothing"), "--agent", exact], UsageError, "no such file or folder"],
      [[scratch, "--agent", exact], RunFolderInvalid, "is not the folder of a run"],
      [[stray, "--agent", exact], UsageError, "belongs to no run"],
      [[other, "--agent", exact], UsageError, "GM[2] is another game"],
      [
        [other, "--agent", exact, "--game", "1"],
        UsageError,
        "has 1 game, numbered from 0; there is no game 1",
      ],
      [[empty, "--agent", exact], UsageError, "where a game tree should begin"],
      [[run, "--agent", exact, "--game", "2"], RunFolderInvalid, "there is no game 2"],
      [[run, "--agent", exact, "--stage", "duel"], RunFolderInvalid, "stages with games: match"],
      [[run, "--agent", exact, "--plies", "6"], UsageError, "--plies 6: the game has 5 plies"],
      [[run, "--agent", exact, "--plies", "3-2"], Error, "such as 7, 10-20 or 30-"],
      [[run, "--agent", "{ use: random }"], UsageError, "random gives no values"],
      [[run, "--agent", "{ use: uct, simulation: 3 }"], UsageError, 'did you mean "simulations"'],
      [[run, "--agent", "{ use: puct-max-n }"], UsageError, 'needs a "net"'],
    ] as const) {
      const failed = await analyse(...args, "--page", page).catch((error: unknown) => error);
      expect(failed).toBeInstanceOf(kind);
      expect((failed as Error).message).toContain(complaint);
    }
    expect(existsSync(page)).toBe(false);
    const { code, err, out } = await ludoflow(["analyse", run]).ended;
    expect([code, out]).toEqual([2, ""]);
    expect(err).toContain("--agent");
  });
});

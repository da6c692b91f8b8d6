import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { LanguageServer } from "./language-server.ts";

const experiments = join(import.meta.dirname, "../../../experiments");
const schemaLine = "# yaml-language-server: $schema=../schemas/experiment.schema.json\n";

describe("yaml-language-server with the editor schema", () => {
  let server: LanguageServer;
  beforeAll(async () => {
    server = await LanguageServer.start();
  });
  afterAll(() => server.stop());

  let opened = 0;
  const text = (lines: readonly string[]) => `${schemaLine}${lines.join("\n")}\n`;
  /** Opens a file with these lines behind the first one; returns its path. */
  const open = async (lines: readonly string[]) => {
    const file = join(experiments, `written-${opened++}.yaml`);
    return { file, marked: await server.open(file, text(lines)) };
  };

  it("marks nothing in the shipped experiments, partial ones included", async () => {
    for (const folder of [experiments, join(experiments, "peers")])
      for (const name of readdirSync(folder).filter((each) => each.endsWith(".yaml"))) {
        const file = join(folder, name);
        expect(await server.open(file, readFileSync(file, "utf8")), name).toEqual([]);
      }
  });

  const whole = [
    "name: written", // line 2
    "seed: 1",
    "game: { rules: 2048, rows: 3 }",
    "agents:",
    "  random: { use: random }",
    "  search:",
    "    use: mcts-max-n",
    "    simulations: 10",
    "graph:",
    "  match: { use: arena, agents: [random, search], games: 10 }",
  ];
  const changed = (line: number, to: string) => whole.map((each, i) => (i === line - 2 ? to : each));

  it.each([
    ["an unknown key", changed(9, "    simulation: 10"), 9, /simulation is not allowed/],
    ["an unknown name", changed(8, "    use: mcts"), 8, /not accepted.*"mcts-max-n"/],
    ["a value out of range", changed(9, "    simulations: 0"), 9, /minimum of 1/],
    ["a value of another type", changed(3, "seed: first"), 3, /Incorrect type.*integer/],
    ["a number for a map", changed(9, "    rave: 5"), 9, /Expected "null \| object"/],
    ["a text for a flag", changed(9, "    solver: maybe"), 9, /Incorrect type. Expected "boolean"/],
    ["an unknown game", changed(4, "game: { rules: 2049 }"), 4, /not accepted.*2048/],
    ["a missing use", changed(8, "    exploration: 1"), 7, /Missing property "use"/],
    ["a missing setting", changed(11, "  match: { use: arena, games: 10 }"), 11, /Missing property "agents"/],
    ["a missing key of the file", changed(3, "description: Nothing."), 2, /Missing property "seed"/],
  ])("marks %s in its line", async (_, lines, line, message) => {
    const { marked } = await open(lines);
    expect(marked.length).toBeGreaterThan(0);
    // A map that lacks a key is marked where it begins.
    expect(marked).toContainEqual({ line, message: expect.stringMatching(message) });
  });

  it("marks nothing in a whole file, in one that removes keys, and in one that leaves all names to its base", async () => {
    expect((await open(whole)).marked).toEqual([]);
    const removing = ["extends: base.yaml", "agents: { search: null, random: { temperature: null } }"];
    expect((await open(removing)).marked).toEqual([]);
    const settings = [
      "extends: base.yaml",
      "agents:",
      "  search:",
      "    simulations: 5",
      "game: { rows: 2 }",
    ];
    expect((await open(settings)).marked).toEqual([]);
  });

  it.each([
    ["a key of no form", ["extends: base.yaml", "agents:", "  search:", "    simulation: 5"], 5],
    ["a key that another form has", ["extends: base.yaml", "agents:", "  a: { use: random, net: n }"], 4],
    ["a wrong type", ["extends: base.yaml", "agents:", "  search:", "    simulations: many"], 5],
    ["a required key that is removed", ["extends: base.yaml", "seed: null"], 3],
  ])("marks, in a partial file, %s", async (_, lines, line) => {
    const { marked } = await open(lines);
    expect(marked.map((each) => each.line)).toEqual([line]);
  });

  it("shows sentences over keys and names, and offers names and settings", async () => {
    const { file } = await open(whole);
    const hover = (sought: string) => server.hover(file, text(whole), sought);
    expect(await hover("seed:")).toMatch(/^Everything random follows from it\./);
    expect(await hover("simulations:")).toMatch(/^[A-Z][^]*\.\n/);
    expect(await hover("search:")).toMatch(/^[A-Z][^]*\.\n/);
    expect(await hover("games:")).toMatch(/^[A-Z][^]*\.\n/);
    const writing = ["agents:", "  a:", "    use: mcts-max-n", "    ", "graph:", "  m:", "    use: "];
    const other = (await open(writing)).file;
    const offered = (after: string) => server.completions(other, text(writing), after);
    expect(await offered("mcts-max-n\n    ")).toContain("simulations");
    expect(await offered("m:\n    use: ")).toEqual(expect.arrayContaining(["arena", "trainer"]));
  });
});

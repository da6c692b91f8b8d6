import { describe, expect, it } from "vitest";
import { readSource } from "../../src/graph/yaml-source.ts";
import { advertised, experimentsNamed, isFound, parseMistake, shipped } from "./advertised.ts";

const all = advertised();
/** Files that stand for any of the reader, and those that `ludoflow new` has written by then. */
const readersOwn = /^(?:\/etc\/ludoflow\/my|my-experiment|agent|match|lambda-sweep|[\w-]+-alphazero)\.yaml$/;

// What starts them is test/trust/docs/advertised-starts.test.ts.
describe("the commands that readers are told to type", () => {
  it("are found where they are", () => {
    const places = new Set(all.map(({ place }) => place.split(/[/ ]/)[0]));
    expect([...places]).toEqual(
      expect.arrayContaining(["README.md", "docs", "experiments", "template", "examples", "ludoflow", "src"]),
    );
    expect(all.length).toBeGreaterThan(400);
  });

  it("name commands and options that there are, with values that they take", () => {
    const wrong = all
      .map((each) => ({ ...each, mistake: parseMistake(each) }))
      .filter(({ mistake }) => mistake !== undefined)
      .map(({ place, line, mistake }) => `${place}: ${line}: ${mistake}`);
    expect(wrong).toEqual([]);
  });

  it("name experiments so that they are found in a clone and beside an installed package", () => {
    const lost = all.flatMap((each) =>
      experimentsNamed(each)
        .filter((name) => !isFound(each.place, name) && !readersOwn.test(name))
        .map((name) => `${each.place}: ${each.line}: ${name}`),
    );
    expect(lost).toEqual([]);
  });

  it("name agents that the experiments have", () => {
    const lost = all.flatMap(({ place, words }) =>
      words
        .map((word) => /^([\w-]+)#([\w-]+)$/.exec(word))
        .filter((found) => found !== null)
        .filter(([, name, agent]) => {
          const file = shipped.get(name!);
          if (file === undefined || agent === "NAME") return false;
          const { agents } = readSource(file).value as { readonly agents: Readonly<Record<string, unknown>> };
          return agents[agent!] === undefined;
        })
        .map(([word]) => `${place}: ${word}`),
    );
    expect(lost).toEqual([]);
  });
});

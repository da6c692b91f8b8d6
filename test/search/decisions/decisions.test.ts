import { describe, expect, it } from "vitest";
import { openGame } from "../../../src/games/registry.ts";
import { Random } from "../../../src/random.ts";
import { drive } from "../../../src/search/drive.ts";
import { openSearch, searches } from "../../../src/search/registry.ts";
import { cases } from "./cases.ts";
import digests from "./digests.json" with { type: "json" };
import { SHORT } from "./extents.ts";
import { digestOf, nameOf } from "./recorder.ts";
import { someOf } from "../../number-of-cases.ts";

const checkout = { openGame, openSearch, Random, drive };

// A change of these digests changes what agents play and what runs record: it is never a matter of refactoring.
// `record.ts` writes them again where a change is meant.
describe("decisions of searches, move by move and bit by bit as recorded", () => {
  it.each(searches.map(({ name }) => name))("%s", (name) => {
    const own = someOf(cases.filter(({ search }) => search === name));
    expect(own).not.toEqual([]);
    const recorded: Readonly<Record<string, string>> = digests;
    expect(own.map((each) => [nameOf(each), digestOf(checkout, each, SHORT)])).toEqual(
      own.map((each) => [nameOf(each), recorded[nameOf(each)]]),
    );
  });
});

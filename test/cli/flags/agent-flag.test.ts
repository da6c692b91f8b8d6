import { expect, it } from "vitest";
import { agentOfFlag } from "../../../src/cli/flags/agent-flag.ts";

it("takes an agent in braces, and says what is wrong with one", () => {
  expect(agentOfFlag("{ use: uct, simulations: 10 }")).toEqual({ use: "uct", simulations: 10 });
  expect(() => agentOfFlag("{ use: &a [*a] }")).toThrow("--agent: the alias *a is within its own anchor &a");
  expect(() => agentOfFlag(`{ use: uct, simulations: ${"[".repeat(5000)}${"]".repeat(5000)} }`)).toThrow(
    "--agent: maps and lists are nested too deeply; at most 100 levels are read",
  );
  expect(() => agentOfFlag("{ use: [ }")).toThrow(/^--agent: YAML: [^\n]*$/);
});

import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";
import { AgentInvalid } from "../../../src/graph/agents/agent-invalid.ts";
import { agentSettings } from "../../../src/graph/agents/agent-settings.ts";
import { scratchFolder } from "../../formats/scratch-folder.ts";

it("finds weights beside the file of an agent", () => {
  const folder = scratchFolder();
  mkdirSync(join(folder, "strong"));
  const agent = (text: string) => {
    writeFileSync(join(folder, "agent.yaml"), text);
    return agentSettings(join(folder, "agent.yaml"));
  };
  const beside = join(folder, "strong");
  expect(agent("use: greedy\nnet: strong\n")).toEqual({ use: "greedy", net: beside });
  expect(agent("use: greedy\nvalueNet: { use: mlp, weights: ./strong }\n")).toEqual({
    use: "greedy",
    valueNet: { use: "mlp", weights: beside },
  });
  // Names of nets, and paths of other places, stay as they are.
  expect(agent("use: greedy\nnet: elsewhere\n")).toEqual({ use: "greedy", net: "elsewhere" });
  expect(agent("use: greedy\nnet: /strong\n")).toEqual({ use: "greedy", net: "/strong" });
});

it("says what is wrong with the file of an agent", () => {
  const file = join(scratchFolder(), "agent.yaml");
  const complaint = (text: string) => {
    writeFileSync(file, text);
    try {
      agentSettings(file);
    } catch (error) {
      expect(error).toBeInstanceOf(AgentInvalid);
      return (error as Error).message.replaceAll(file, "FILE");
    }
    return "";
  };
  expect(complaint("&a { use: uct, simulations: *a }")).toBe(
    "agent: FILE: the alias *a is within its own anchor &a",
  );
  expect(complaint("use: [")).toMatch(/^agent: FILE is not YAML: /);
  expect(complaint(`use: ${"[".repeat(5000)}`)).toMatch(/^agent: FILE: maps and lists are nested too deeply/);
  expect(complaint("- 1")).toMatch(/^FILE: an agent is an object/);
});

import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";
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

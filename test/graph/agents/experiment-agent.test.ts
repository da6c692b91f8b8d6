import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";
import { agentSettings } from "../../../src/graph/agents/agent-settings.ts";
import { resolveNet } from "../../../src/graph/agents/open-net.ts";
import { openGame } from "../../../src/games/registry.ts";
import { readGtpAgent } from "../../../src/cli/gtp-agent-file.ts";
import { scratchFolder } from "../../formats/scratch-folder.ts";

const experiment = `
name: players
seed: 1
game: { rules: go, size: 5, komi: 0.5 }
nets: { rollouts: { use: linear-policy } }
agents:
  apv: { use: apv-mcts, playoutNet: rollouts, simulations: 20 }
  uct: { use: uct, simulations: 30 }
graph:
  match: { use: arena, agents: [apv, uct], games: 2 }
`;

function file(text: string): string {
  const path = join(scratchFolder(), "players.yaml");
  writeFileSync(path, text);
  return path;
}

it("takes an agent of an experiment by its name, with its nets written out and its game", () => {
  const { game, agent } = readGtpAgent(`${file(experiment)}#apv`);
  expect(game).toMatchObject({ rules: "go", size: 5, komi: 0.5 });
  expect(agent).toMatchObject({
    use: "apv-mcts",
    simulations: 20,
    playoutNet: { use: "linear-policy" },
  });
});

it("takes the only agent without a name", () => {
  const one = experiment.replace(/ {2}uct: .*\n/, "").replace("[apv, uct]", "[apv]");
  expect(agentSettings(file(one))).toMatchObject({ use: "apv-mcts" });
});

it("lists the agents if none is chosen, and if there is none of the name", () => {
  const path = file(experiment);
  expect(() => agentSettings(path)).toThrow(`choose ${path}#NAME (known: apv, uct)`);
  expect(() => readGtpAgent(`${path}#uctt`)).toThrow(/no agent "uctt".*uct/);
});

it("lists all mistakes of the experiment with their places", () => {
  const path = file(experiment.replace("simulations: 30", "simulation: 30").replace("size: 5", "size: 1"));
  expect(() => readGtpAgent(`${path}#uct`)).toThrow(
    /:4:\d+: game\.size.*\n.*:8:\d+: agents\.uct\.simulation/,
  );
});

it("writes out what a net is computed in, which nets on tables have no setting for", () => {
  const go5 = experiment
    .replace("{ use: linear-policy } }", "{ use: residual, filters: 4, evaluations: int8 } }")
    .replace("use: apv-mcts, playoutNet: rollouts", "use: puct-max-n, net: rollouts");
  expect(readGtpAgent(`${file(go5)}#apv`).agent).toMatchObject({
    net: { use: "residual", filters: 4, evaluations: "int8" },
  });
  const game = { rules: "go" };
  const resolve = (net: object) => () => resolveNet(net, openGame("go"), game);
  expect(resolve({ use: "linear-policy", evaluations: "int8" })).toThrow(
    'agent: net linear-policy: it has no setting "evaluations"',
  );
  expect(resolve({ use: "residual", evaluations: "int5" })).toThrow(
    'agent: net residual: "evaluations" is one of float32, int8, auto, not "int5"',
  );
});

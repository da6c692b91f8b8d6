import { describe, expect, it } from "vitest";
import { linearPolicy } from "../../../src/models/linear/linear-policy.ts";
import type { OpenNet } from "../../../src/models/registry.ts";
import {
  givenNets,
  guideOf,
  netNames,
  type NetGives,
  searchOptionsOf,
  valueNetOf,
  wrongNet,
} from "../../../src/operators/experiment/agent-net.ts";
import { openGame } from "../../../src/games/registry.ts";
import type { NetRole } from "../../../src/search/definition.ts";
import { findSearch } from "../../../src/search/registry.ts";

const both: NetGives = { hasPolicy: true, hasValue: true, guides: false };

describe("wrongNet", () => {
  it("refuses a net without a head that the search needs, and names the head", () => {
    const agent = { use: "puct-max-n", needs: findSearch("puct-max-n").needs, role: "net" } as const;
    expect(wrongNet(agent, "this net", both)).toBeUndefined();
    expect(wrongNet(agent, "this net", { ...both, hasValue: false })).toMatch(/no value head/);
    expect(wrongNet(agent, "this net", { ...both, hasPolicy: false })).toMatch(/values only/);
  });

  it("refuses a net that does not give what its role needs", () => {
    const { needs } = findSearch("apv-mcts");
    const wrong = (role: NetRole, gives: NetGives, epsilon?: number) =>
      wrongNet({ use: "apv-mcts", needs, role, epsilon }, '"it"', gives);
    const rollouts = { hasPolicy: false, hasValue: false, guides: true };
    expect(wrong("net", both)).toBeUndefined();
    expect(wrong("net", { ...both, hasPolicy: false })).toBeUndefined();
    expect(wrong("net", rollouts)).toBe('"it" only draws moves of playouts: name it as playoutNet');
    expect(wrong("valueNet", { ...both, hasPolicy: false })).toBeUndefined();
    expect(wrong("valueNet", { ...both, hasValue: false })).toMatch(/no value head, and valueNet values/);
    expect(wrong("valueNet", rollouts)).toMatch(/name it as playoutNet/);
    expect(wrong("playoutNet", rollouts)).toBeUndefined();
    expect(wrong("playoutNet", rollouts, 0.5)).toBeUndefined();
    expect(wrong("playoutNet", rollouts, 1)).toMatch(/playouts are uniformly random; leave epsilon out/);
    expect(wrong("playoutNet", both)).toMatch(/such as linear-policy, and "it" is not one/);
  });
});

describe("the nets of an agent", () => {
  const go = openGame("go", { size: 5 });
  const net = (hasPolicy: boolean, hasValue: boolean) =>
    ({ kind: "network", hasPolicy, hasValue }) as unknown as OpenNet;
  const nets = new Map<string, OpenNet>([
    ["policy", net(true, false)],
    ["value", net(false, true)],
    ["both", net(true, true)],
    ["rollouts", linearPolicy.open(go, {})],
  ]);

  it("give priors, and values by valueNet or else by net", () => {
    const given = (agent: object) => givenNets(agent, nets);
    expect(given({})).toEqual({ priors: false });
    expect(given({ net: "policy" })).toEqual({ priors: true });
    expect(given({ net: "both" })).toEqual({ priors: true, values: "net" });
    expect(given({ net: "value" })).toEqual({ priors: false, values: "net" });
    expect(given({ net: "both", valueNet: "value" })).toEqual({ priors: true, values: "valueNet" });
    expect(given({ net: "rollouts" })).toEqual({ priors: false });
    // What is wrong with a net that is not open is told where the net is.
    expect(given({ net: "missing" })).toEqual({ priors: true, values: "net" });
  });

  it("are told apart from the options of its search", () => {
    const agent = { use: "apv-mcts", net: "policy", valueNet: "value", playoutNet: "rollouts", batch: 4 };
    expect(netNames(agent)).toEqual(["policy", "value", "rollouts"]);
    expect(searchOptionsOf(agent)).toEqual({ batch: 4 });
    expect(valueNetOf(agent)).toBe("value");
    expect(valueNetOf({ net: "both" })).toBe("both");
    expect(guideOf(agent, nets)).toEqual({ role: "playoutNet", net: "rollouts" });
    expect(guideOf({ net: "rollouts" }, nets)).toEqual({ role: "net", net: "rollouts" });
    expect(guideOf({ net: "policy" }, nets)).toBeUndefined();
  });
});

import { describe, expect, it } from "vitest";
import { wrongNet } from "../../../src/operators/experiment/agent-net.ts";
import { findSearch } from "../../../src/search/registry.ts";

const { needs } = findSearch("puct-max-n");
const agent = { use: "puct-max-n", needs, role: "net" } as const;

describe("wrongNet", () => {
  it("refuses a net without a head that the search needs, and names the head", () => {
    const both = { hasPolicy: true, hasValue: true, guides: false };
    expect(wrongNet(agent, "this net", both)).toBeUndefined();
    expect(wrongNet(agent, "this net", { ...both, hasValue: false })).toMatch(/no value head/);
    expect(wrongNet(agent, "this net", { ...both, hasPolicy: false })).toMatch(/values only/);
  });
});

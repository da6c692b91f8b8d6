import { describe, expect, it } from "vitest";
import { editorSchema } from "../../../src/graph/generated/editor-schema.ts";
import { sharedSchema } from "../../../src/graph/generated/shared-schema.ts";
import { games } from "../../../src/games/registry.ts";
import { nets } from "../../../src/models/registry.ts";
import { operators } from "../../../src/operators/registry.ts";
import { searches } from "../../../src/search/registry.ts";

type Json = Record<string, any>;

/** A schema with each reference replaced by what it refers to; `pointers` collects them. */
function expanded(value: any, root: Json, pointers: Set<string> = new Set()): any {
  if (Array.isArray(value)) return value.map((each) => expanded(each, root, pointers));
  if (typeof value !== "object" || value === null) return value;
  if (value.$ref !== undefined) {
    pointers.add(value.$ref);
    const found = (value.$ref as string)
      .slice("#/".length)
      .split("/")
      .reduce<Json>((part, word) => part[word], root);
    return expanded(found, root, pointers);
  }
  return Object.fromEntries(
    Object.entries(value).map(([key, inside]) => [key, expanded(inside, root, pointers)]),
  );
}

describe("a schema with shared parts", () => {
  const rate = { type: "number", minimum: 0, maximum: 1, description: "The learning rate of a step." };
  const optimiser = {
    type: "object",
    properties: { "rate/decay": rate },
    additionalProperties: false,
    description: "What turns gradients into steps of the weights.",
  };
  const form = (name: string, properties: Json) => ({
    if: { type: "object", required: ["use"], properties: { use: { enum: [name] } } },
    // oxlint-disable-next-line unicorn/no-thenable -- a keyword of JSON schema
    then: { type: "object", required: ["use"], properties },
  });
  const schema = {
    type: "object",
    properties: {
      graph: {
        allOf: [
          form("trainer", { optimiser, rate }),
          form("learner", { optimiser: { ...optimiser, description: "Another one." }, again: optimiser }),
        ],
      },
    },
  };

  it("is that schema when its references are followed", () => {
    const shared = sharedSchema(schema);
    const { $defs: _, ...rest } = shared;
    expect(expanded(rest, shared)).toEqual(schema);
  });

  it("names parts by their keys, forms by their names, and ends the reference to a map with object", () => {
    const pointers = new Set<string>();
    const shared = sharedSchema(schema);
    expanded(shared, shared, pointers);
    expect([...pointers].toSorted()).toEqual([
      "#/$defs/learner/object",
      "#/$defs/optimiser/object",
      "#/$defs/rate_decay",
      "#/$defs/trainer/object",
    ]);
  });

  it("is in the editor's schema much shorter, with a definition for each game, net, search and stage", () => {
    const whole = editorSchema() as Json;
    const { $defs, ...rest } = whole;
    const pointers = new Set<string>();
    const long = JSON.stringify(expanded(rest, whole, pointers));
    expect(JSON.stringify(whole).length).toBeLessThan(0.55 * long.length);
    const defined = Object.entries($defs as Json).map(
      ([name, part]) => `#/$defs/${name}${part.object === undefined ? "" : "/object"}`,
    );
    expect(new Set(defined)).toEqual(pointers);
    const names = [
      ...[...games, ...nets, ...searches].map(({ name }) => name),
      ...operators.map(({ use }) => use),
    ];
    expect(Object.keys($defs)).toEqual(expect.arrayContaining(names));
  });
});

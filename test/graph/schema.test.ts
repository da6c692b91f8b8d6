import { readFileSync, statSync } from "node:fs";
import { join } from "node:path";
import { Ajv } from "ajv";
import { describe, expect, it } from "vitest";
import { schemaFile } from "../../src/graph/generated/editor-schema.ts";
import { experimentSchema } from "../../src/graph/schema.ts";

type Json = Record<string, any>;

/** Every schema inside a schema, with its path. */
function* schemasIn(schema: Json, path = ""): Generator<[string, Json]> {
  yield [path, schema];
  for (const [key, value] of Object.entries(schema["properties"] ?? {}))
    yield* schemasIn(value as Json, `${path}/${key}`);
  for (const key of ["oneOf", "anyOf"])
    for (const [i, one] of (schema[key] ?? []).entries())
      yield* schemasIn(one, `${path}(${one.properties?.use?.const ?? i})`);
  for (const key of ["additionalProperties", "items"])
    if (typeof schema[key] === "object") yield* schemasIn(schema[key], `${path}/*`);
}

describe("the schema of experiment files", () => {
  const all = [...schemasIn(experimentSchema())];

  it("bounds every number on both sides, so that no message leaves open what is allowed", () => {
    // A constant is its own bound.
    const numbers = all.filter(
      ([, { type, const: value }]) => value === undefined && (type === "integer" || type === "number"),
    );
    expect(numbers.length).toBeGreaterThan(60);
    for (const [path, schema] of numbers) {
      const least = schema["minimum"] ?? schema["exclusiveMinimum"];
      const most = schema["maximum"] ?? schema["exclusiveMaximum"];
      expect(least, path).toBeTypeOf("number");
      expect(most, path).toBeGreaterThan(least as number);
      if (schema["default"] !== undefined) {
        expect(schema["default"], path).toBeGreaterThanOrEqual(least as number);
        expect(schema["default"], path).toBeLessThanOrEqual(most as number);
      }
    }
  });

  it("says in words what every pattern expects", () => {
    for (const [path, schema] of all)
      if (schema["pattern"] !== undefined)
        expect(schema["patternErrorMessage"], path).toMatch(/^expected \w/);
  });

  it("is closed at every level and describes every key: games, nets, searches and stages", () => {
    expect(all.length).toBeGreaterThan(150);
    for (const [path, schema] of all) {
      if (schema["properties"] !== undefined) expect(schema["additionalProperties"], path).toBe(false);
      for (const [key, value] of Object.entries(schema["properties"] ?? {}))
        expect((value as Json)["description"], `${path}/${key}`).toMatch(/\S{3}/);
    }
  });

  it("has sentences as descriptions, which editors show", () => {
    for (const [path, { description }] of all)
      // Some begin with the name of a value or a symbol.
      if (description !== undefined)
        expect(description, path).toMatch(/^(?:[A-Z0-9`]|[\w-]+(?:[:,]| =| \(| of ))[^]*\S[.)]$/);
  });

  it("asks for no key that has a default, and its defaults are valid", () => {
    const ajv = new Ajv({ strict: false, discriminator: true });
    for (const [path, schema] of all)
      for (const [key, value] of Object.entries((schema["properties"] ?? {}) as Json)) {
        if (value.default === undefined) continue;
        expect(schema["required"] ?? [], path).not.toContain(key);
        expect(ajv.validate(value, structuredClone(value.default)), `${path}/${key}`).toBe(true);
      }
  });

  it("is draft-07, for editors", () => {
    const text = JSON.parse(schemaFile()) as Json;
    expect(text["$schema"]).toBe("http://json-schema.org/draft-07/schema#");
    expect(new Ajv({ strict: false }).validateSchema(text)).toBe(true);
  });

  it("is in schemas/ as the registries have it (npm run schema writes it), below 310 KB", () => {
    const path = join(import.meta.dirname, "../../schemas/experiment.schema.json");
    expect(readFileSync(path, "utf8")).toBe(schemaFile());
    expect(statSync(path).size).toBeLessThan(310_000);
  });
});

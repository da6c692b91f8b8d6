import { experimentSchema } from "../schema.ts";
import { sharedSchema } from "./shared-schema.ts";
import type { Schema } from "./schema-parts.ts";

/**
 * The schema of experiment files for editors, made from that of the checker, so that both know the same keys.
 *
 * Two things differ, because an editor checks a file as it is written, and the checker checks what it means.
 * First, the name of a game may be a number (`rules: 2048`). Second, a file with `extends` is partial: where maps are
 * merged, keys may be missing, and `key: null` removes a key that is not required. An entry may leave out its `use`.
 * Then all keys and values are accepted that some form has, because the form is known in the base file only. Lists are
 * replaced as a whole, so what is in them is complete.
 *
 * A form is selected by `if` and `then`, not by `oneOf`: an editor then reports a mistake for the form that is meant.
 * Equal parts of both kinds of file, and of several forms, are definitions.
 */
export function editorSchema(): Schema {
  const whole = experimentSchema() as Schema;
  const part = partialObject(whole);
  // What makes a file partial cannot be removed in it.
  const properties = { ...part["properties"], extends: whole["properties"].extends };
  return sharedSchema({
    $schema: "http://json-schema.org/draft-07/schema#",
    // No title: editors would show it above every description.
    description: whole["description"],
    type: "object",
    ...condition({ required: ["extends"] }, { ...part, properties }, converted(whole)),
  });
}

/** The schema as the file `schemas/experiment.schema.json` holds it. */
export function schemaFile(): string {
  return `${lines(editorSchema(), "")}\n`;
}

/** JSON in which what fits into one line is one line: a setting is then a line or two of the file. */
function lines(value: unknown, indent: string): string {
  const compact = JSON.stringify(value);
  if (typeof value !== "object" || value === null || compact.length < 140) return compact;
  const inner = `${indent} `;
  const parts = Array.isArray(value)
    ? value.map((each) => lines(each, inner))
    : Object.entries(value).flatMap(([key, each]) =>
        each === undefined ? [] : [`${JSON.stringify(key)}: ${lines(each, inner)}`],
      );
  const [open, close] = Array.isArray(value) ? "[]" : "{}";
  return `${open}\n${parts.map((part) => inner + part).join(",\n")}\n${indent}${close}`;
}

/** Keywords for the checker's messages, which draft-07 does not know. */
const ownKeywords = ["discriminator", "oneOf", "numericNames", "renamed", "removed"];

function withoutOwn(schema: Schema): Schema {
  return Object.fromEntries(Object.entries(schema).filter(([key]) => !ownKeywords.includes(key)));
}

/** A schema for complete values. */
function converted(schema: Schema): Schema {
  if (schema["discriminator"] !== undefined) {
    const { key, properties, selected } = union(schema, converted);
    return { ...withoutOwn(schema), required: [key], properties, allOf: selected };
  }
  return mapped(withoutOwn(schema), converted);
}

/** A schema with another one in place of each schema directly inside it. */
function mapped(schema: Schema, each: (inside: Schema) => Schema): Schema {
  const result: Record<string, unknown> = { ...schema };
  for (const key of ["additionalProperties", "items"])
    if (typeof schema[key] === "object") result[key] = each(schema[key]);
  if (schema["anyOf"] !== undefined) result["anyOf"] = schema["anyOf"].map(each);
  if (schema["properties"] !== undefined) result["properties"] = eachValue(schema["properties"], each);
  return result;
}

/** The keywords of a condition: what holds if a value fulfils it, and what holds if it does not. */
function condition(fulfilled: Schema, holds: Schema, otherwise?: Schema): Schema {
  // oxlint-disable-next-line unicorn/no-thenable -- a keyword of JSON schema; nothing awaits a schema
  return { if: fulfilled, then: holds, ...(otherwise === undefined ? {} : { else: otherwise }) };
}

function eachValue(properties: Schema, each: (schema: Schema, key: string) => Schema): Schema {
  return Object.fromEntries(Object.entries(properties).map(([key, schema]) => [key, each(schema, key)]));
}

/** The key of a union that selects its form, the schema of this key, and for each form the schema that it selects. */
function union(schema: Schema, each: (form: Schema) => Schema) {
  const key: string = schema["discriminator"].propertyName;
  const forms: readonly Schema[] = schema["oneOf"];
  const namesOf = (form: Schema): unknown[] => {
    const name: unknown = form["properties"][key].const;
    const number = Number(name);
    return schema["numericNames"] === true && String(number) === name ? [name, number] : [name];
  };
  const selected = forms.map((form) => {
    const names = namesOf(form);
    const { description } = form["properties"][key];
    const { description: whole, ...made } = each(form);
    // Without a type, a value that is not a map fulfils the condition.
    const named = { type: "object", required: [key], properties: { [key]: { enum: names } } };
    const properties = { ...made["properties"], [key]: { enum: names, description } };
    // The key that selects the form has its description.
    const own = whole === description ? {} : { description: whole };
    return condition(named, { ...made, ...own, properties });
  });
  const names = forms.flatMap((form) =>
    namesOf(form).map((name) => ({ name, description: form["properties"][key].description })),
  );
  const properties = {
    [key]: {
      enum: names.map(({ name }) => name),
      // Editors show them beside the names that they offer.
      enumDescriptions: names.map(({ description }) => description),
    },
  };
  return { key, forms, properties, selected };
}

/** A schema for values that are merged with those of a base file. */
function partial(schema: Schema): Schema {
  if (schema["discriminator"] !== undefined) return partialUnion(schema);
  if (schema["type"] === "object") return partialObject(schema);
  if (schema["anyOf"] !== undefined) return { ...withoutOwn(schema), anyOf: schema["anyOf"].map(partial) };
  return converted(schema);
}

function partialObject(schema: Schema): Schema {
  const required: readonly string[] = schema["required"] ?? [];
  const { required: _, minProperties: __, ...rest } = withoutOwn(schema);
  const { additionalProperties: others, properties } = rest;
  return {
    ...rest,
    ...(typeof others === "object" ? { additionalProperties: removable(partial(others)) } : {}),
    ...(properties === undefined
      ? {}
      : {
          properties: eachValue(properties, (each, key) =>
            required.includes(key) ? partial(each) : removable(partial(each)),
          ),
        }),
  };
}

function partialUnion(schema: Schema): Schema {
  const { key, forms, properties, selected } = union(schema, partialObject);
  const { required: _, ...rest } = withoutOwn(schema);
  return {
    ...rest,
    properties,
    ...condition({ required: [key] }, { allOf: selected }, anyForm(key, forms)),
  };
}

/** An entry of an unknown form: each of its keys is one of some form, with a value that some form with this key takes. */
function anyForm(tag: string, forms: readonly Schema[]): Schema {
  const keys = new Set(forms.flatMap((form) => Object.keys(form["properties"])));
  keys.delete(tag);
  const properties: Record<string, Schema> = {};
  for (const key of keys) {
    const having = forms.filter((form) => Object.hasOwn(form["properties"], key));
    const removed = having.some((form) => !((form["required"] ?? []) as string[]).includes(key));
    const different = new Map<string, Schema>();
    for (const form of having) {
      const made = partial(form["properties"][key]);
      different.set(JSON.stringify(made), made);
    }
    const [first, ...more] = different.values();
    const all = more.length === 0 ? first! : { anyOf: [...different.values()] };
    properties[key] = removed ? removable(all) : all;
  }
  return { properties, additionalProperties: false };
}

/** A schema that takes null too: it removes the key from what the base file gives. The schema itself stays one that can be shared. */
function removable(schema: Schema): Schema {
  return { anyOf: [schema, { type: "null" }] };
}

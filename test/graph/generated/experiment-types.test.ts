import { readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";
import { experimentTypes } from "../../../src/graph/generated/experiment-types.ts";
import { experimentSchema } from "../../../src/graph/schema.ts";

const text = experimentTypes();

it("are those that are committed: npm run schema writes them again", () => {
  expect(readFileSync(join(import.meta.dirname, "../../../src/api/experiment.ts"), "utf8")).toBe(text);
});

it("have each key of the schema, with a question mark if it may be absent", () => {
  const seen: string[] = [];
  const look = (schema: Record<string, any>, key?: string, needed = false): void => {
    // A key of the schema has its own line.
    if (key !== undefined && schema["const"] === undefined) {
      const name = /^[A-Za-z_$][\w$]*$/.test(key) ? key : JSON.stringify(key);
      if (
        !new RegExp(
          `^ +readonly ${name.replaceAll(/[$.*+?^(){}|[\]\\]/g, "\\$&")}${needed ? "" : "\\?"}: `,
          "m",
        ).test(text)
      )
        seen.push(key);
      // A program sweeps by itself.
      if (key === "sweep") return;
    }
    for (const [each, inner] of Object.entries((schema["properties"] ?? {}) as Record<string, any>))
      look(inner, each, (schema["required"] ?? []).includes(each));
    for (const inner of [
      schema["items"],
      schema["additionalProperties"],
      ...(schema["oneOf"] ?? []),
      ...(schema["anyOf"] ?? []),
    ])
      if (typeof inner === "object") look(inner);
  };
  look(experimentSchema());
  expect(seen).toEqual(["extends", "smaller", "cost", "sweep"]);
});

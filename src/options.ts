import { createRequire } from "node:module";
import type { Ajv, ErrorObject, ValidateFunction } from "ajv";
import { didYouMean } from "./messages/did-you-mean.ts";
import { expectedAndFound, meantErrors } from "./messages/expected.ts";
import type { Static, TObject } from "./schema.ts";

/**
 * Options with their defaults filled in and checked against a strict schema; or what is wrong with them: an unknown
 * option, or the place and what is expected there. The given object is not changed.
 *
 * Defaults inside a union (`anyOf`) are not filled in: the user of such an option knows them.
 */
export function completeOptions<O extends TObject>(
  schema: O,
  given: Readonly<Record<string, unknown>>,
): { readonly options: Required<Static<O>> } | { readonly wrong: string } {
  const options = structuredClone(given);
  const validate = validator(schema);
  if (validate(options)) return { options: options as Required<Static<O>> };
  const known = Object.keys(schema.properties);
  for (const key of Object.keys(options))
    if (!known.includes(key))
      return {
        wrong: `unknown option "${key}"${didYouMean(key, known)} (known options: ${known.join(", ") || "none"})`,
      };
  return { wrong: explain(schema, validate.errors ?? []) };
}

function explain(schema: TObject, errors: readonly ErrorObject[]): string {
  const first = meantErrors(errors)[0]!;
  const at = first.instancePath.slice(1);
  const field = at.split("/")[0]!;
  const described: { readonly description?: string } | undefined = schema.properties[field];
  const expected = described?.description === undefined ? "" : ` (${described.description})`;
  const message = messageOf(first);
  return at === "" ? message : `${at.replaceAll("/", ".")}: ${message}${expected}`;
}

/** What is wrong with a part of an option, or with its keys. */
function messageOf(error: ErrorObject): string {
  const params = error.params as Record<string, unknown>;
  if (error.keyword === "required") return `"${String(params["missingProperty"])}" is missing`;
  if (error.keyword !== "additionalProperties") return expectedAndFound(error);
  const key = String(params["additionalProperty"]);
  const known = Object.keys((error.parentSchema as TObject).properties);
  return `unknown key "${key}"${didYouMean(key, known)} (known here: ${known.join(", ")})`;
}

let ajv: Ajv | undefined;
const validators = new WeakMap<TObject, ValidateFunction>();

function validator(schema: TObject): ValidateFunction {
  let compiled = validators.get(schema);
  if (compiled === undefined) {
    ajv ??= openAjv();
    compiled = ajv.compile(schema);
    validators.set(schema, compiled);
  }
  return compiled;
}

/** Loads the checker when first needed. The inputs of threads were checked before, so threads never load it. */
function openAjv(): Ajv {
  const loaded = createRequire(import.meta.url)("ajv") as typeof import("ajv");
  // Checks run once or twice: optimising their code takes longer than it saves.
  return new loaded.Ajv({
    allErrors: true,
    discriminator: true,
    useDefaults: true,
    verbose: true,
    strict: false,
    code: { optimize: false },
  });
}

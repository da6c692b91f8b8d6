import { didYouMean } from "../messages/did-you-mean.ts";

/** What `defineGame` and its like were given is wrong. The innermost place of the stack is where the definition stands. */
class DefinitionInvalid extends TypeError {
  override readonly name = "DefinitionInvalid";
  /** As the errors of programs have it (docs/api.md). */
  readonly code = "ERR_PLUGIN";
  /** Everything that is wrong, each in a sentence. */
  readonly problems: readonly string[];

  constructor(problems: readonly string[]) {
    super(problems.join("\n"));
    this.problems = problems;
  }
}

/** By name: a plug-in that tests load has its own copy of the class. */
export function isDefinitionInvalid(error: Error): error is DefinitionInvalid {
  return error.name === "DefinitionInvalid";
}

/** What a key of a definition may hold. */
interface Field {
  /** Goes on with "must be". */
  readonly must: string;
  readonly fits: (value: unknown) => boolean;
  readonly optional?: true;
}

/** The keys of a definition. */
export type Fields<K extends string> = Readonly<Record<K, Field>>;

/** A key that holds a function. */
export const aFunction: Field = { must: "a function", fits: (value) => typeof value === "function" };
/** A key that holds an object, which is no array. */
export const anObject: Field = {
  must: "an object",
  fits: (value) => typeof value === "object" && value !== null && !Array.isArray(value),
};
/** A key that holds a whole number from 1 to 2^53 - 1. */
export const aCount: Field = {
  must: "a whole number from 1 on",
  fits: (value) => Number.isSafeInteger(value) && (value as number) >= 1,
};

/** The keys that all definitions have. */
export const common: Fields<"name" | "description"> = {
  name: {
    must: "a text of letters, digits and hyphens that begins with a letter or digit",
    fits: (value) => typeof value === "string" && /^[A-Za-z0-9][A-Za-z0-9-]*$/.test(value),
  },
  description: {
    must: "a sentence, for lists",
    fits: (value) => typeof value === "string" && value.trim() !== "",
  },
};

/** A key that holds one of these texts. */
export function oneOf(...names: readonly string[]): Field {
  return {
    must: names.map((name) => `"${name}"`).join(" or "),
    fits: (value) => names.includes(value as string),
  };
}

/** A key that may be absent. */
export function optional(field: Field): Field {
  return { ...field, optional: true };
}

/**
 * Throws DefinitionInvalid unless an object has the keys of a definition and no others. `define` is the function that was given
 * it. `more` finds what else is wrong with an object whose keys are right.
 */
export function assertDefinition<T extends { readonly name: string }>(
  define: (...given: any[]) => unknown,
  given: T,
  fields: Fields<keyof T & string>,
  more: (given: T) => readonly string[] = () => [],
): void {
  const found = problemsOf(given, fields);
  const problems = [...found, ...(found.length === 0 ? more(given) : attempted(() => more(given)))];
  if (problems.length === 0) return;
  const error = new DefinitionInvalid(problems.map((problem) => `${define.name}: ${problem}`));
  Error.captureStackTrace(error, define);
  throw error;
}

/** What a look at an object with wrong keys finds besides; nothing where it cannot look. */
function attempted(look: () => readonly string[]): readonly string[] {
  try {
    return look();
  } catch {
    return [];
  }
}

function problemsOf(given: unknown, fields: Readonly<Record<string, Field>>): string[] {
  if (typeof given !== "object" || given === null)
    return [`it takes an object with the keys ${Object.keys(fields).join(", ")}`];
  const known = Object.keys(fields);
  return [
    ...known.flatMap((key) => {
      const { must, fits, optional: mayBeAbsent } = fields[key]!;
      const value = (given as Record<string, unknown>)[key];
      if (value === undefined) return mayBeAbsent === true ? [] : [`"${key}" is missing: it must be ${must}`];
      return fits(value) ? [] : [`"${key}" must be ${must}, and is ${shown(value)}`];
    }),
    ...Object.keys(given)
      .filter((key) => !known.includes(key))
      .map((key) => `unknown key "${key}"${didYouMean(key, known)} (known: ${known.join(", ")})`),
  ];
}

/** Where a definition stands, for mistakes that are found when it is used. */
export interface DefinitionPlace {
  /** Runs code; what it throws as a mistake of the definition has the definition's place. */
  blame<T>(work: () => T): T;
  /** An error that has the definition's place. */
  error(name: string, message: string): Error;
}

/** The place in a file from which `define` was called. To be called by `define` itself, whose frame the stack still has. */
export function definitionPlace(define: (...given: any[]) => unknown): DefinitionPlace {
  const here = new Error();
  Error.captureStackTrace(here, define);
  const placed = (error: Error) =>
    Object.assign(error, { stack: (here.stack ?? "").replace(/^.*/, `${error.name}: ${error.message}`) });
  return {
    blame(work) {
      try {
        return work();
      } catch (error) {
        throw error instanceof Error && mistakes.has(error.name) ? placed(error) : error;
      }
    },
    error: (name, message) => placed(Object.assign(new Error(message), { name })),
  };
}

/** Errors that are thrown after the code of a definition has returned something wrong. */
const mistakes = new Set(["GameIncomplete", "NetDoesNotFit"]);

/** What is wrong with options. `taken` are keys that files use beside them. */
export function optionProblems(options: unknown, called: string, taken: readonly string[]): string[] {
  if (options === undefined) return [];
  if (typeof options !== "object" || options === null) return [`"${called}" must be an object of options`];
  return Object.entries(options as Readonly<Record<string, unknown>>).flatMap(([key, option]) => {
    const at = `${called}.${key}`;
    if (taken.includes(key)) return [`${at}: files use "${key}" for something else; choose another name`];
    const schema = Object(option)["schema"] as Readonly<Record<string, unknown>> | undefined;
    if (typeof schema !== "object")
      return [`${at} must be made by integer, number, flag, text or choice, and is ${shown(option)}`];
    return [
      ...(common.description.fits(schema["description"]) ? [] : [`${at} has no description`]),
      ...(fitsSchema(schema)
        ? []
        : [`${at}: its default, ${shown(schema["default"])}, is none of its values`]),
    ];
  });
}

/** Whether the default of an option is one of its values. The functions that make options write no other schemas. */
function fitsSchema({
  type,
  enum: names,
  minimum = -Infinity,
  maximum = Infinity,
  default: value,
}: Readonly<Record<string, unknown>>): boolean {
  if (type === "integer" || type === "number")
    return (
      (type === "integer" ? Number.isSafeInteger(value) : Number.isFinite(value)) &&
      (value as number) >= (minimum as number) &&
      (value as number) <= (maximum as number)
    );
  return typeof value === type && (names === undefined || (names as readonly unknown[]).includes(value));
}

function shown(value: unknown): string {
  if (typeof value === "function") return "a function";
  if (value === undefined) return "undefined";
  if (typeof value === "symbol" || typeof value === "bigint") return `a ${typeof value}`;
  const text = JSON.stringify(value);
  return text.length > 40 ? `${text.slice(0, 40)}...` : text;
}

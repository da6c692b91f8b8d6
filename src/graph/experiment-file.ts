import { existsSync } from "node:fs";
import { join, resolve } from "node:path";
import { Ajv, type ErrorObject, type ValidateFunction } from "ajv";
import type { Experiment } from "../operators/experiment/open-experiment.ts";
import { expectedAndFound, meantErrors, show } from "../messages/expected.ts";
import { didYouMean } from "../messages/did-you-mean.ts";
import type { Problem } from "./problem.ts";
import { withContent } from "../models/registry.ts";
import { loadedPlugins } from "../plugins/load-plugins.ts";
import type { TObject } from "../schema.ts";
import { experimentSchema, MOST_NAME_CHARACTERS, type NamedForms } from "./schema.ts";
import { definedOutside, type PluginNames, takePlugins } from "./code/named-plugins.ts";
import type { SweepSettings } from "./sweep/sweep-schema.ts";
import { nearestPlace, problemAt } from "./source-problem.ts";
import { copyOfData, escapePointer, readSource, type Source } from "./yaml-source.ts";

/** An experiment as it was read, with the place of each part. */
export interface ExperimentFile {
  /** It has the form of the schema, except for what `problems` names. */
  readonly experiment: Experiment;
  readonly source: Source;
  /** The file that shows the same in less time, if the experiment names one: its path as written, beside the file. */
  readonly smaller?: string;
  /** The sweep of which it is the base, if the file is one. */
  readonly sweep?: SweepSettings;
  /** Mistakes in its form, with the JSON pointers of the wrong parts. */
  readonly problems: readonly Problem[];
  readonly wrong: readonly string[];
  /** The plug-ins that it names and this process has not loaded, as absolute paths. */
  readonly notLoaded: readonly string[];
  /** The JSON pointers of the parts that one of these may define: their form was not checked. */
  readonly unchecked: readonly string[];
}

/**
 * Reads an experiment file, fills in defaults and checks its form: keys, types and ranges. `set` holds changes as
 * `path=value` texts, in which paths are relative to `folder`. `checkGraph` then checks the names, and reports all
 * problems together. Throws ExperimentInvalid if the file is missing or not YAML.
 */
export function readExperiment(file: string, set: readonly string[] = [], folder = "."): ExperimentFile {
  return checkSource(readSource(file, set, folder));
}

/** Checks an experiment that was already read from `file`. */
export function checkExperiment(file: string, experiment: Experiment): ExperimentFile {
  return checkSource({ file, value: { ...experiment }, places: new Map() });
}

/** Does to a source what `readExperiment` does to a file. What its plug-ins define is known if they are loaded. */
export function checkSource(source: Source): ExperimentFile {
  const value = copyOfData(source.value);
  // The name of a game may be a number: `rules: 2048` needs no quotes.
  const game = value["game"] as Record<string, unknown> | undefined;
  if (typeof game?.["rules"] === "number") game["rules"] = String(game["rules"]);
  const plugins = takePlugins(value, source);
  const validate = validator(value);
  const all = validate(value) ? [] : (validate.errors ?? []);
  const { errors, unchecked } = withoutUndefined(all, plugins);
  resolvePaths(value, source);
  noteContents(value);
  // For people alone, like `smaller`.
  delete value["cost"];
  const sweep = value["sweep"] as SweepSettings | undefined;
  delete value["sweep"];
  const { smaller, problems } = takeSmaller(value, source);
  return {
    experiment: value as unknown as Experiment,
    source,
    ...(smaller === undefined ? {} : { smaller }),
    ...(sweep === undefined ? {} : { sweep }),
    problems: [
      ...explain(errors, source),
      ...problems,
      ...plugins.problems,
      ...definedOutside(value, plugins.files, source),
    ],
    wrong: errors.map(wrongPart),
    notLoaded: plugins.notLoaded,
    unchecked,
  };
}

/** The parts of a file whose names plug-ins can define. */
const DEFINABLE = /^\/(?:game|(?:nets|agents|graph)\/[^/]+)$/;

/** Takes out the errors of unknown names that a plug-in may define that was not loaded. */
function withoutUndefined(
  errors: readonly ErrorObject[],
  { notLoaded }: PluginNames,
): { readonly errors: readonly ErrorObject[]; readonly unchecked: readonly string[] } {
  const undefinedNames = errors.filter(
    ({ instancePath, keyword, params }) =>
      notLoaded.length > 0 &&
      keyword === "discriminator" &&
      typeof params["tagValue"] === "string" &&
      DEFINABLE.test(instancePath),
  );
  const unchecked = undefinedNames.map(({ instancePath }) => instancePath);
  return {
    unchecked,
    errors: errors.filter(({ instancePath }) => !unchecked.includes(instancePath)),
  };
}

/**
 * Takes the key `smaller` out of an experiment: it names a file, and a run is not a function of it. Complains
 * if there is no such file.
 */
function takeSmaller(
  value: Record<string, unknown>,
  source: Source,
): { readonly smaller?: string; readonly problems: readonly Problem[] } {
  const given = value["smaller"];
  delete value["smaller"];
  if (typeof given !== "string") return { problems: [] };
  const path = join(nearestPlace(source, "/smaller")?.place.folder ?? ".", given);
  if (existsSync(path)) return { smaller: path, problems: [] };
  const message = `no such file "${path}"; name an experiment file beside this one, or leave smaller out`;
  return { problems: [problemAt(source, "/smaller", message)] };
}

/** The places where an experiment names files, or lists of them: a net's model or checkpoint, a stage's openings, games. */
const paths = [
  ["nets", "file"],
  ["nets", "weights"],
  ["graph", "file"],
  ["graph", "openings", "book"],
  ["graph", "sources"],
] as const;

/** Makes paths absolute: each is relative to the folder of the file that names it. */
function resolvePaths(value: Readonly<Record<string, unknown>>, source: Source): void {
  for (const [part, ...keys] of paths)
    for (const [name, entry] of Object.entries((value[part] ?? {}) as Readonly<Record<string, unknown>>)) {
      const last = keys.at(-1)!;
      const absolute = (one: unknown, pointer: string) =>
        typeof one === "string" ? resolve(nearestPlace(source, pointer)?.place.folder ?? ".", one) : one;
      for (const [holder, at] of holdersOf(entry, keys.slice(0, -1), [part, name])) {
        const path = holder[last];
        const pointer = `/${[...at, last].map(escapePointer).join("/")}`;
        if (path !== undefined)
          holder[last] = Array.isArray(path)
            ? path.map((one) => absolute(one, pointer))
            : absolute(path, pointer);
      }
    }
}

/** The maps that keys lead to from an entry, each with its place; a list on the way leads to several. */
function holdersOf(
  entry: unknown,
  keys: readonly string[],
  at: readonly string[],
): (readonly [holder: Record<string, unknown>, at: readonly string[]])[] {
  if (Array.isArray(entry)) return entry.flatMap((each, i) => holdersOf(each, keys, [...at, String(i)]));
  const map = mapOf(entry);
  const [key, ...rest] = keys;
  if (map === undefined) return [];
  return key === undefined ? [[map, at]] : holdersOf(map[key], rest, [...at, key]);
}

/** Notes the content of the files that nets are read from, so that the experiment distinguishes one content from another. */
function noteContents({ nets }: Readonly<Record<string, unknown>>): void {
  for (const [name, net] of Object.entries(mapOf(nets) ?? {}))
    if (mapOf(net) !== undefined) mapOf(nets)![name] = withContent(mapOf(net)!["use"], mapOf(net)!);
}

function mapOf(value: unknown): Record<string, unknown> | undefined {
  return typeof value === "object" && value !== null ? (value as Record<string, unknown>) : undefined;
}

/** The part that an error concerns: the rest of a map stays valid if one key is missing, unknown or misnamed. */
function wrongPart({ instancePath, params, propertyName }: ErrorObject): string {
  const key: unknown =
    params["additionalProperty"] ?? params["missingProperty"] ?? params["propertyName"] ?? propertyName;
  // A discriminator also names its key; without it, the whole map is unusable.
  return typeof key !== "string" || params["tag"] !== undefined
    ? instancePath
    : `${instancePath}/${escapePointer(key)}`;
}

/** The check compiled for the first file, and the names in this file; later the check for all files, which names the plug-ins. */
let compiled: { readonly validate: ValidateFunction; readonly named: string | number } | undefined;

/**
 * The check for a file. Compiling it for all forms takes several times as long as for the forms of one file. So the
 * check for the first file has only its forms, and the next different file causes the check for all forms.
 */
function validator(value: Readonly<Record<string, unknown>>): ValidateFunction {
  const forms: NamedForms = {
    game: namesIn([value["game"]], "rules"),
    nets: namesIn(value["nets"] ?? {}, "use"),
    agents: namesIn(value["agents"] ?? {}, "use"),
    graph: namesIn(value["graph"], "use"),
  };
  // Each plug-in adds its definitions, so the number of plug-ins is enough.
  const plugins = loadedPlugins().length;
  const named = JSON.stringify([forms, plugins]);
  if (compiled === undefined) compiled = { validate: compile(experimentSchema(forms)), named };
  else if (compiled.named !== plugins && compiled.named !== named)
    compiled = { validate: compile(experimentSchema()), named: plugins };
  return compiled.validate;
}

/** The values of a key in all entries of a map; undefined if it is not a map of maps. */
function namesIn(part: unknown, key: string): readonly unknown[] | undefined {
  const entries: unknown[] = typeof part === "object" && part !== null ? Object.values(part) : [undefined];
  return entries.every((entry) => typeof entry === "object" && entry !== null)
    ? entries.map((entry) => (entry as Record<string, unknown>)[key] ?? null)
    : undefined;
}

function compile(schema: TObject): ValidateFunction {
  return new Ajv({
    allErrors: true,
    discriminator: true,
    useDefaults: true,
    verbose: true,
    // The code that opens a part fills in the defaults inside a tagged union.
    strictSchema: false,
    strictRequired: false,
    strictTypes: false,
    // A check runs once or twice: optimising its code takes longer than it saves.
    code: { optimize: false },
  }).compile(schema);
}

function explain(errors: readonly ErrorObject[], source: Source): Problem[] {
  const problems: Problem[] = [];
  const reported = new Set<string>();
  for (const error of meantErrors(errors)) {
    const problem = explainOne(error, source);
    if (problem === undefined) continue;
    const key = `${problem.path}: ${problem.message}`;
    if (!reported.has(key)) problems.push(problem);
    reported.add(key);
  }
  return problems;
}

/** A similar name that a file has, for a name that only `--set` has written: it creates keys that do not exist. */
function meantName({ value, places }: Source, pointer: string): string {
  if (places.get(pointer)?.file.startsWith("--set ") !== true) return "";
  const [name, ...above] = pointer.split("/").slice(1).toReversed();
  let beside: unknown = value;
  for (const part of above.toReversed()) beside = (beside as Record<string, unknown>)[part];
  // The indices of a list are not names.
  if (Array.isArray(beside)) return "";
  const names = Object.keys(beside as object).filter((each) => escapePointer(each) !== name);
  const meant = didYouMean(name!, names);
  return meant === "" ? "" : `the file has no "${name}"${meant} If it is to be new, its `;
}

const MERGE_KEYS = `merge keys ("<<") are not read: write the keys of the other map here too`;

/** The map that a pointer of a checker's error leads to. */
function valueAt(value: unknown, pointer: string): object {
  const parts = pointer.split("/").slice(1);
  return Object(
    parts.reduce(
      (inner, part) =>
        (Object(inner) as Record<string, unknown>)[part.replaceAll("~1", "/").replaceAll("~0", "~")],
      value,
    ),
  ) as object;
}

function explainOne(error: ErrorObject, source: Source): Problem | undefined {
  // "propertyNames" itself reports this.
  if (error.propertyName !== undefined) return undefined;
  const at = error.instancePath;
  const params = error.params as Record<string, unknown>;
  const schema = error.parentSchema as Record<string, any>;
  switch (error.keyword) {
    case "additionalProperties": {
      const key = String(params["additionalProperty"]);
      const known = Object.keys(schema["properties"] ?? {});
      const message =
        key === "<<"
          ? MERGE_KEYS
          : `unknown key "${key}"${didYouMean(key, known)} (known here: ${known.join(", ")})`;
      return problemAt(source, `${at}/${escapePointer(key)}`, message, true);
    }
    case "required": {
      const key = String(params["missingProperty"]);
      // The union itself lists the names.
      if (schema["discriminator"]?.propertyName === key) return undefined;
      const wanted = schema["properties"]?.[key]?.description;
      const what = wanted === undefined ? "" : `: ${String(wanted).replace(/\.$/, "")}`;
      return problemAt(source, `${at}/${escapePointer(key)}`, `"${key}" is missing${what}`);
    }
    case "discriminator": {
      const key = String(params["tag"]);
      const known = (schema["oneOf"] as any[]).map((one) => String(one.properties[key].const));
      const given = params["tagValue"];
      // What the merge key was to bring may be all that is missing.
      if (given === undefined && Object.hasOwn(valueAt(source.value, at), "<<"))
        return problemAt(source, `${at}/<<`, MERGE_KEYS, true);
      const message =
        given === undefined
          ? `${meantName(source, at)}"${key}" is missing; expected one of ${known.join(", ")}`
          : `there is no ${show(given)}${typeof given === "string" ? didYouMean(given, known) : ""} (known: ${known.join(", ")})`;
      return problemAt(source, `${at}/${key}`, message);
    }
    case "propertyNames": {
      const name = String(params["propertyName"]);
      const message =
        name.length > MOST_NAME_CHARACTERS
          ? `a name has at most ${MOST_NAME_CHARACTERS} characters, and this one has ${name.length}`
          : `a name has letters a to z or A to Z, digits, "-" and "_", with a letter or a digit first`;
      return problemAt(source, `${at}/${escapePointer(name)}`, message, true);
    }
    // The branch that the key selects has already reported this.
    case "oneOf":
      return undefined;
    default:
      return problemAt(source, at, expectedAndFound(error));
  }
}

import { capitalised } from "../../messages/capitalised.ts";
import { searches } from "../../search/registry.ts";
import { experimentSchema } from "../schema.ts";
import { type NamedType, sharedTypes } from "./shared-types.ts";
import type { Schema } from "./schema-parts.ts";

/** Least lines of a type that is written once, under a name, if several options or forms have it. */
const LONG = 6;

/** Keys that concern files, and that an experiment in a program does not have. */
const ofFiles = ["extends", "smaller", "cost", "sweep"];

/** A tagged union of the schema, as the interface that lists its forms, and their union. */
interface Forms {
  readonly list: string;
  readonly what: string;
  readonly union: string;
  readonly key: string;
  readonly forms: readonly Schema[];
  readonly numericNames: boolean;
}

/**
 * The types of experiments as a module of TypeScript, made from the schema that files are checked with, so that programs and
 * files know the same keys. Each list of forms is an interface that users can add to, for the games, nets and agents of their
 * own files. Options that several forms have are a type of their own, once.
 */
export function experimentTypes(): string {
  const { properties, required } = experimentSchema() as Schema;
  const { game, nets, agents, graph } = properties;
  const named = new Set(searches.map(({ name }) => name));
  const ofAgents = formsOf("", "", "", agents.additionalProperties);
  const isSearch = (form: Schema) => named.has(form["properties"].use.const);
  const lists: readonly Forms[] = [
    formsOf("Games", "The games, by name.", "ExperimentGame", game),
    formsOf("Nets", "The nets and value functions, by name.", "ExperimentNet", nets.additionalProperties),
    {
      ...ofAgents,
      list: "Searches",
      what: "The agents that search, by name.",
      union: "ExperimentSearch",
      forms: ofAgents.forms.filter(isSearch),
    },
    {
      ...ofAgents,
      list: "Programs",
      what: "The agents that are other programs, by name.",
      union: "ExperimentProgram",
      forms: ofAgents.forms.filter((form) => !isSearch(form)),
    },
    formsOf(
      "GraphStages",
      "The stages of the graph, by name.",
      "ExperimentStage",
      graph.additionalProperties,
    ),
  ];
  const { schemas, types: shared } = sharedTypes(
    lists.flatMap(({ forms, key }) =>
      forms.map((form) => [form["properties"][key].const as string, optionsOf(form, key)] as const),
    ),
    (schema) => typeOf(schema, "").split("\n").length >= LONG,
  );
  let place = 0;
  const texts = lists.map((list) => {
    const options = schemas.slice(place, place + list.forms.length);
    place += list.forms.length;
    return listText(list, options);
  });
  const byName = (type: string) => `Readonly<Record<string, ${type} | Own<Plugins, OwnPart>>>`;
  const types: Readonly<Record<string, string>> = {
    plugins: "Plugins",
    game: "ExperimentGame | Own<Plugins, OwnGame>",
    nets: byName("ExperimentNet"),
    agents: byName("ExperimentSearch | ExperimentProgram"),
    graph: byName("ExperimentStage"),
  };
  const keys = Object.entries(properties as Record<string, Schema>)
    .filter(([key]) => !ofFiles.includes(key))
    .map(([key, schema]) => property(key, schema, (required as string[]).includes(key), "  ", types[key]));
  const whole =
    "An experiment: what a file says, as an object. Absent keys take their defaults. With `plugins` it may name what these define.";
  return `${[
    "// Written by `npm run schema` from the schema of experiment files. Do not edit.",
    `${comment([whole], "")}export interface ExperimentDescription<Plugins extends readonly string[] = readonly string[]> {\n${keys.join("\n")}\n}`,
    "/** What an experiment with plug-ins may name besides. */\ntype Own<Plugins extends readonly string[], Part> = Plugins extends readonly [] ? never : Part;",
    "/** A game of your own, and its options. */\nexport interface OwnGame {\n  readonly rules: string & {};\n  readonly [option: string]: unknown;\n}",
    "/** A net, search or stage of your own, and its options. */\nexport interface OwnPart {\n  readonly use: string & {};\n  readonly [option: string]: unknown;\n}",
    ...texts,
    ...shared.map(namedText),
  ].join("\n\n")}\n`;
}

function formsOf(list: string, what: string, union: string, schema: Schema): Forms {
  return {
    list,
    what,
    union,
    key: schema["discriminator"].propertyName,
    forms: schema["oneOf"],
    numericNames: schema["numericNames"] === true,
  };
}

/** What a form has besides the key that selects it. */
function optionsOf(form: Schema, key: string): Schema {
  const { [key]: _, ...properties } = form["properties"];
  const required = ((form["required"] ?? []) as string[]).filter((each) => each !== key);
  return { type: "object", required, properties };
}

function listText(
  { list, what, union, key, forms, numericNames }: Forms,
  options: readonly Schema[],
): string {
  const entries = forms.map((form, i) => {
    const name: string = form["properties"][key].const;
    const named = numericNames && String(Number(name)) === name ? `"${name}" | ${name}` : `"${name}"`;
    const shared: string | undefined = options[i]!["typeName"];
    const properties = [
      `    readonly ${key}: ${named};`,
      ...(shared === undefined ? propertiesOf(options[i]!, "    ") : []),
    ];
    const type = `${shared === undefined ? "" : `${shared} & `}{\n${properties.join("\n")}\n  }`;
    return `${comment([form["description"]], "  ")}  readonly "${name}": ${type};`;
  });
  const more = `Files of your own add to it: \`declare module "ludoflow" { interface ${list} { ... } }\`.`;
  return `${comment([what, more], "")}export interface ${list} {\n${entries.join("\n")}\n}\n\n${comment([`One of \`${list}\`.`], "")}export type ${union} = ${list}[keyof ${list}];`;
}

function namedText({ name, schema, users }: NamedType): string {
  const type = typeOf(schema, "");
  const what = comment([`The type of ${users.map((user) => `\`${user}\``).join(", ")}.`], "");
  const isMap = schema["type"] === "object" && schema["oneOf"] === undefined;
  return `${what}export ${isMap ? `interface ${name} ${type}` : `type ${name} = ${type};`}`;
}

function propertiesOf({ properties, required = [] }: Schema, indent: string): string[] {
  return Object.entries((properties ?? {}) as Record<string, Schema>).map(([key, schema]) =>
    property(key, schema, (required as string[]).includes(key), indent),
  );
}

function property(key: string, schema: Schema, needed: boolean, indent: string, type?: string): string {
  const name = /^[A-Za-z_$][\w$]*$/.test(key) ? key : JSON.stringify(key);
  const sentences = [schema["description"] as string | undefined, rangeOf(schema), defaultOf(schema)];
  return `${comment(sentences, indent)}${indent}readonly ${name}${needed ? "" : "?"}: ${type ?? typeOf(schema, indent)};`;
}

/** A doc comment of these sentences, with lines of at most 120 characters. */
function comment(sentences: readonly (string | undefined)[], indent: string): string {
  const text = sentences.filter((each) => each !== undefined).join(" ");
  if (text === "") return "";
  const one = `${indent}/** ${text} */\n`;
  if (one.length <= 110) return one;
  const lines = [""];
  for (const word of text.split(" ")) {
    const longer = `${lines.at(-1)!} ${word}`;
    if (longer.length > 104 - indent.length) lines.push(` ${word}`);
    else lines[lines.length - 1] = longer;
  }
  return `${indent}/**\n${lines.map((line) => `${indent} *${line}\n`).join("")}${indent} */\n`;
}

/** The range of a number, as a sentence. */
function rangeOf(schema: Schema): string | undefined {
  const { minimum, maximum, exclusiveMinimum, exclusiveMaximum } = schema;
  const ends = [
    minimum === undefined ? undefined : `at least ${minimum}`,
    exclusiveMinimum === undefined ? undefined : `more than ${exclusiveMinimum}`,
    // The bound of what a number can hold is of no use to users.
    maximum === undefined || maximum === Number.MAX_SAFE_INTEGER ? undefined : `at most ${maximum}`,
    exclusiveMaximum === undefined ? undefined : `less than ${exclusiveMaximum}`,
  ].filter((end) => end !== undefined);
  if (ends.length === 0) return undefined;
  const text = ends.join(" and ");
  return `${capitalised(text)}.`;
}

function defaultOf({ default: value }: Schema): string | undefined {
  return value === undefined ? undefined : `Default: \`${JSON.stringify(value)}\`.`;
}

/** The type of the values that a schema takes. */
function typeOf(schema: Schema, indent: string): string {
  if (schema["typeName"] !== undefined) return schema["typeName"];
  const forms: readonly Schema[] | undefined = schema["anyOf"] ?? schema["oneOf"];
  if (forms !== undefined) return [...new Set(forms.map((form) => typeOf(form, indent)))].join(" | ");
  if (schema["const"] !== undefined) return JSON.stringify(schema["const"]);
  if (schema["enum"] !== undefined)
    return (schema["enum"] as unknown[]).map((each) => JSON.stringify(each)).join(" | ");
  const kinds: readonly string[] = [schema["type"]].flat();
  return kinds.map((kind) => typeOfKind(kind, schema, indent)).join(" | ");
}

function typeOfKind(kind: string | undefined, schema: Schema, indent: string): string {
  switch (kind) {
    case "integer":
    case "number":
      return "number";
    case "string":
    case "boolean":
    case "null":
      return kind;
    case "array":
      return `readonly ${parenthesised(typeOf(schema["items"] ?? {}, indent))}[]`;
    case "object": {
      const others: unknown = schema["additionalProperties"];
      if (typeof others === "object") return `Readonly<Record<string, ${typeOf(others as Schema, indent)}>>`;
      const properties = propertiesOf(schema, `${indent}  `);
      return properties.length === 0 ? "{}" : `{\n${properties.join("\n")}\n${indent}}`;
    }
    default:
      return "unknown";
  }
}

function parenthesised(type: string): string {
  return /[ |]/.test(type) && !type.startsWith("{") ? `(${type})` : type;
}

import { Command } from "commander";
import { type TObject, Type } from "../../schema.ts";
import { stringify } from "yaml";
import { games } from "../../games/registry.ts";
import { nets } from "../../models/registry.ts";
import { agentKinds, netSettings } from "../../operators/experiment/agent-kinds.ts";
import { stageSchema } from "../../operators/operator.ts";
import { serviceSchema } from "../../operators/play/service.ts";
import { operators, services } from "../../operators/registry.ts";
import { didYouMean } from "../../messages/did-you-mean.ts";
import { expectation, type Range } from "../../messages/expected.ts";
import { UsageError } from "../../messages/usage-error.ts";
import { loadNamed, type PluginFlag, pluginOption } from "../flags/plugin-flags.ts";

interface Entry {
  readonly section: string;
  readonly name: string;
  readonly description: string;
  readonly options: TObject;
  readonly example?: string;
}

/** `ludoflow operators [NAME]`: the catalogue of all names that an experiment file can use, from the schemas. */
export function operatorsCommand(): Command {
  return pluginOption(new Command("operators").argument("[name]", "one entry, with all its settings"))
    .description("List the games, nets, searches and stages that an experiment file can name.")
    .option("--json", "the entries with their schemas as one JSON document")
    .addHelpText(
      "after",
      "\nExamples:\n  $ ludoflow operators\n  $ ludoflow operators trainer\n  $ ludoflow operators hex --plugin ./hex.ts",
    )
    .action((name: string | undefined, options: PluginFlag & { readonly json?: boolean }) => {
      loadNamed(options);
      const entries = catalogue();
      const chosen = name === undefined ? entries : entries.filter((entry) => entry.name === name);
      if (chosen.length === 0)
        throw new UsageError(
          `there is no "${name}"${settingOf(name!, entries)} (ludoflow operators lists all names${options.plugin.length === 0 ? "; for one of a plug-in, add --plugin FILE" : ""})`,
        );
      if (options.json === true) process.stdout.write(`${JSON.stringify(chosen, null, 2)}\n`);
      else process.stdout.write(name === undefined ? list(entries) : chosen.map(detail).join("\n"));
    });
}

/** Which entries have a setting of this name; else the nearest name of an entry. An addition to a message. */
function settingOf(name: string, entries: readonly Entry[]): string {
  const holders = entries.filter(({ options }) => Object.hasOwn(options.properties, name));
  if (holders.length > 0)
    return `; ${name} is a setting of ${holders.map((entry) => entry.name).join(", ")}: ludoflow operators ${holders[0]!.name} shows it`;
  return didYouMean(
    name,
    entries.map((entry) => entry.name),
  );
}

function catalogue(): Entry[] {
  return [
    ...games.map((game) => ({ section: "games (game: { rules: ... })", ...pick(game) })),
    ...nets.map((net) => ({ section: "nets (nets: { NAME: { use: ... } })", ...pick(net) })),
    ...agentKinds().map((kind) => ({
      section: "searches (agents: { NAME: { use: ... } })",
      ...pick({
        ...kind,
        options: Type.Object(
          { ...netSettings(kind), ...kind.options.properties },
          { additionalProperties: false },
        ),
      }),
    })),
    ...operators.map((each) => ({
      section: "stages (graph: { NAME: { use: ... } })",
      ...pick({ ...each, name: each.use, options: stageSchema(each) }),
      example: each.example,
    })),
    ...services.map((each) => ({
      section: "services (graph: { NAME: { use: ... } })",
      ...pick({ ...each, name: each.use, options: serviceSchema(each) }),
      example: each.example,
    })),
  ];
}

function pick({ name, description, options }: { name: string; description: string; options: TObject }) {
  return { name, description, options };
}

function list(entries: readonly Entry[]): string {
  const lines: string[] = [];
  let section = "";
  for (const entry of entries) {
    if (entry.section !== section) lines.push(...(section === "" ? [] : [""]), entry.section);
    section = entry.section;
    lines.push(`  ${entry.name.padEnd(17)} ${entry.description}`);
  }
  return `${lines.join("\n")}\n\nludoflow operators NAME shows the settings of one; --plugin FILE adds those of a plug-in.\n`;
}

function detail(entry: Entry): string {
  const lines = [`${entry.name} — ${entry.description}`, ""];
  // Its own "use" repeats the heading.
  const { use: _, ...properties } = entry.options.properties;
  describe({ ...entry.options, properties }, "  ", lines);
  if (entry.example !== undefined) lines.push("", `  ${entry.example}`);
  return `${lines.join("\n")}\n`;
}

interface Described extends Range {
  readonly type?: string;
  readonly const?: unknown;
  readonly enum?: readonly unknown[];
  readonly anyOf?: readonly Described[];
  readonly items?: Described;
  readonly oneOf?: readonly Described[];
  readonly properties?: Readonly<Record<string, Described>>;
  readonly required?: readonly string[];
  readonly default?: unknown;
  readonly description?: string;
}

/** Writes the settings of a schema as lines; a form that several settings share is written once. */
function describe(
  schema: Described,
  indent: string,
  lines: string[],
  described = new Map<string, string>(),
): void {
  for (const [key, value] of Object.entries(schema.properties ?? {})) {
    const needed = value.default === undefined && (schema.required ?? []).includes(key);
    const state = needed
      ? "required"
      : value.default === undefined
        ? "optional"
        : `default ${stringify(value.default, { collectionStyle: "flow" }).trim()}`;
    lines.push(`${indent}${key} (${form(value)}, ${state})  ${value.description ?? ""}`);
    const forms = [...(value.oneOf ?? []), ...(value.anyOf ?? [])];
    const named = forms.filter((each) => each.properties?.["use"] !== undefined);
    for (const inner of [value, ...forms.filter((each) => !named.includes(each))])
      for (const map of [inner, inner.items])
        if (map?.properties !== undefined) describe(map, `${indent}  `, lines, described);
    const signature = JSON.stringify(named);
    const before = named.length === 0 ? undefined : described.get(signature);
    if (before !== undefined) lines.push(`${indent}  (the forms of ${before})`);
    else {
      if (named.length > 0) described.set(signature, key);
      for (const form of named) {
        const { use, ...rest } = form.properties!;
        lines.push(
          `${indent}  - ${String(use!.const)}: ${use!.description ?? form.description ?? ""}`.trimEnd(),
        );
        describe({ ...form, properties: rest }, `${indent}      `, lines, described);
      }
    }
  }
}

function form(schema: Described): string {
  const use = schema.properties?.["use"]?.const;
  if (use !== undefined) return `{ use: ${JSON.stringify(use)} }`;
  if (schema.const !== undefined) return JSON.stringify(schema.const);
  const choices = schema.enum ?? schema.anyOf?.map((each) => each.const).filter((each) => each !== undefined);
  if (choices !== undefined && choices.length > 0) return choices.map(String).join(" | ");
  if (schema.anyOf !== undefined) return schema.anyOf.map(form).join(" or ");
  return schema.type === undefined ? "any value" : expectation(schema.type, schema);
}

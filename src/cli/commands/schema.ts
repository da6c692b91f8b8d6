import { Command } from "commander";
import { writeAtomically } from "../../formats/files/atomic-file.ts";
import { loadPlugins, pluginFilesOf } from "../../graph/code/named-plugins.ts";
import { schemaFile } from "../../graph/generated/editor-schema.ts";
import { ExperimentInvalid } from "../../graph/problem.ts";
import { experimentPath } from "../../graph/shipped-experiments.ts";
import { readSource } from "../../graph/yaml-source.ts";
import { type AllowCodeFlag, allowCodeOption, permitByUser } from "../permit-code.ts";

interface SchemaFlags extends AllowCodeFlag {
  readonly out?: string;
}

/** `ludoflow schema [FILES]`: the schema of experiment files for editors, with what the plug-ins of these files define. */
export function schemaCommand(): Command {
  const command = new Command("schema").argument(
    "[files...]",
    "experiment files: their plug-ins are loaded, and what they define is in the schema",
  );
  return allowCodeOption(command)
    .description(
      "Print the JSON schema of experiment files, by which editors complete and check them, with the plug-ins of files.",
    )
    .option("--out <file>", "write it there, in place of an earlier one, and not to standard output")
    .addHelpText(
      "after",
      `
An editor with yaml-language-server takes it by a line at the top of a file,
# yaml-language-server: $schema=experiment.schema.json, or by its setting yaml.schemas.

Examples:
  $ ludoflow schema > experiment.schema.json
  $ ludoflow schema my-experiment.yaml --out .vscode/experiment.schema.json`,
    )
    .action(async (files: readonly string[], flags: SchemaFlags) => {
      for (const given of files) {
        const file = experimentPath(given);
        const { files: plugins, problems } = pluginFilesOf(readSource(file));
        if (problems.length > 0) throw new ExperimentInvalid(problems);
        await loadPlugins(plugins, file, permitByUser(flags));
      }
      const text = schemaFile();
      if (flags.out === undefined) process.stdout.write(text);
      else writeAtomically(flags.out, text);
    });
}

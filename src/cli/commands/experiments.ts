import { Command } from "commander";
import { didYouMean } from "../../messages/did-you-mean.ts";
import { UsageError } from "../../messages/usage-error.ts";
import { type ShippedExperiment, shippedExperiments } from "../../graph/shipped-experiments.ts";

/** `ludoflow experiments [NAME]`: the experiments of this package, from their files. */
export function experimentsCommand(): Command {
  return new Command("experiments")
    .argument("[name]", "one experiment: all that it shows, and its file")
    .description(
      "List the experiments that come with ludoflow: their names, how long a run takes on two cores, and what each shows.",
    )
    .option("--json", "the experiments with their files as one JSON document")
    .addHelpText(
      "after",
      `
run, match, check and graph take these names in place of a file.

Examples:
  $ ludoflow experiments
  $ ludoflow experiments quickstart
  $ ludoflow run quickstart`,
    )
    .action((name: string | undefined, options: { readonly json?: boolean }) => {
      const all = shippedExperiments();
      const chosen = name === undefined ? all : all.filter((each) => each.name === name);
      if (chosen.length === 0) {
        const meant = didYouMean(
          name!,
          all.map((each) => each.name),
        );
        throw new UsageError(
          `there is no experiment "${name}"${meant} (ludoflow experiments lists all names)`,
        );
      }
      if (options.json === true) process.stdout.write(`${JSON.stringify(chosen, null, 2)}\n`);
      else process.stdout.write(name === undefined ? list(all) : detail(chosen[0]!));
    });
}

function list(all: readonly ShippedExperiment[]): string {
  const lines = all.flatMap(({ name, cost, description }) => [
    `${name}  (${cost})`,
    `    ${firstSentence(description)}`,
  ]);
  return `${lines.join("\n")}\n\nludoflow experiments NAME shows more of one; ludoflow run NAME runs it. The first to try: ludoflow run quickstart\n`;
}

/** Up to the first full stop that ends a word of three letters or more, or a bracket: "et al." ends no sentence. */
function firstSentence(text: string): string {
  return /^.*?(?:\w{3}|\))\.(?= |$)/s.exec(text)?.[0] ?? text;
}

function detail({ name, file, description, cost }: ShippedExperiment): string {
  return `${name}: ${description}\n\nA run takes: ${cost}\nFile: ${file}\n\nTo change it, copy the file, or begin one of your own with this line, and the name and changes below it:\nextends: ${name}\n`;
}

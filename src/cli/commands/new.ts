import { Command } from "commander";
import { installedFrom, layOutProject } from "../new-project.ts";

/** `ludoflow new FOLDER`: lays out a project with a game of one's own. */
export function newCommand(): Command {
  return new Command("new")
    .argument("<folder>", "the project's folder, new or empty; its last part is the project's name")
    .description(
      "Lay out a project: a small game of your own to change, an experiment with it, tests, and settings for editors.",
    )
    .option(
      "--from <tarball>",
      "install ludoflow from this tarball (default: the tarball that the working directory has installed it from, else this version from npm)",
    )
    .addHelpText(
      "after",
      `
Nothing is written outside of the folder, and nothing is installed.

Examples:
  $ ludoflow new my-game
  $ ludoflow new my-game --from ludoflow-0.2.0.tgz`,
    )
    .action((folder: string, { from }: { readonly from?: string }) => {
      const files = layOutProject(folder, from ?? installedFrom(process.cwd()));
      const list = files.map((file) => `  ${file}\n`).join("");
      process.stdout.write(
        `${folder}:\n${list}\nNext:\n  cd ${folder}\n  npm install\n  npm test\n  npx ludoflow match experiments/first.yaml\n`,
      );
    });
}

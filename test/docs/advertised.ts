import { existsSync } from "node:fs";
import { basename, join } from "node:path";
import { Command } from "commander";
import { shippedFiles } from "../../src/graph/shipped-files.ts";
import { filesUnder, pages, root, textOf } from "./pages.ts";

/** A command that this project tells its readers to type, or names. */
export interface Advertised {
  /** The file that advertises it, from the root of the checkout, or `ludoflow NAME --help`. */
  readonly place: string;
  /** As it is written. */
  readonly line: string;
  /** What follows `ludoflow`. Stands for what the reader fills in are placeholders: words of capitals. */
  readonly words: readonly string[];
  /** Whether it can be typed as it is; otherwise it is part of a sentence, where operands may be left out. */
  readonly whole: boolean;
}

/** The commands by name, each able to parse and without an action. */
const commands: ReadonlyMap<string, Command> = new Map(
  (
    await Promise.all(
      filesUnder("src/cli/commands").map(async (file) => {
        const module = (await import(join(root, file))) as Readonly<Record<string, unknown>>;
        const make = Object.entries(module).find(([name]) => name.endsWith("Command"))![1] as () => Command;
        return make();
      }),
    )
  ).map((command) => [command.name(), command]),
);

/** What a command's `--help` prints. */
function helpOf(command: Command): string {
  let text = "";
  command.configureOutput({ writeOut: (part) => (text += part) });
  command.outputHelp();
  return text;
}

/** Marks that begin files which ludoflow writes: names of formats, and no commands. */
const FORMAT = /^[a-z]+( weights)? \d+$/;

/** The experiments of this package by name, with their files. */
export const shipped = shippedFiles();

/** The commands of a text that is for a shell, one or several a line. */
function inShell(place: string, text: string): Advertised[] {
  return text
    .replaceAll(/\\\n\s*/g, " ")
    .split("\n")
    .flatMap((line) =>
      // A pipe, a list or a substitution has commands of its own; quoted text has none.
      partsOf(line.replace(/^\s*\$ /, "")).map((words) => ({ line: line.trim(), words })),
    )
    .flatMap(({ line, words }) => {
      const at = words.indexOf("ludoflow");
      const before = words.slice(0, Math.max(at, 0));
      return at < 0 || !before.every((word) => word === "npx" || /^[A-Z_]+=/.test(word))
        ? []
        : [{ place, line, words: words.slice(at + 1), whole: true }];
    });
}

/** The simple commands of a line of a shell, each as its words. */
function partsOf(line: string): string[][] {
  const parts: string[][] = [[]];
  for (const [token, separator, comment] of line.matchAll(
    /(&&|\|\|?|;|\$\(|[()](?=\s|$)|&)|(#(?<=\s#|^#).*)|(?:[^\s'"|;&#()]|#(?<!\s#)|\((?!\s)|\)(?!\s|$)|'[^']*'|"[^"]*")+/g,
  )) {
    if (separator !== undefined) parts.push([]);
    else if (comment === undefined) parts.at(-1)!.push(token.replaceAll(/'([^']*)'|"([^"]*)"/g, "$1$2"));
  }
  // What goes into a file is no argument.
  return parts.map((words) => {
    const at = words.findIndex((word) => /^\d?[<>]/.test(word));
    return at < 0 ? words : words.slice(0, at);
  });
}

/** The commands of a sentence: the words behind the command that can be no words of the sentence. */
function inSentences(place: string, text: string): Advertised[] {
  return [...text.matchAll(/\bludoflow ([a-z-]+)\b((?: +[^\s"`;,()<\\]+)*)/g)]
    .filter(([line, name]) => commands.has(name!) && !FORMAT.test(line.replace("ludoflow ", "")))
    .map(([, name, rest]) => {
      const words = [name!];
      for (const written of rest!.trim().split(/ +/)) {
        const word = written.replace(/[.:?!]$/, "");
        // Words with = are settings of a file that is not in sentences.
        if (/^\w+=/.test(word) || (!/^--?[a-z]|^[A-Z]{2,}$|^\$\{|[./#\d]/.test(word) && !shipped.has(word)))
          break;
        words.push(word.replaceAll(/\$\{[^}]*\}/g, "FILLED"));
        if (word !== written) break;
      }
      return { place, line: `ludoflow ${words.join(" ")}`, words, whole: false };
    });
}

/** The commands in the code of a page: blocks for a shell, and spans in its sentences. */
function inPage(place: string): Advertised[] {
  const text = textOf(place);
  const blocks = [...text.matchAll(/^( *)```(\w*)\n(.*?)^\1```$/gms)]
    .filter(([, , language]) => ["", "sh", "bash", "console"].includes(language!))
    .flatMap(([, , , code]) => inShell(place, code!));
  const spans = [...text.replaceAll(/^( *)```.*?^\1```$/gms, "").matchAll(/`((?:npx )?ludoflow [^`]*)`/g)]
    .map(([, span]) => span!.replaceAll(/\s+/g, " "))
    .filter((span) => !FORMAT.test(span.replace("ludoflow ", "")))
    // A synopsis: brackets say what may be left out.
    .flatMap((span) => inShell(place, span.replaceAll(/[[\]]|\.\.\./g, "")))
    .map((each) => ({ ...each, whole: operandsOf(each.words).some((word) => !isPlaceholder(word)) }));
  return [...blocks, ...spans];
}

/** The arguments of a command that are neither options nor their values. */
function operandsOf([name = "", ...given]: readonly string[]): string[] {
  const valued = (commands.get(name)?.options ?? []).filter((each) => each.required || each.optional);
  const flags = new Set(valued.flatMap(({ long, short }) => [long, short]));
  return given.filter((word, i) => !word.startsWith("-") && (i === 0 || !flags.has(given[i - 1])));
}

/** Whether the reader has to put something in the place of a word. */
function isPlaceholder(word: string): boolean {
  return /^(?:[A-Z]+(?:[./#].*)?|FILLED.*)$/.test(word);
}

/** Everything that is advertised: in pages, in the texts of experiments and examples, by `--help`, and in messages. */
export function advertised(): Advertised[] {
  // The change log also names commands of earlier versions.
  const papers = [...pages.filter((page) => page !== "CHANGELOG.md"), ...under("experiments", "template")];
  const unwrapped = (file: string) => textOf(file).replaceAll(/\n\s*(?:#|\*|\/\/)? */g, " ");
  const code = (file: string) =>
    textOf(file)
      .replaceAll(/\/\*.*?\*\//gs, "")
      .replaceAll(/^\s*\/\/.*$/gm, "")
      // Lines of examples, which --help prints.
      .replaceAll(/^\s*\$ .*$/gm, "")
      .replaceAll(/\$\{[^{}]*\}/g, "FILLED");
  return [
    ...papers.filter((file) => file.endsWith(".md")).flatMap(inPage),
    ...[...under("experiments", "template"), ...filesUnder("examples")]
      .filter((file) => /\.(?:yaml|ts|service|sbatch|sh)$|Containerfile$/.test(file))
      .flatMap((file) => inSentences(file, unwrapped(file))),
    ...[...commands].flatMap(([name, command]) =>
      inShell(
        `ludoflow ${name} --help`,
        helpOf(command)
          .match(/^ *\$ .*$/gm)
          ?.join("\n") ?? "",
      ),
    ),
    ...inShell(
      "ludoflow --help",
      textOf("src/cli/main.ts")
        .match(/^ *\$ .*$/gm)!
        .join("\n"),
    ),
    ...filesUnder("src")
      .filter((file) => file.endsWith(".ts") || file.endsWith(".tsx"))
      .flatMap((file) => inSentences(file, code(file))),
  ];
}

function under(...folders: readonly string[]): string[] {
  return folders.flatMap(filesUnder).filter((file) => !file.includes("node_modules"));
}

/** What is wrong with a command as it is parsed; undefined if nothing is. */
export function parseMistake({ words, whole }: Advertised): string | undefined {
  const [name = "", ...given] = words;
  if (name.startsWith("-")) return ["--help", "--version"].includes(name) ? undefined : `no option ${name}`;
  const command = commands.get(name);
  if (command === undefined) return `no command ${name}`;
  // Numbers that the reader fills in, and variables of the shell.
  const args = given.map((word) => word.replaceAll(/\$\w+/g, "1").replace(/^N$/, "1"));
  const quiet = { writeOut: () => undefined, writeErr: () => undefined, outputError: () => undefined };
  command
    .exitOverride()
    .configureOutput(quiet)
    .action(() => undefined);
  try {
    command.parse(args, { from: "user" });
    return undefined;
  } catch (error) {
    const { code, message } = error as { readonly code?: string; readonly message: string };
    if (code === "commander.helpDisplayed") return undefined;
    // A sentence may name a command without what it is for, and an option without its value.
    if (!whole && /missing/i.test(code ?? "")) return undefined;
    if (isPlaceholder(/'([^']+)' is invalid/.exec(message)?.[1] ?? "")) return undefined;
    return message;
  }
}

/** The commands whose first arguments are experiment files. */
const readers = ["run", "match", "check", "graph", "sweep", "schema", "play", "gtp", "analyse"];

/** The experiments that a command names, without agents: names or paths. Placeholders, runs and weights are none. */
export function experimentsNamed({ words }: Advertised): string[] {
  if (!readers.includes(words[0] ?? "")) return [];
  return operandsOf(words)
    .map((word) => word.split("#")[0]!)
    .filter((word) => !isPlaceholder(word) && !/^runs\/|\.(?:ts|js|sgf)$/.test(word));
}

/** Whether an experiment is found in every folder, or is one that the reader of the page has written. */
export function isFound(place: string, experiment: string): boolean {
  if (shipped.has(experiment)) return true;
  // The project that `ludoflow new` lays out.
  if (existsSync(join(root, "template", experiment))) return true;
  const name = basename(experiment, ".yaml");
  return place.endsWith(".md") && new RegExp(`^\\s*name: ${name}$`, "m").test(textOf(place));
}

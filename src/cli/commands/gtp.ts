import { StringDecoder } from "node:string_decoder";
import { Command } from "commander";
import { writeAtomically } from "../../formats/files/atomic-file.ts";
import { readBounded } from "../../formats/files/bounded-file.ts";
import type { Game } from "../../games/game.ts";
import { type GameConfig, openConfiguredGame } from "../../games/registry.ts";
import { ludoflowVersion } from "../../graph/folder/version.ts";
import { didYouMean } from "../../messages/did-you-mean.ts";
import type { OpenedForGtp } from "../../protocols/gtp/board.ts";
import { MOST_SGF_BYTES } from "../../operators/learning/collection/reading-task.ts";
import { gtpRules } from "../../protocols/gtp/dialects.ts";
import { GtpSession } from "../../protocols/gtp/session.ts";
import { gtpResponse } from "../../protocols/gtp/text.ts";
import { mistakes } from "../agent-mistakes.ts";
import { UsageError } from "../../messages/usage-error.ts";
import { type GtpAgentFile, readGtpAgent } from "../gtp-agent-file.ts";
import { openAgent, type ResolvedNet } from "../../graph/agents/open-agent.ts";
import { resolveNet } from "../../graph/agents/open-net.ts";
import type { AllowCodeFlag } from "../permit-code.ts";
import { loadPluginsFor, type PluginFlag, pluginOptions } from "../flags/plugin-flags.ts";
import { wholeNumber } from "../whole-number.ts";

/** `ludoflow gtp AGENT.yaml`: an agent of ours, for programs that speak GTP. */
export function gtpCommand(): Command {
  const command = new Command("gtp").argument(
    "<agent>",
    "a YAML or JSON file: { game: { rules: ... }, agent: { use: ... } }, or an agent alone with --game; or an agent of an experiment: FILE#NAME",
  );
  return pluginOptions(command)
    .description(
      "Speak the Go Text Protocol on standard input and output: for Go, Othello and Connect Four, and for Blokus in Pentobi's dialect (docs/gtp.md).",
    )
    .option("--game <rules>", `the game: ${gtpRules.join(", ")} (default: the file's)`)
    .option("--agent <name>", "the agent of an experiment or match file, as FILE#NAME")
    .option("--seed <number>", "all draws of the agent follow from it", wholeNumber, 0)
    .option("--no-clock", "keep to the agent's own limits, whatever time the controller gives")
    .addHelpText(
      "after",
      `
list_commands lists all commands. ludoflow-position TEXT sets up a position, ludoflow-showposition shows its text.

Examples:
  $ ludoflow gtp agent.yaml
  $ ludoflow gtp go-uct-rave#rave
  $ printf 'genmove b\\nshowboard\\n' | ludoflow gtp agent.yaml --game blokus-duo --seed 7`,
    )
    .action(
      async (
        path: string,
        {
          agent,
          clock,
          game: rules,
          seed,
          ...flags
        }: {
          readonly agent?: string;
          readonly clock: boolean;
          readonly game?: string;
          readonly seed: number;
        } & PluginFlag &
          AllowCodeFlag,
      ) => {
        if (rules !== undefined && !gtpRules.includes(rules))
          throw new UsageError(
            `no game "${rules}"${didYouMean(rules, gtpRules)} (known: ${gtpRules.join(", ")})`,
          );
        const chosen = agent === undefined ? path : `${path}#${agent}`;
        await loadPluginsFor(flags, { agent: chosen });
        await converse(mistakes(() => session(chosen, rules, seed, clock)));
      },
    );
}

function session(path: string, rules: string | undefined, seed: number, clock: boolean): GtpSession {
  const file = readGtpAgent(path, rules);
  return new GtpSession({
    dialect: file.dialect,
    game: file.game,
    open: (config) => openFor(file, config),
    seed,
    clock,
    program: { name: "ludoflow", version: ludoflowVersion() },
    files: { read: (file) => readBounded(file, MOST_SGF_BYTES), write: writeAtomically },
    warn: (message) => process.stderr.write(`${message}\n`),
  });
}

/** Opens a game and the factory of the agent. The agents of all seats share its nets. */
function openFor({ agent, at }: GtpAgentFile, { rules, ...options }: GameConfig): OpenedForGtp {
  const opened = at("game", () => openConfiguredGame(rules, options));
  const game = opened.game as Game<unknown>;
  const nets = new Map<unknown, ResolvedNet>();
  const resolve = (given: unknown) => {
    const known = nets.get(given) ?? resolveNet(given, game, opened.config);
    nets.set(given, known);
    return known;
  };
  return {
    game,
    config: opened.config,
    newAgent: () => at("agent", () => openAgent(agent, game, resolve)),
  };
}

/** Most characters of a command. */
const LONGEST_LINE = 1 << 20;

/** Responds to the lines of standard input until the input ends or `quit` comes. The last line may lack its end. */
async function converse(session: GtpSession): Promise<void> {
  const decoder = new StringDecoder("utf8");
  let streaming = false;
  // Between two parts of a long response, the event loop looks for input.
  const stream = (): void => {
    streaming = session.streams;
    if (!streaming) return;
    const text = session.advance();
    if (text !== "") process.stdout.write(text);
    setImmediate(stream);
  };
  const say = (line: string): void => {
    if (session.ended) return;
    const response =
      line.length > LONGEST_LINE
        ? (session.end() ?? "") + gtpResponse(false, undefined, "line too long")
        : session.respond(line);
    if (response !== undefined) process.stdout.write(response);
    if (session.streams && !streaming) stream();
  };
  let rest = "";
  for await (const bytes of process.stdin) {
    const lines = (rest + decoder.write(bytes as Buffer)).split("\n");
    // A line without an end is kept only up to the length that shows it is too long.
    rest = lines.pop()!.slice(0, LONGEST_LINE + 1);
    for (const line of lines) say(line);
    if (session.ended) break;
  }
  if (rest !== "") say(rest);
  process.stdout.write(session.end() ?? "");
  process.stdin.destroy();
}

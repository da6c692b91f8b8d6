import { StringDecoder } from "node:string_decoder";
import { Command } from "commander";
import { gtpResponse } from "../../protocols/gtp/text.ts";
import { didYouMean } from "../../messages/did-you-mean.ts";
import { pentobi } from "../../protocols/gtp/dialects.ts";
import type { GameConfig } from "../../operators/experiment/open-experiment.ts";
import { mistakes } from "../agent-mistakes.ts";
import { UsageError } from "../complaint.ts";
import { GtpSession } from "../gtp-session.ts";
import { agentConfig, type AgentObject } from "../referee-agent.ts";
import { resolveNet } from "./referee.ts";
import { wholeNumber } from "../whole-number.ts";

/** The game where neither the file nor `--game` names one: the one that Pentobi starts with. */
const FIRST_GAME = "blokus";

/** `ludoflow gtp AGENT.yaml`: an agent of ours, for programs that speak GTP. */
export function gtpCommand(): Command {
  const names = Object.keys(pentobi.games);
  return new Command("gtp")
    .argument(
      "<agent>",
      "a YAML or JSON file: { game: { rules: ... }, agent: { use: ... } }, or an agent alone",
    )
    .description(
      "Speak the Go Text Protocol on standard input and output, in Pentobi's dialect (docs/gtp.md).",
    )
    .option("--game <rules>", `the game: ${names.join(", ")} (default: the file's, else ${FIRST_GAME})`)
    .option("--seed <number>", "everything that the agent draws follows from it", wholeNumber, 0)
    .addHelpText(
      "after",
      `
Examples:
  $ ludoflow gtp agent.yaml
  $ printf 'genmove b\\nshowboard\\n' | ludoflow gtp agent.yaml --game blokus-duo --seed 7`,
    )
    .action(
      async (path: string, { game: rules, seed }: { readonly game?: string; readonly seed: number }) => {
        if (rules !== undefined && !names.includes(rules))
          throw new UsageError(`no game "${rules}"${didYouMean(rules, names)} (known: ${names.join(", ")})`);
        await converse(mistakes(() => session(path, rules, seed)));
      },
    );
}

function session(path: string, rules: string | undefined, seed: number): GtpSession {
  const { game, agent } = readAgent(path);
  const chosen = rules === undefined || rules === game?.rules ? game : { rules };
  return new GtpSession({ dialect: pentobi, game: chosen ?? { rules: FIRST_GAME }, agent, seed, resolveNet });
}

/** An agent's file: the agent alone, or under `agent` beside its `game`. */
function readAgent(path: string): { readonly game: GameConfig | undefined; readonly agent: AgentObject } {
  const content = agentConfig(path);
  if (!("agent" in content)) return { game: undefined, agent: content };
  const { game, agent, ...others } = content;
  const [other] = Object.keys(others);
  if (other !== undefined)
    throw new UsageError(`${path}: unknown key "${other}" (known beside "agent": game)`);
  if (game === undefined) return { game, agent: agentConfig(agent) };
  const { rules, ...options } =
    typeof game === "object" && game !== null ? (game as Record<string, unknown>) : {};
  if (typeof rules !== "string" && typeof rules !== "number")
    throw new UsageError(`${path}: "game" is a map such as { rules: ${FIRST_GAME} }`);
  return { game: { rules: String(rules), ...options }, agent: agentConfig(agent) };
}

/** Most characters of a line: more without an end is no command. */
const LONGEST_LINE = 1 << 20;

/** Answers the lines of standard input until it ends or `quit` comes; a last line may lack its end. */
async function converse(session: GtpSession): Promise<void> {
  const decoder = new StringDecoder("utf8");
  const say = (line: string): void => {
    if (session.ended) return;
    const response =
      line.length > LONGEST_LINE ? gtpResponse(false, undefined, "line too long") : session.respond(line);
    if (response !== undefined) process.stdout.write(response);
  };
  let rest = "";
  for await (const bytes of process.stdin) {
    const lines = (rest + decoder.write(bytes as Buffer)).split("\n");
    // Of a line without an end no more is kept than shows that it is too long.
    rest = lines.pop()!.slice(0, LONGEST_LINE + 1);
    for (const line of lines) say(line);
    if (session.ended) break;
  }
  if (rest !== "") say(rest);
  process.stdin.destroy();
}

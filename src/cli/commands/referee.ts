import { createInterface } from "node:readline";
import { Command } from "commander";
import { games } from "../../games/registry.ts";
import { didYouMean } from "../../messages/did-you-mean.ts";
import { RefereeSession } from "../../protocols/referee/session.ts";
import { UsageError } from "../../messages/usage-error.ts";
import { loadNamed, type PluginFlag, pluginOption } from "../flags/plugin-flags.ts";
import { agentSource } from "../../graph/agents/open-agent.ts";
import { resolveNet } from "../../graph/agents/open-net.ts";

/** `ludoflow referee GAME`: other programs drive our rules by requests in JSON, one a line. */
export function refereeCommand(): Command {
  const own = games.map(({ name }) => name);
  const command = new Command("referee").argument(
    "<game>",
    `the game: ${own.join(", ")}, or one that a plug-in defines`,
  );
  return pluginOption(command)
    .description(
      "Respond to requests about a game, one JSON line each: its rules, positions, searches (docs/referee.md).",
    )
    .addHelpText(
      "after",
      `
Examples:
  $ echo '{"cmd":"legal"}' | ludoflow referee 2048
  $ printf '%s\\n' '{"cmd":"set","position":"xx1/oo1/3 x"}' '{"cmd":"position"}' | ludoflow referee tic-tac-toe
  $ echo '{"cmd":"legal"}' | ludoflow referee hex --plugin ./hex.ts
  $ printf '%s\\n' '{"cmd":"new","options":{"seed":1}}' '{"cmd":"genmove","agent":{"use":"random"}}' | ludoflow referee 2048`,
    )
    .action(async (game: string, flags: PluginFlag) => {
      loadNamed(flags);
      const names = games.map(({ name }) => name);
      if (!names.includes(game))
        throw new UsageError(`no game "${game}"${didYouMean(game, names)} (known: ${names.join(", ")})`);
      const session = new RefereeSession(game, agentSource(resolveNet));
      for await (const line of createInterface({ input: process.stdin, crlfDelay: Infinity }))
        if (line.trim() !== "") process.stdout.write(`${session.respond(line)}\n`);
    });
}

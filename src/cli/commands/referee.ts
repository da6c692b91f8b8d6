import { createInterface } from "node:readline";
import { Command } from "commander";
import { games } from "../../games/registry.ts";
import { didYouMean } from "../../messages/did-you-mean.ts";
import { RefereeSession } from "../../protocols/referee/session.ts";
import { UsageError } from "../complaint.ts";
import { agentSource } from "../../graph/agents/open-agent.ts";
import { resolveNet } from "../../graph/agents/open-net.ts";

/** `ludoflow referee GAME`: other programs drive our rules by requests in JSON, one a line. */
export function refereeCommand(): Command {
  const names = games.map(({ name }) => name);
  return new Command("referee")
    .argument("<game>", `the game: ${names.join(", ")}`)
    .description(
      "Respond to requests about a game, one JSON line each: its rules, positions, searches (docs/referee.md).",
    )
    .addHelpText(
      "after",
      `
Examples:
  $ echo '{"cmd":"legal"}' | ludoflow referee 2048
  $ printf '%s\\n' '{"cmd":"set","position":"xx1/oo1/3 x"}' '{"cmd":"position"}' | ludoflow referee tic-tac-toe
  $ printf '%s\\n' '{"cmd":"new","options":{"seed":1}}' '{"cmd":"genmove","agent":{"use":"random"}}' | ludoflow referee 2048`,
    )
    .action(async (game: string) => {
      if (!names.includes(game))
        throw new UsageError(`no game "${game}"${didYouMean(game, names)} (known: ${names.join(", ")})`);
      const session = new RefereeSession(game, agentSource(resolveNet));
      for await (const line of createInterface({ input: process.stdin, crlfDelay: Infinity }))
        if (line.trim() !== "") process.stdout.write(`${session.respond(line)}\n`);
    });
}

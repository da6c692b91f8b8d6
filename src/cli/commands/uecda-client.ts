import { Command } from "commander";
import { LONGEST_WAIT } from "../../protocols/uecda/connection.ts";
import { UECDA_HOST, UECDA_PORT } from "../../protocols/uecda/table.ts";
import { UecdaNonsense } from "../../protocols/uecda/observer.ts";
import { playOnUecdaServer, UecdaServerGone, wrongName } from "../../protocols/uecda/client.ts";
import type { UecdaTally } from "../../protocols/uecda/player.ts";
import { UsageError } from "../../messages/usage-error.ts";
import { openUecdaPlayers } from "../open-uecda-players.ts";
import { portNumber, wholeNumber, wholeNumberFrom } from "../whole-number.ts";

interface Flags {
  readonly host: string;
  readonly port: number;
  readonly agent: string;
  readonly name: string;
  readonly seed: number;
  readonly timeout: number;
  readonly virtualRanks: boolean;
}

/** `ludoflow uecda-client --agent FILE`: an agent of ours on a server of the contest. */
export function uecdaClientCommand(): Command {
  return new Command("uecda-client")
    .description(
      "Play a series of Daihinmin on a server of the UECda contest, protocol 20070 (docs/uecda.md).",
    )
    .requiredOption("--agent <file>", "a YAML or JSON file such as { use: so-ismcts, milliseconds: 100 }")
    .option("--host <name>", "the host of the server", UECDA_HOST)
    .option("--port <number>", "its port", portNumber(1), UECDA_PORT)
    .option("--name <name>", "the name in the contest, up to 15 characters", "ludoflow")
    .option("--seed <number>", "all draws of the agent follow from it", wholeNumber, 0)
    .option(
      "--timeout <ms>",
      "the longest wait for a message of the server, in which other players come and think",
      wholeNumberFrom(1, LONGEST_WAIT),
      600_000,
    )
    .option("--no-virtual-ranks", "never play the joker above 2 or below 3")
    .addHelpText(
      "after",
      "\nExample:\n  $ ludoflow uecda-client --agent agent.yaml --host 127.0.0.1 --name ours",
    )
    .action(async ({ host, port, agent, name, seed, timeout, virtualRanks }: Flags) => {
      const wrong = wrongName(name);
      if (wrong !== undefined) throw new UsageError(wrong);
      const say = (what: string) => process.stderr.write(`${what}\n`);
      const open = openUecdaPlayers(agent, seed, virtualRanks, (what) =>
        say(`the server contradicts our rules: ${what}`),
      );
      try {
        const tally = await playOnUecdaServer({
          host,
          port,
          name,
          milliseconds: timeout,
          open: (player) => {
            say(`${name} is player ${player} on ${host}:${port}`);
            return open(player);
          },
        });
        process.stdout.write(tallyText(tally));
      } catch (error) {
        if (error instanceof UecdaServerGone || error instanceof UecdaNonsense) {
          say(error.message);
          process.exitCode = 1;
        } else if ((error as NodeJS.ErrnoException).syscall !== undefined)
          throw new UsageError(`no server at ${host}:${port}: ${(error as Error).message}`);
        else throw error;
      }
    });
}

function tallyText({ games, places, rejected }: UecdaTally): string {
  return `${games} games, places 1 to 5: ${places.join(" ")}, plays rejected: ${rejected}\n`;
}

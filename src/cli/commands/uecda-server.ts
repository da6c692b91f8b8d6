import { basename } from "node:path";
import { Command } from "commander";
import { UECDA_HOST, UECDA_PORT } from "../../protocols/uecda/table.ts";
import { LONGEST_WAIT } from "../../protocols/uecda/connection.ts";
import { PLAYERS } from "../../games/daihinmin/cards.ts";
import { GameDaihinmin } from "../../games/daihinmin/daihinmin.ts";
import { Random } from "../../random.ts";
import { openUecdaLobby, type UecdaLobby } from "../../protocols/uecda/lobby.ts";
import { playUecdaMatch } from "../../protocols/uecda/match.ts";
import { LocalSeat } from "../../protocols/uecda/seat.ts";
import { UsageError } from "../../messages/usage-error.ts";
import { openUecdaPlayers } from "../open-uecda-players.ts";
import { portNumber, wholeNumber, wholeNumberFrom } from "../whole-number.ts";

interface Flags {
  readonly host: string;
  readonly port: number;
  readonly games: number;
  readonly seed: number;
  readonly agents: readonly string[];
  readonly timeout: number;
  readonly virtualRanks: boolean;
}

/** The places of the last game are forgotten after so many games, as the contest's server does. */
const PLACES_LAST = 100;

/** `ludoflow uecda-server`: a series of Daihinmin for clients of the contest and agents of ours. */
export function uecdaServerCommand(): Command {
  return new Command("uecda-server")
    .description(
      "Serve a series of Daihinmin to clients of the UECda contest, protocol 20070, and to agents (docs/uecda.md).",
    )
    .option(
      "--host <name>",
      "the host to listen on; the default is reachable from this machine only",
      UECDA_HOST,
    )
    .option("--port <number>", "the port; 0: any free port", portNumber(0), UECDA_PORT)
    .option("--games <number>", "games of the series", wholeNumberFrom(1, 10_000), 100)
    .option("--seed <number>", "seats, deals and the draws of local agents follow from it", wholeNumber, 0)
    .option(
      "--agents <files...>",
      "agents that take the last player numbers; the server waits for clients to take the others",
      [],
    )
    .option(
      "--timeout <ms>",
      "the longest wait for a client's response",
      wholeNumberFrom(1, LONGEST_WAIT),
      10_000,
    )
    .option("--no-virtual-ranks", "refuse the joker above 2 or below 3")
    .addHelpText(
      "after",
      `
Examples:
  $ ludoflow uecda-server --games 100
  $ ludoflow uecda-server --agents default.yaml default.yaml default.yaml default.yaml`,
    )
    .action(serve);
}

async function serve({ host, port, games, seed, agents, timeout, virtualRanks }: Flags): Promise<void> {
  if (agents.length > PLAYERS)
    throw new UsageError(`${agents.length} agents, and there are ${PLAYERS} players`);
  const clients = PLAYERS - agents.length;
  const say = (what: string) => process.stderr.write(`${what}\n`);
  const locals = agents.map((file, i) => {
    const open = openUecdaPlayers(file, seed, virtualRanks, () => undefined);
    return new LocalSeat(basename(file), open(clients + i));
  });
  let lobby: UecdaLobby | undefined;
  if (clients > 0) {
    try {
      lobby = await openUecdaLobby({ host, port, clients, milliseconds: timeout, report: say });
    } catch (error) {
      throw new UsageError(`cannot listen on ${host}:${port}: ${(error as Error).message}`);
    }
    say(`waiting for ${clients} of ${PLAYERS} players on ${host}:${lobby.port}`);
  }
  const seats = [...((await lobby?.seats) ?? []), ...locals];
  const points = seats.map(() => 0);
  const random = Random.named(seed, "chance");
  for (let done = 0; done < games; done += PLACES_LAST)
    await playUecdaMatch({
      game: new GameDaihinmin({ games: Math.min(PLACES_LAST, games - done), virtualRanks }),
      seats,
      random,
      continues: done + PLACES_LAST < games,
      onGame: ({ game, places }) => {
        for (const [player, place] of places.entries()) points[player]! += PLAYERS - place;
        process.stdout.write(
          `game ${done + game + 1}: places ${places.map((place) => place + 1).join(" ")}\n`,
        );
      },
    });
  lobby?.end();
  process.stdout.write(seats.map(({ name }, player) => `${name}: ${points[player]} points\n`).join(""));
}

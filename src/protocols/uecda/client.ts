import { createConnection } from "node:net";
import { helloTable, LONGEST_NAME } from "./table.ts";
import { PLAYERS } from "../../games/daihinmin/cards.ts";
import { UecdaNonsense } from "./observer.ts";
import { UecdaConnection, type Missing } from "./connection.ts";
import type { UecdaPlayer, UecdaTally } from "./player.ts";

/** The connection was closed, or the server fell silent, before the series was over. */
export class UecdaServerGone extends Error {
  readonly _tag = "UecdaServerGone";

  constructor(message: string) {
    super(message);
    this.name = "UecdaServerGone";
  }
}

/** The server and the name of a client. */
export interface UecdaClientOptions {
  readonly host: string;
  readonly port: number;
  /** One to fifteen characters of ASCII. */
  readonly name: string;
  /** The longest wait for each message of the server, in milliseconds. */
  readonly milliseconds: number;
  /** Makes the player, once the server has sent its number. */
  readonly open: (player: number) => UecdaPlayer;
}

/** Why a name cannot be sent, or undefined if it can. */
export function wrongName(name: string): string | undefined {
  if (/^[\x21-\x7e]+$/.test(name) && name.length <= LONGEST_NAME) return undefined;
  return `a name has 1 to ${LONGEST_NAME} characters of ASCII without blanks, not "${name}"`;
}

/**
 * Plays a series on a UECda server to its end and returns the result. Rejects with the system's error if nobody
 * listens, with `UecdaServerGone` if the server leaves before the end or sends nothing for too long, with `UecdaNonsense` if it sends something
 * impossible.
 */
export async function playOnUecdaServer({
  host,
  milliseconds,
  name,
  open,
  port,
}: UecdaClientOptions): Promise<UecdaTally> {
  const connection = await connect(host, port);
  const present = <T extends object | number>(message: T | Missing): T => {
    if (typeof message !== "string") return message;
    throw new UecdaServerGone(
      message === "late"
        ? `the server has sent nothing for ${milliseconds} ms; --timeout waits longer`
        : "the server has closed the connection before the series was over",
    );
  };
  try {
    connection.sendTable(helloTable(name));
    const number = present(await connection.readNumber(milliseconds));
    if (number < 0 || number >= PLAYERS)
      throw new UecdaNonsense(`this is player ${number}, and players are 0 to ${PLAYERS - 1}`);
    const player = open(number);
    while (player.awaits !== "nothing") {
      if (player.awaits === "number") {
        player.takeNumber(present(await connection.readNumber(milliseconds)));
        continue;
      }
      const response = player.take(present(await connection.readTable(milliseconds)));
      if (response !== undefined) connection.sendTable(response);
    }
    return player.tally;
  } finally {
    connection.end();
  }
}

function connect(host: string, port: number): Promise<UecdaConnection> {
  return new Promise((resolve, reject) => {
    const socket = createConnection({ host, port });
    socket.once("error", reject);
    socket.once("connect", () => {
      socket.off("error", reject);
      resolve(new UecdaConnection(socket));
    });
  });
}

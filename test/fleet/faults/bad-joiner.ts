// A joiner that behaves well until it reads a manner from standard input: node bad-joiner.ts URL CACHE SEED
import { createInterface } from "node:readline";
import { setTimeout as pause } from "node:timers/promises";
import { connectFleet, fleetAddress } from "../../../src/fleet/connect.ts";
import { Joiner } from "../../../src/fleet/joiner/joiner.ts";
import { isDrawn } from "../../../src/fleet/run/result-check.ts";
import { decodePacket, encodePacket } from "../../../src/fleet/wire/packet.ts";
import { OtherGames } from "../other-game.ts";
import { taken, tampered } from "../tampered-connection.ts";

const [url = "", cache = "", seed = ""] = process.argv.slice(2);
let manner = "";

/** Milliseconds by which a slow joiner is late. */
const LATE_MS = 3000;

type Tamper = Parameters<typeof tampered>[1];

/** The manner that was printed last: the harness waits for it. */
let printed = "";
function misbehaves(): void {
  if (printed !== manner) process.stderr.write(`does it: ${manner}\n`);
  printed = manner;
}

const otherGames = new OtherGames();
let rubbish = 0;

/** A result of the right form whose examples are noise. */
function noise(bytes: Uint8Array): Uint8Array {
  const { data, parts } = decodePacket(bytes);
  const samples = parts["samples"]?.map((byte, at) => byte ^ (37 * at + 1));
  return encodePacket({ data, parts: samples === undefined ? parts : { ...parts, samples } });
}

/** By manner: what becomes of results. */
const manners: Readonly<Record<string, Tamper>> = {
  // By turns a message that is cut off, and noise in the place of examples.
  "joiner sends rubbish": (_key, bytes, send) =>
    send(rubbish++ % 2 === 0 ? bytes.subarray(0, bytes.length / 3) : noise(bytes)),
  "joiner lies": (_key, bytes, send) => {
    // It claims another length of the game than its record has: every result is refused.
    const { data, parts } = decodePacket(bytes);
    const { figures } = data as { figures?: { plies: number } };
    if (figures !== undefined) figures.plies++;
    return send(encodePacket({ data, parts }));
  },
  // It knows the seed, and lies where a second game shows it: otherwise the results of the run would be other ones.
  "joiner sends another game": (_key, bytes, send) =>
    send(
      otherGames.replaced(bytes, (game) => {
        if (!isDrawn(Number(seed), "games", ["games", game])) return true;
        process.stderr.write(`lies about game ${game}\n`);
        return false;
      }),
    ),
  "joiner slow": async (_key, bytes, send) => {
    await pause(LATE_MS);
    return await send(bytes);
  },
  "joiner acknowledges and sends nothing": async () => taken,
  "joiner sends results twice": async (_key, bytes, send) => {
    await send(bytes);
    return await send(bytes);
  },
};

const joiner = await Joiner.open(
  tampered(await connectFleet(fleetAddress(url), "joiner"), (key, bytes, send) => {
    if (manner === "") return send(bytes);
    if (manner !== "joiner sends another game") misbehaves();
    return manners[manner]!(key, bytes, send);
  }),
  { workers: 1, compute: {}, plugins: [] },
  (message) => void process.stderr.write(`${message}\n`),
  cache,
);
process.once("SIGTERM", () => void joiner.close());
createInterface({ input: process.stdin }).on("line", (line) => {
  [manner, printed] = [line, ""];
});

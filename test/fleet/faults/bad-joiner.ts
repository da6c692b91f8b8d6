// A joiner that behaves badly, as a process: node bad-joiner.ts URL MANNER CACHE
import { connectFleet, fleetAddress } from "../../../src/fleet/connect.ts";
import { Joiner } from "../../../src/fleet/joiner/joiner.ts";
import { decodePacket, encodePacket } from "../../../src/fleet/wire/packet.ts";
import { taken, tampered } from "../tampered-connection.ts";

type Tamper = Parameters<typeof tampered>[1];

/** By manner: what becomes of results. */
const manners: Readonly<Record<string, Tamper>> = {
  "joiner sends rubbish": (_key, bytes, send) => send(bytes.subarray(0, bytes.length / 3)),
  "joiner lies": (_key, bytes, send) => {
    // It claims another length of the game than its record has: every result is refused.
    const { data, parts } = decodePacket(bytes);
    const { figures } = data as { figures?: { plies: number } };
    if (figures !== undefined) figures.plies++;
    return send(encodePacket({ data, parts }));
  },
  "joiner acknowledges and sends nothing": async () => taken,
  "joiner sends results twice": async (_key, bytes, send) => {
    await send(bytes);
    return await send(bytes);
  },
};

const [url = "", manner = "", cache = ""] = process.argv.slice(2);
const joiner = await Joiner.open(
  tampered(await connectFleet(fleetAddress(url), "joiner"), manners[manner]!),
  { workers: 1, compute: {}, plugins: [] },
  (message) => void process.stderr.write(`${message}\n`),
  cache,
);
process.once("SIGTERM", () => void joiner.close());

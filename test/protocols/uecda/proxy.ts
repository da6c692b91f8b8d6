import { createConnection, createServer, type Socket } from "node:net";
import { Random } from "../../../src/random.ts";

/** A proxy to a port of this machine that cuts and joins what passes through: pieces end anywhere, messages do not. */
export function chunkingProxy(port: number, random: Random): Promise<{ port: number; close: () => void }> {
  const server = createServer((client) => {
    const there = createConnection({ host: "127.0.0.1", port });
    client.setNoDelay(true);
    there.setNoDelay(true);
    pass(client, there, random);
    pass(there, client, random);
  });
  return new Promise((resolve) =>
    server.listen(0, "127.0.0.1", () =>
      resolve({ port: (server.address() as { port: number }).port, close: () => server.close() }),
    ),
  );
}

function pass(from: Socket, to: Socket, random: Random): void {
  let held = Buffer.alloc(0);
  let ended = false;
  let timer: NodeJS.Timeout | undefined;
  const flush = () => {
    timer = undefined;
    // Now and then everything at once: then several messages come in one packet.
    const length = random.below(3) === 0 ? held.length : 1 + random.below(300);
    to.write(held.subarray(0, length));
    held = held.subarray(length);
    if (held.length > 0) timer = setTimeout(flush, random.below(2));
    else if (ended) to.end();
  };
  from.on("data", (bytes) => {
    held = Buffer.concat([held, bytes]);
    timer ??= setTimeout(flush, random.below(3));
  });
  from.on("end", () => {
    ended = true;
    timer ??= setTimeout(flush, 0);
  });
  for (const socket of [from, to]) socket.on("error", () => socket.destroy());
}

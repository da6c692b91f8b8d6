import { once } from "node:events";
import { createServer, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { afterEach, describe, expect, it } from "vitest";
import { EventStream, frameOf } from "../../../src/web/server/event-stream.ts";

const server = createServer();
afterEach(() => server.close());

describe("a stream of events", () => {
  it("ends at once for a page that has left before it began, and takes no place", async () => {
    server.listen(0, "127.0.0.1");
    await once(server, "listening");
    const address = `http://127.0.0.1:${(server.address() as AddressInfo).port}/`;
    // More than there are places.
    for (let i = 0; i < 40; i++) {
      const leaving = new AbortController();
      const asked = fetch(address, { signal: leaving.signal }).catch(() => undefined);
      const [, response] = (await once(server, "request")) as [unknown, ServerResponse];
      const left = once(response, "close");
      leaving.abort();
      await Promise.all([left, asked]);
      const ended = await new Promise((resolve) => {
        const stream = new EventStream(response, () => resolve(true));
        stream.send("runs", [frameOf("runs", "{}")]);
      });
      expect(ended).toBe(true);
    }
    const asked = fetch(address);
    const [, response] = (await once(server, "request")) as [unknown, ServerResponse];
    const stream = new EventStream(response, () => {});
    const reader = (await asked).body!.getReader();
    stream.send("runs", [frameOf("runs", '{"order":[]}')]);
    const received = Buffer.from((await reader.read()).value).toString();
    expect(
      `${received}${received.includes("order") ? "" : Buffer.from((await reader.read()).value).toString()}`,
    ).toBe('- beat {}\nruns runs {"order":[]}\n');
    await reader.cancel();
  });
});

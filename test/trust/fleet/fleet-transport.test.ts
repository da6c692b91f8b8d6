import { once } from "node:events";
import { type AddressInfo, createServer, type Socket } from "node:net";
import { expect, it, onTestFinished } from "vitest";
import { connectFleet, fleetAddress } from "../../../src/fleet/connect.ts";
import { ludoflow } from "../../cli/run-cli.ts";

const info = (further = {}) =>
  `INFO ${JSON.stringify({ version: "2.9.10", headers: true, max_payload: 1 << 20, ...further })}\r\n`;

/** Writes a text without end. */
function flood(socket: Socket, text: string): void {
  const piece = text.repeat(10_000);
  const write = () => {
    while (!socket.destroyed && socket.write(piece));
  };
  socket.on("drain", write);
  write();
}

/** A server of the test's own; `accept` gets each connection with its number. */
async function listens(accept: (socket: Socket, number: number) => void) {
  const open = new Set<Socket>();
  let number = 0;
  const server = createServer((socket) => {
    open.add(socket);
    socket.on("error", () => {});
    socket.on("close", () => open.delete(socket));
    // Without a reader the end of a connection is not heard.
    socket.resume();
    accept(socket, number++);
  }).listen(0, "127.0.0.1");
  await once(server, "listening");
  onTestFinished(() => {
    for (const socket of open) socket.destroy();
    server.close();
  });
  return { url: `nats://127.0.0.1:${(server.address() as AddressInfo).port}`, open };
}

/** What a client is told that connects to such a server, and that no connection is left. */
async function refusal(accept: (socket: Socket) => void): Promise<string> {
  const { open, url } = await listens(accept);
  const told = await connectFleet(fleetAddress(url, {}), "joiner").then(
    () => "connected",
    (error: unknown) => (error as Error).message,
  );
  await expect.poll(() => open.size).toBe(0);
  return told;
}

it.for([
  ["no JSON", "INFO {nonsense\r\n"],
  ["no object", "INFO null\r\n"],
  ["no version", "INFO {}\r\n"],
  ["another protocol", "SSH-2.0-OpenSSH_9.2\r\n"],
] as const)("says that a server with %s is no NATS server", async ([, text]) => {
  expect(await refusal((socket) => socket.write(text))).toMatch(/what listens there is no NATS server/);
});

it("says so of a server that closes at once, or writes without end", async () => {
  expect(await refusal((socket) => socket.end())).toMatch(/is no NATS server/);
  expect(await refusal((socket) => flood(socket, "x"))).toMatch(/is no NATS server/);
});

it("leaves no connection open to servers that fall silent, or never come to a point", async () => {
  const [silent, silentLater, silentInTls, flooding, rubbish] = await Promise.all([
    refusal(() => {}),
    refusal((socket) => socket.write(info())),
    refusal((socket) => socket.write(info({ tls_required: true }))),
    refusal((socket) => {
      socket.write(info());
      flood(socket, "+OK\r\n");
    }),
    refusal((socket) => {
      socket.write(info());
      flood(socket, "rubbish\r\n");
    }),
  ]);
  for (const told of [silent, silentLater, silentInTls, flooding]) expect(told).toMatch(/no answer/);
  expect(rubbish).toMatch(/is no NATS server/);
});

it("tries no further servers after a while, although two name each other without end", async () => {
  const ports: number[] = [];
  const naming = (other: number) =>
    listens((socket) => socket.write(info({ connect_urls: [`127.0.0.1:${ports[other]}`] })));
  const both = [await naming(1), await naming(0)];
  ports.push(...both.map(({ url }) => Number(new URL(url).port)));
  await expect(connectFleet(fleetAddress(both[0]!.url, {}), "joiner")).rejects.toThrow(/no answer/);
  await expect.poll(() => both.map(({ open }) => open.size)).toEqual([0, 0]);
});

it("ends the command with exit code 2 where a server stays silent", async () => {
  const { url } = await listens(() => {});
  const command = ludoflow(["fleet", url]);
  onTestFinished(() => void command.process.kill("SIGKILL"));
  expect(await command.ended).toMatchObject({ code: 2, out: "", err: expect.stringContaining("no answer") });
});

it("lets go of a server that has fallen silent, and makes a connection again that breaks as it is made", async () => {
  const { open, url } = await listens((socket, number) => {
    if (number === 2) return;
    socket.write(info());
    // The first connection ends with the word by which it is made.
    socket.once("data", () => (number === 0 ? socket.end("PONG\r\n") : socket.write("PONG\r\n")));
    if (number === 1) setTimeout(() => socket.end(), 100);
  });
  let again = 0;
  const connection = await connectFleet(fleetAddress(url, {}), "joiner");
  void (async () => {
    for await (const { type } of connection.status()) if (type === "reconnecting") again++;
  })();
  await expect.poll(() => again, { timeout: 10_000 }).toBe(2);
  await expect.poll(() => open.size).toBe(1);
  await connection.close();
  await expect.poll(() => open.size).toBe(0);
});

import { once } from "node:events";
import { type AddressInfo, createServer, type Socket } from "node:net";
import { expect, it, onTestFinished } from "vitest";
import { playOnUecdaServer, UecdaServerGone } from "../../../src/protocols/uecda/client.ts";
import { UecdaNonsense } from "../../../src/protocols/uecda/observer.ts";
import { numberBytes } from "../../../src/protocols/uecda/table.ts";

/** Plays on a server that does this with each client. */
async function playedWith(serve: (client: Socket) => void): Promise<unknown> {
  const server = createServer((client) => {
    client.on("error", () => undefined);
    serve(client);
  });
  onTestFinished(() => void server.close());
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  const { port } = server.address() as AddressInfo;
  const open = () => {
    throw new Error("no player is made");
  };
  return await playOnUecdaServer({ host: "127.0.0.1", port, name: "ours", milliseconds: 100, open }).catch(
    (error: unknown) => error,
  );
}

it("a client does not wait for a silent server without end", async () => {
  const error = await playedWith(() => undefined);
  expect(error).toBeInstanceOf(UecdaServerGone);
  expect((error as Error).message).toBe("the server has sent nothing for 100 ms; --timeout waits longer");
});

it.each([5, 7, 2 ** 32 - 1])(
  "a client that gets the number of player %i says that there is none",
  async (number) => {
    const error = await playedWith((client) => void client.write(numberBytes(number)));
    expect(error).toBeInstanceOf(UecdaNonsense);
    expect((error as Error).message).toContain(`this is player ${number}, and players are 0 to 4`);
  },
);

it("a client says that the server has left", async () => {
  const error = await playedWith((client) => void client.destroy());
  expect((error as Error).message).toBe("the server has closed the connection before the series was over");
});

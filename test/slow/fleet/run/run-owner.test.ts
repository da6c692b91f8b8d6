import { expect, it, onTestFinished } from "vitest";
import { connectFleet, fleetAddress } from "../../../../src/fleet/connect.ts";
import { FleetUnavailable } from "../../../../src/fleet/fleet-unavailable.ts";
import { randomId } from "../../../../src/fleet/random-id.ts";
import { RunOwner } from "../../../../src/fleet/run/run-owner.ts";
import { noServer, startServer } from "../../../fleet/nats-server.ts";

/** Connections of processes that claim runs. */
async function connections(count: number) {
  const { url } = await startServer();
  return await Promise.all(
    Array.from({ length: count }, async () => {
      const connection = await connectFleet(fleetAddress(url), "run");
      onTestFinished(() => connection.close());
      return connection;
    }),
  );
}

it("of processes that claim one run at once one has it, and the others say who", async ({ skip }) => {
  skip(noServer !== undefined, noServer);
  const all = await connections(3);
  const rounds = Array.from({ length: 30 }, async () => {
    const run = randomId();
    const claims = await Promise.allSettled(all.map((each) => RunOwner.claim(each, run, randomId())));
    const lost = claims.filter((claim) => claim.status === "rejected").map(({ reason }) => reason as Error);
    expect(lost.length).toBe(2);
    for (const error of lost) {
      expect(error).toBeInstanceOf(FleetUnavailable);
      expect(error.message).toMatch(/^another process works on this run already: \S+:\d+; stop it first$/);
    }
  });
  await Promise.all(rounds);
});

it("keeps a run against those that come later, whatever their names, until it gives it up", async ({
  skip,
}) => {
  skip(noServer !== undefined, noServer);
  const [one, other] = await connections(2);
  const owner = await RunOwner.claim(one!, "run", "ffff");
  expect(await owner.other()).toBeUndefined();
  await expect(RunOwner.claim(other!, "run", "0000")).rejects.toThrow(/another process works on this run/);
  owner.close();
  await one!.flush();
  const next = await RunOwner.claim(other!, "run", "0000");
  expect(await next.other()).toBeUndefined();
});

it("finds another process that came while the connection was away", async ({ skip }) => {
  skip(noServer !== undefined, noServer);
  const [one, other] = await connections(2);
  const owner = await RunOwner.claim(one!, "run", "1111");
  // A process that was alone on its side of a broken network.
  other!.subscribe("lf.owner.run", {
    callback: (_error, message) => {
      message.respond('{"process":"elsewhere:7","id":"2222","settled":true}');
    },
  });
  await other!.flush();
  expect(await owner.other()).toBe("elsewhere:7");
});

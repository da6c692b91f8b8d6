import { join } from "node:path";
import type { Msg, NatsConnection } from "@nats-io/transport-node";
import { expect, it, onTestFinished } from "vitest";
import { connectFleet, fleetAddress } from "../../../src/fleet/connect.ts";
import { fleetState } from "../../../src/fleet/fleet-state.ts";
import { isJoinerBeat } from "../../../src/fleet/wire/beats.ts";
import { readJson } from "../../../src/fleet/wire/json-message.ts";
import { joinerBeat, TASKS } from "../../../src/fleet/wire/subjects.ts";
import { packageRoot } from "../../../src/package-root.ts";
import { ludoflow } from "../../cli/run-cli.ts";
import { alone, fleetOf, joins, withFleet } from "../../fleet/in-process.ts";
import { noServer, startServer } from "../../fleet/nats-server.ts";
import { scratchFolder } from "../../formats/scratch-folder.ts";
import { paperExperiment, startRun, writeExperiment, zeroExperiment } from "../../graph/tiny-run.ts";

it("a joiner plays for several runs at once, and each has the bytes of one machine", async ({ skip }) => {
  skip(noServer !== undefined, noServer);
  const { url } = await startServer();
  const { said } = await joins(url);
  const texts = [zeroExperiment, paperExperiment];
  const runs = await Promise.all(texts.map(async (text) => await withFleet(await fleetOf(url), text)));
  for (const [index, text] of texts.entries()) expect(runs[index]!.results).toEqual(await alone(text));
  expect(said).toContainEqual(expect.stringMatching(/^plays for tiny-zero on /));
  expect(said).toContainEqual(expect.stringMatching(/^plays for tiny-paper on /));
});

it("fleets of two accounts on one server see nothing of each other", async ({ skip }) => {
  skip(noServer !== undefined, noServer);
  const { url } = await startServer(
    ["one", "other"]
      .map((name) => `${name}: { jetstream: enabled, users: [{ user: ${name}, password: secret }] }`)
      .join("\n")
      .replace(/^/, "accounts {\n")
      .concat("\n}"),
  );
  const as = (user: string) => url.replace("//", `//${user}:secret@`);
  const [own, stranger] = [await joins(as("one")), await joins(as("other"))];
  const seen: Promise<unknown>[] = [];
  const look = async () => {
    const connection = await connectFleet(fleetAddress(as("other")), "joiner");
    const { idle, runs } = await fleetState(connection);
    await connection.close();
    return [idle.length, runs];
  };
  const { notes, results } = await withFleet(await fleetOf(as("one")), zeroExperiment, {
    onEvent: ({ type }) => {
      if (type === "checkpoint" && seen.length === 0) seen.push(look());
    },
  });
  expect(results).toEqual(await alone(zeroExperiment));
  expect(notes.filter((message) => message.includes("has joined")).length).toBe(1);
  expect(own.said).toContainEqual(expect.stringMatching(/^plays for tiny-zero on /));
  expect(stranger.said).toEqual([]);
  // The other account has its own joiner, which is idle, and no run.
  expect(await Promise.all(seen)).toEqual([[1, []]]);
});

/** A connection whose runs say that they are of another version of ludoflow. */
const withOtherVersion = (connection: NatsConnection): NatsConnection =>
  new Proxy(connection, {
    get: (target, name) => {
      const value: unknown = Reflect.get(target, name, target);
      if (name === "request")
        return async (subject: string, bytes: Uint8Array, options: object) => {
          const answer = await target.request(subject, bytes, options as never);
          const text = answer.string().replace(/("program":\{"ludoflow":)"[^"]+"/, '$1"9.8.7"');
          return { data: new TextEncoder().encode(text) } as Msg;
        };
      return typeof value === "function" ? (value as () => unknown).bind(target) : value;
    },
  });

it("a joiner of another version does not play, and both sides report what differs and what to install", async ({
  skip,
}) => {
  skip(noServer !== undefined, noServer);
  const { url } = await startServer();
  const { said } = await joins(url, {}, undefined, withOtherVersion);
  const { notes, results } = await withFleet(await fleetOf(url, { playsHere: true }), zeroExperiment);
  expect(results).toEqual(await alone(zeroExperiment));
  const why =
    /this program is not that of the run: ludoflow \(the run has 9\.8\.7, this machine [\d.]+\)\. Install the same package of ludoflow, and the same Node, on both/;
  expect(said).toContainEqual(
    expect.stringMatching(new RegExp(`^does not play for tiny-zero on .*: ${why.source}`)),
  );
  expect(notes).toContainEqual(
    expect.stringMatching(new RegExp(`does not play for this run: ${why.source}`)),
  );
});

/** Games that take minutes. */
const longGames = `
name: long-games
seed: 1
workers: 1
game: { rules: connect-four }
agents: { thinker: { use: mcts-max-n, simulations: 10000000 } }
graph:
  games: { use: self-play, agent: thinker, games: 8, generation: 8, inFlight: 2, examples: { use: alphazero } }
`;

it("a joiner that gets SIGTERM in mid-game ends, and others have its games at once", async ({ skip }) => {
  skip(noServer !== undefined, noServer);
  const { url } = await startServer();
  const connection = await connectFleet(fleetAddress(url), "joiner");
  onTestFinished(() => connection.close());
  const joiner = ludoflow(["join", url, "--workers", "1"], packageRoot());
  onTestFinished(() => void joiner.process.kill("SIGKILL"));
  const playing = new Promise<{ readonly run: string; readonly keys: readonly string[] }>((resolve) => {
    connection.subscribe(joinerBeat("*"), {
      callback: (_error, { data }) => {
        const beat = readJson(data);
        if (!isJoinerBeat(beat)) return;
        for (const [run, { places, playing: keys }] of Object.entries(beat.runs))
          if (keys.length === places) resolve({ run, keys });
      },
    });
  });
  const folder = scratchFolder();
  let stop: () => void = () => undefined;
  const ended = startRun(writeExperiment(folder, longGames), join(folder, "run"), [], {
    hostOf: await fleetOf(url),
    onEvent: (_event, signal) => (stop = () => signal.request()),
  });
  const { keys, run } = await playing;
  joiner.process.kill("SIGTERM");
  const { code, err } = await joiner.ended;
  expect([code, err]).toEqual([0, expect.stringContaining("leaves; its games go to others")]);
  // Another joiner has them within five seconds, by a request that the server ends then: the lease of a game is 30 seconds.
  const { jetstream } = await import("@nats-io/jetstream");
  const consumer = await jetstream(connection).consumers.get(TASKS, run);
  const found = new Set<string>();
  for await (const { subject } of await consumer.fetch({ max_messages: 20, expires: 5000 }))
    found.add(subject.split(".").at(-1)!);
  expect([...found]).toEqual(expect.arrayContaining([...keys]));
  stop();
  expect(await ended).toMatchObject({ outcome: "interrupted" });
});

it("a joiner ends at SIGTERM though its server is gone", async ({ skip }) => {
  skip(noServer !== undefined, noServer);
  const server = await startServer();
  const joiner = ludoflow(["join", server.url, "--workers", "1"], packageRoot());
  onTestFinished(() => void joiner.process.kill("SIGKILL"));
  await joiner.said("waits for runs");
  await server.kill();
  await joiner.said("the connection to the server is lost");
  joiner.process.kill("SIGTERM");
  expect(await joiner.ended).toMatchObject({ code: 0 });
});

import { cpSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";
import { connectFleet, fleetAddress } from "../../../src/fleet/connect.ts";
import { fleetState } from "../../../src/fleet/fleet-state.ts";
import { alone, fleetOf, joins, withFleet } from "../../fleet/in-process.ts";
import { noServer, startServer } from "../../fleet/nats-server.ts";
import { OtherGames } from "../../fleet/other-game.ts";
import { taken } from "../../fleet/tampered-connection.ts";
import { scratchFolder } from "../../formats/scratch-folder.ts";
import {
  int8Experiment,
  linearExperiment,
  paperExperiment,
  poolExperiment,
  startRun,
  writeExperiment,
  zeroExperiment,
} from "../../graph/tiny-run.ts";

it.for([
  ["self-play", zeroExperiment, []],
  ["matches, openings and statistics", paperExperiment, []],
  ["earlier selves, with portable bits", poolExperiment, ["compute.bits=portable"]],
  ["openings by UCT", linearExperiment, []],
  ["int8, several leaves of a game at once", int8Experiment, []],
] as const)(
  "a run whose games joiners play has the bytes of one machine: %s",
  async ([, text, set], { skip }) => {
    skip(noServer !== undefined, noServer);
    const { url } = await startServer();
    const { said } = await joins(url);
    const { notes, results } = await withFleet(await fleetOf(url), text, { set });
    expect(results).toEqual(await alone(text, set));
    expect(notes).toContainEqual(expect.stringMatching(/^\S+ has joined and plays up to \d+ games at once$/));
    expect(said).toContainEqual(expect.stringMatching(/^plays for tiny-\S+ on /));
    // The run has ended, the joiner waits for the next one.
    const connection = await connectFleet(fleetAddress(url), "joiner");
    const { idle, runs } = await fleetState(connection);
    await connection.close();
    expect([idle.length, runs]).toEqual([1, []]);
  },
);

/** With this seed game 7 is drawn to be played again: the nets of joiners and not the warm start play it. */
const checked = [
  "seed=1",
  "graph.games.games=24",
  "graph.games.warmStart.games=4",
  "nets.zero.zeroHeads=false",
];

it("refuses a joiner that computes other bits, and plays on", async ({ skip }) => {
  skip(noServer !== undefined, noServer);
  const { url } = await startServer();
  const { said } = await joins(url, { compute: { engine: "tfjs", backend: "cpu" } });
  const { notes, results } = await withFleet(await fleetOf(url, { playsHere: true }), zeroExperiment, {
    set: checked,
  });
  expect(results).toEqual(await alone(zeroExperiment, checked));
  expect(said).toContainEqual(
    expect.stringMatching(/^(does not play for|leaves) tiny-zero.*computes other bits.*--mixed$/),
  );
  expect(notes).toContainEqual(
    expect.stringMatching(/(does not play for this run|must leave): its processor computes other bits/),
  );
});

it("--mixed accepts other bits and says so; a second joiner of these bits plays drawn games again", async ({
  skip,
}) => {
  skip(noServer !== undefined, noServer);
  const { url } = await startServer();
  const others = { compute: { engine: "tfjs", backend: "cpu" } } as const;
  const { said } = await joins(url, others);
  await joins(url, others);
  const taints: string[] = [];
  const { notes } = await withFleet(await fleetOf(url, { mixed: true, taints }), zeroExperiment, {
    set: checked,
  });
  expect(said).toContainEqual(expect.stringMatching(/^plays for tiny-zero on /));
  expect(notes.filter((message) => message.includes("must leave"))).toEqual([]);
  expect([...new Set(taints)]).toEqual([
    "games were also played by machines that compute other bits (--mixed)",
  ]);
});

it("--mixed takes games of the only machine of its bits after the checks by rules, and the manifest says so", async ({
  skip,
}) => {
  skip(noServer !== undefined, noServer);
  const { url } = await startServer();
  await joins(url, { compute: { engine: "tfjs", backend: "cpu" } });
  const { notes, run } = await withFleet(await fleetOf(url, { mixed: true }), zeroExperiment, {
    set: checked,
  });
  expect(notes.filter((message) => message.includes("must leave"))).toEqual([]);
  const { irreproducible, reproducible } = JSON.parse(readFileSync(join(run, "manifest.json"), "utf8")) as {
    readonly irreproducible: readonly string[];
    readonly reproducible: boolean;
  };
  expect([reproducible, irreproducible.toSorted()]).toEqual([
    false,
    [
      "games were also played by machines that compute other bits (--mixed)",
      expect.stringMatching(
        /no second machine of equal bits was there: only rules, draws and hashes were checked$/,
      ),
    ],
  ]);
});

it("makes a joiner leave, by name, whose game comes out otherwise when it is played again", async ({
  skip,
}) => {
  skip(noServer !== undefined, noServer);
  const { url } = await startServer();
  // Its games are those of before with other numbers: those before the drawn one are taken, as the message says.
  const others = new OtherGames();
  const { said } = await joins(url, {}, (_key, bytes, send) => send(others.replaced(bytes)));
  // With this seed games 15 and 22 are drawn: others have been played before.
  const set = [...checked, "seed=172"];
  let second: Promise<unknown> | undefined;
  const { notes, results } = await withFleet(await fleetOf(url), zeroExperiment, {
    set,
    onEvent: (event) => {
      if (event.type === "note" && event.message.includes("must leave")) second ??= joins(url);
    },
  });
  await second;
  const told = notes.find((message) => message.includes("must leave"));
  expect(told).toMatch(
    /^\S+:\d+ must leave: game \d+ of games comes out otherwise when it is played again.* \d+ of its games were taken before/,
  );
  expect(said).toContainEqual(expect.stringMatching(/^leaves tiny-zero.*comes out otherwise/));
  // Bytes of false games are in the results: the run has found out, and cannot undo them.
  expect(Object.keys(results)).toEqual(Object.keys(await alone(zeroExperiment, set)));
});

it("loses and doubles nothing with joiners that send rubbish, results twice, or acknowledge without playing", async ({
  skip,
}) => {
  skip(noServer !== undefined, noServer);
  const { url } = await startServer();
  const rubbish = await joins(url, {}, (_key, bytes, send) => send(bytes.subarray(0, bytes.length / 2)));
  await joins(url, {}, async (_key, bytes, send) => {
    await send(bytes);
    return await send(bytes);
  });
  // It acknowledges six games and says nothing of them; then it plays as others do.
  let kept = 6;
  await joins(url, {}, (_key, bytes, send) => (kept-- > 0 ? Promise.resolve(taken) : send(bytes)));
  const { notes, results } = await withFleet(await fleetOf(url), zeroExperiment, { set: checked });
  expect(results).toEqual(await alone(zeroExperiment, checked));
  expect(notes).toContainEqual(expect.stringMatching(/must leave: 3 of its results were refused/));
  expect(rubbish.said).toContainEqual(expect.stringMatching(/^leaves tiny-zero/));
});

it("continues when the server is killed and forgets what it had in memory, and when all of it is deleted", async ({
  skip,
}) => {
  skip(noServer !== undefined, noServer);
  const server = await startServer();
  await joins(server.url);
  const faults = [
    () => server.restart(),
    async () => {
      const connection = await connectFleet(fleetAddress(server.url), "run");
      const { jetstreamManager } = await import("@nats-io/jetstream");
      const manager = await jetstreamManager(connection);
      for (const { config } of await manager.streams.list().next()) await manager.streams.delete(config.name);
      await connection.close();
    },
  ];
  const done: Promise<void>[] = [];
  const { results } = await withFleet(await fleetOf(server.url), poolExperiment, {
    onEvent: ({ type }) => {
      // Checkpoints are in the midst of the games.
      if (type === "checkpoint" && faults.length > 0) done.push(faults.shift()!());
    },
  });
  await Promise.all(done);
  expect(done.length).toBe(2);
  expect(results).toEqual(await alone(poolExperiment));
});

it("reports what a run waits for if no machine can play, and refuses a second process of a run", async ({
  skip,
}) => {
  skip(noServer !== undefined, noServer);
  const { url } = await startServer();
  const hostOf = await fleetOf(url);
  let second: Promise<unknown> | undefined;
  let joined: Promise<unknown> | undefined;
  let run = "";
  const { notes } = await withFleet(
    (hosted) => {
      run = hosted.folder;
      return hostOf(hosted);
    },
    zeroExperiment,
    {
      set: checked,
      onEvent: (event) => {
        if (event.type !== "note" || !event.message.startsWith("no machine plays")) return;
        // A copy of the run on another machine has its name in the fleet.
        const copy = join(scratchFolder(), "run");
        second ??= (async () => {
          const folder = scratchFolder();
          const other = await fleetOf(url);
          return await startRun(writeExperiment(folder, zeroExperiment), copy, checked, {
            hostOf: (hosted) => {
              cpSync(join(run, "fleet.json"), join(hosted.folder, "fleet.json"));
              return other(hosted);
            },
          });
        })().finally(() => {
          joined = joins(url);
        });
      },
    },
  );
  await joined;
  expect(notes).toContainEqual(
    expect.stringMatching(/^no machine plays for this run, and \d+ games wait: start "ludoflow join"/),
  );
  expect(await second).toMatchObject({
    outcome: "failed",
    error: {
      message: expect.stringMatching(/another process works on this run already: \S+:\d+; stop it first/),
    },
  });
});

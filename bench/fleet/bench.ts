import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import * as Effect from "effect/Effect";
import * as Exit from "effect/Exit";
import * as Scope from "effect/Scope";
import { connectFleet, fleetAddress } from "../../src/fleet/connect.ts";
import { randomId } from "../../src/fleet/random-id.ts";
import { openFleetHost } from "../../src/fleet/run/fleet-host.ts";
import { FleetRun } from "../../src/fleet/run/fleet-run.ts";
import { WeightsStore } from "../../src/fleet/weights-store.ts";
import { encodeResult } from "../../src/fleet/wire/report-message.ts";
import { sha256 } from "../../src/formats/sha256.ts";
import { openLocalThreads } from "../../src/operators/play/local-threads.ts";
import type { OpenPlayHost } from "../../src/operators/play/play-host.ts";
import { processorMs } from "../in-turn.ts";
import { type BenchReport, type BenchRow, compared, median } from "../report.ts";
import { INTAKE, inventedReport, openBench, openIntake, taskOf } from "./bench-games.ts";
import { type FleetProcess, startFleetProcess } from "./fleet-process.ts";
import { startBenchServer } from "./nats-server.ts";
import { benchPortableBits } from "./portable-bits.ts";

/** Simulations of a move, for short and for long games, and the games that are timed: some seconds of them. */
const CASES = [
  { simulations: 20, games: 3000 },
  { simulations: 400, games: 1200 },
] as const;
/** Threads, or joiners with one thread each. */
const NUMBERS = [1, 2] as const;
/** How often each is timed, by turns. */
const ROUNDS = 3;
/** Games under way or waiting. */
const OPEN = 48;

/** Simulated joiners. */
const JOINERS = 1000;
/** Connections that the simulated joiners share. */
const CONNECTIONS = 50;
/** Bytes of weights. */
const WEIGHTS = 20_000_000;

/**
 * `bench fleet`: games a second and processor time of a game, of joiners on this machine beside local threads; how many results a
 * run takes from a thousand joiners; what weights and portable bits cost. It needs nats-server.
 */
export async function benchFleet(): Promise<BenchReport> {
  const rows: BenchRow[] = [];
  for (const each of CASES) for (const number of NUMBERS) rows.push(...(await besideThreads(each, number)));
  for (const each of INTAKE) rows.push(...(await intake(each)));
  rows.push(...(await weights()), ...(await benchPortableBits()));
  return { bench: "fleet", rows };
}

/** What games took: seconds, and milliseconds of processor time by its user. */
interface Spent {
  readonly seconds: number;
  readonly run: number;
  readonly server: number;
  readonly joiners: number;
  /** Mean bytes of a result. */
  readonly bytes: number;
}

async function besideThreads(
  { games, simulations }: (typeof CASES)[number],
  number: number,
): Promise<BenchRow[]> {
  const [threads, fleet]: [Spent[], Spent[]] = [[], []];
  for (let round = 0; round < ROUNDS; round++) {
    threads.push(await timed(openLocalThreads, simulations, number, games));
    fleet.push(await withJoiners(simulations, number, games));
  }
  const of = (spent: readonly Spent[], figure: (each: Spent) => number) => median(spent.map(figure));
  const all = ({ joiners, run, server }: Spent) => (joiners + run + server) / games;
  const peer = `${number} local thread${number === 1 ? "" : "s"}`;
  const took = of(threads, all);
  const what = `games of ${took.toFixed(took < 1 ? 1 : 0)} ms, results of ${(of(fleet, ({ bytes }) => bytes) / 1000).toFixed(1)} kB, ${number} joiner${number === 1 ? "" : "s"}`;
  return [
    compared(
      { case: what, metric: "games", value: of(fleet, ({ seconds }) => games / seconds), unit: "1/s" },
      { name: peer, value: of(threads, ({ seconds }) => games / seconds) },
    ),
    compared(
      { case: what, metric: "processor time of a game", value: of(fleet, all), unit: "ms" },
      { name: peer, value: of(threads, all) },
    ),
    ...(["run", "server", "joiners"] as const).map((side) => ({
      case: what,
      metric: `of this the ${side}`,
      value: of(fleet, (each) => each[side] / games),
      unit: "ms",
    })),
  ];
}

/**
 * Plays games on a host, after half as many to warm up: the first ones are slow while their code is compiled, and the run's machine
 * starts a thread for the first game that it plays again.
 */
async function timed(
  openHost: OpenPlayHost,
  simulations: number,
  workers: number,
  games: number,
  used: () => Promise<Pick<Spent, "joiners" | "server">> = async () => ({ joiners: 0, server: 0 }),
): Promise<Spent> {
  const opened = openBench(simulations, workers);
  const scope = Scope.makeUnsafe();
  try {
    const host = await Effect.runPromise(
      openHost(opened, { warn: () => undefined, weightsOf: () => Effect.die("there is no net") }).pipe(
        Scope.provide(scope),
      ),
    );
    await Effect.runPromise(host.start(opened.experiment));
    let next = 0;
    let bytes = 0;
    const play = async (count: number) => {
      const last = next + count;
      const player = async () => {
        while (next < last) {
          const report = await Effect.runPromise(host.play(taskOf(opened, next++), 0));
          bytes += encodeResult({ joiner: "", bits: {}, report }).length;
        }
      };
      await Promise.all(Array.from({ length: OPEN }, player));
    };
    await play(Math.max(OPEN, games >> 1));
    bytes = 0;
    const [before, own, begun] = [await used(), processorMs(), performance.now()];
    await play(games);
    const seconds = (performance.now() - begun) / 1000;
    const run = processorMs() - own;
    const after = await used();
    return {
      seconds,
      run,
      server: after.server - before.server,
      joiners: after.joiners - before.joiners,
      bytes: bytes / games,
    };
  } finally {
    await Effect.runPromise(Scope.close(scope, Exit.void));
  }
}

async function withJoiners(simulations: number, number: number, games: number): Promise<Spent> {
  const server = await startBenchServer();
  const folder = mkdtempSync(join(tmpdir(), "ludoflow-bench-"));
  const joiners: FleetProcess[] = [];
  try {
    for (let i = 0; i < number; i++)
      joiners.push(await startFleetProcess("joiner-process", [server.url, join(folder, "cache")]));
    const connection = await connectFleet(fleetAddress(server.url), "run");
    const openHost = openFleetHost({
      connection,
      folder,
      playsHere: false,
      mixed: false,
      note: () => undefined,
      taint: () => undefined,
    });
    return await timed(openHost, simulations, 1, games, async () => {
      const times = await Promise.all(joiners.map((joiner) => joiner.processorMs()));
      return { server: server.processorMs(), joiners: times.reduce((sum, time) => sum + time, 0) };
    });
  } finally {
    await Promise.all(joiners.map((joiner) => joiner.close()));
    await server.close();
    rmSync(folder, { recursive: true, force: true });
  }
}

/** How many results a run takes from a thousand joiners that invent them. */
async function intake({ games, ...kind }: (typeof INTAKE)[number]): Promise<BenchRow[]> {
  const server = await startBenchServer();
  const opened = openIntake(kind);
  const bytes = encodeResult({
    joiner: "",
    bits: {},
    report: inventedReport(opened, taskOf(opened, 0), kind),
  }).length;
  const run = randomId();
  const connection = await connectFleet(fleetAddress(server.url), "run");
  const fleet = await FleetRun.open(
    connection,
    run,
    { mixed: false, note: () => undefined, taint: () => undefined },
    {
      opened,
      places: 0,
      weightsOf: () => Effect.die("there is no net"),
      play: () => undefined,
      playAgain: async (task) => inventedReport(opened, task, kind),
      counts: () => undefined,
    },
  );
  const joiners = await startFleetProcess("simulated-joiners", [
    server.url,
    run,
    ...[JOINERS, CONNECTIONS, kind.size, kind.bits].map(String),
  ]);
  try {
    let next = 0;
    const play = async (count: number) => {
      const last = next + count;
      const player = async () => {
        while (next < last) {
          const task = taskOf(opened, next++);
          await new Promise((finish) => fleet.add({ task, retries: 0, finish }));
        }
      };
      await Promise.all(Array.from({ length: Math.min(count, 2 * JOINERS) }, player));
    };
    await play(games >> 2);
    const before = { server: server.processorMs(), joiners: await joiners.processorMs(), run: processorMs() };
    const begun = performance.now();
    await play(games);
    const seconds = (performance.now() - begun) / 1000;
    const after = { run: processorMs(), server: server.processorMs(), joiners: await joiners.processorMs() };
    const what = `intake from ${JOINERS} simulated joiners, results of ${(bytes / 1000).toFixed(0)} kB`;
    return [
      { case: what, metric: "games", value: games / seconds, unit: "1/s" },
      ...(["run", "server", "joiners"] as const).map((side) => ({
        case: what,
        metric: `processor time of a game, the ${side}`,
        value: (1000 * (after[side] - before[side])) / games,
        unit: "us",
      })),
    ];
  } finally {
    await joiners.close();
    await fleet.close();
    await server.close();
  }
}

/** What a version of weights costs. */
async function weights(): Promise<BenchRow[]> {
  const server = await startBenchServer();
  const connection = await connectFleet(fleetAddress(server.url), "run");
  const { jetstream } = await import("@nats-io/jetstream");
  try {
    const store = await WeightsStore.open(jetstream(connection), true);
    const bytes = new Uint8Array(WEIGHTS);
    const figures: Record<string, number[]> = {};
    const note = async (name: string, act: () => Promise<unknown>) => {
      const [before, own, begun] = [server.processorMs(), processorMs(), performance.now()];
      await act();
      const add = (metric: string, value: number) => (figures[metric] ??= []).push(value);
      add(`${name}, wall time`, performance.now() - begun);
      add(`${name}, processor time of the client`, processorMs() - own);
      add(`${name}, processor time of the server`, server.processorMs() - before);
    };
    for (let round = 0; round < 2 * ROUNDS; round++) {
      bytes[0] = round;
      const hash = sha256(bytes);
      await note("put", () => store.put(hash, bytes));
      await note("get", () => store.get(hash));
    }
    return Object.entries(figures).map(([metric, values]) => ({
      case: `weights of ${WEIGHTS / 1e6} MB`,
      metric,
      value: median(values),
      unit: "ms",
    }));
  } finally {
    await connection.close();
    await server.close();
  }
}

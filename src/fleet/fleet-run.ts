import { hostname } from "node:os";
import type { JetStreamClient, JetStreamManager } from "@nats-io/jetstream";
import type { Msg, NatsConnection, Subscription } from "@nats-io/transport-node";
import type { OpenExperiment } from "../operators/experiment/open-experiment.ts";
import { type GameReport, type GameTask, weightsNamed } from "../operators/play/game-task.ts";
import type { NetVersion, WeightsOf } from "../operators/training/weights-board.ts";
import { loadedPlugins } from "../plugins/load-plugins.ts";
import { FleetGames } from "./fleet-games.ts";
import type { FleetGame } from "./fleet-games.ts";
import { FleetUnavailable } from "./fleet-unavailable.ts";
import { bitsKey, type HelloAnswer, type RunBeat, type ResultVerdict } from "./wire/hello.ts";
import { jsonMessage, readJson } from "./wire/json-message.ts";
import { isPlainMap } from "../formats/plain-map.ts";
import { decodeResult, type TaskResult } from "./wire/report-message.ts";
import { equalReports, isDrawnForCheck } from "./result-check.ts";
import { type JoinerBeat, Roster } from "./roster.ts";
import { describedBy, type SharedRun, sharedRun } from "./shared-run.ts";
import { SharedWeights } from "./shared-weights.ts";
import {
  againSubject,
  BEAT_MS,
  helloSubject,
  joinerBeat,
  ownerSubject,
  resultSubject,
  runBeat,
} from "./wire/subjects.ts";
import { encodeTask, type FleetWeights } from "./wire/task-message.ts";
import { serverMessage } from "./wire/server-message.ts";
import { TaskQueue } from "./task-queue.ts";
import { WeightsStore } from "./weights-store.ts";
import { randomId } from "./random-id.ts";

/** Bad results of a joiner after which it is told to leave. */
const MOST_BAD = 3;
/** Milliseconds that a game may take that a second joiner plays for comparison. */
const AGAIN_MS = 600_000;
/** Milliseconds that leaving the server may take. */
const CLOSE_MS = 5000;
/** Milliseconds within which another process of the run would say that it is there. */
const OWNER_MS = 1000;

/** How a run uses its fleet. */
export interface FleetUse {
  /** Whether joiners may play whose processors compute other bits. */
  readonly mixed: boolean;
  /** Tells people what they should know: a sentence. */
  readonly note: (level: "info" | "warning", message: string) => void;
  /** Takes what has happened to the results: a reason why they are no function of file and seed. */
  readonly taint: (reason: string) => void;
}

/** What a fleet asks of the machine of its run. */
export interface RunMachine {
  readonly opened: OpenExperiment;
  /** Games that its threads can have under way; 0 where only joiners play. */
  readonly places: number;
  readonly weightsOf: WeightsOf;
  /** Plays a game on its threads. */
  readonly play: (game: FleetGame) => void;
  /** Plays a game on its threads, to compare the result. */
  readonly playAgain: (task: GameTask) => Promise<GameReport>;
  /** Counts what a game of a joiner has taken. */
  readonly counts: (task: GameTask, report: GameReport) => void;
}

/** The server of a fleet. */
interface FleetServer {
  readonly js: JetStreamClient;
  readonly jsm: JetStreamManager;
  readonly store: WeightsStore;
}

/** A run's end of its fleet: it deals out games, takes results and checks them, and knows its joiners. */
export class FleetRun {
  readonly #connection: NatsConnection;
  readonly #run: string;
  readonly #use: FleetUse;
  readonly #machine: RunMachine;
  readonly #shared: SharedRun;
  readonly #described: string;
  readonly #process = randomId();
  readonly #roster: Roster;
  readonly #games: FleetGames;
  readonly #queue: TaskQueue;
  readonly #weights: SharedWeights;
  readonly #subscriptions: Subscription[] = [];
  /** By joiner: why it may not play. */
  readonly #dismissed = new Map<string, string>();
  readonly #bad = new Map<string, number>();
  /** The newest version of each net: joiners are tried with them. */
  readonly #newest = new Map<string, number>();
  #timer: NodeJS.Timeout | undefined;

  private constructor(
    connection: NatsConnection,
    run: string,
    use: FleetUse,
    machine: RunMachine,
    { js, jsm, store }: FleetServer,
  ) {
    this.#connection = connection;
    this.#run = run;
    this.#use = use;
    this.#machine = machine;
    this.#shared = sharedRun(machine.opened, loadedPlugins());
    this.#described = describedBy(this.#shared);
    this.#roster = new Roster(run);
    this.#queue = new TaskQueue(connection, js, jsm, run, {
      isPlayed: (key) => this.#roster.isPlayed(key),
      hasRoom: () => this.#roster.joiners.some(({ places, playing }) => playing.length < places),
      warn: (message) => use.note("warning", message),
    });
    this.#weights = new SharedWeights(machine.opened, store, machine.weightsOf);
    this.#games = new FleetGames(machine.places, {
      playHere: machine.play,
      encode: async (task) => {
        const weights = await Promise.all(
          weightsNamed(machine.opened, task).map((version) => this.#weights.named(version)),
        );
        return encodeTask({ described: this.#described, task, weights });
      },
      put: (task) => this.#queue.put(task),
      remove: (key, unplayed) => this.#queue.remove(key, unplayed),
      isPlayed: (key) => this.#roster.isPlayed(key),
      places: () => this.#roster.places,
    });
  }

  /** Opens a run's end of a fleet. Throws FleetUnavailable. */
  static async open(
    connection: NatsConnection,
    run: string,
    use: FleetUse,
    machine: RunMachine,
  ): Promise<FleetRun> {
    await assertAlone(connection, run);
    const { jetstream, jetstreamManager } = await import("@nats-io/jetstream");
    const options = { checkAPI: false, timeout: 5000 };
    const js = jetstream(connection, { ...options });
    const jsm = await jetstreamManager(connection, { ...options });
    let store: WeightsStore;
    try {
      store = await WeightsStore.open(js, true);
    } catch (error) {
      throw new FleetUnavailable(`the fleet's server cannot hold weights: ${serverMessage(error)}`);
    }
    const fleet = new FleetRun(connection, run, use, machine, { js, jsm, store });
    await fleet.#begin();
    return fleet;
  }

  /** Plays a game somewhere; `finish` gets its report. */
  add(game: FleetGame): void {
    this.#games.add(game);
  }

  /** Takes the report of a game that this machine has played. */
  take(game: FleetGame, report: GameReport): void {
    this.#games.take(game, report);
  }

  /** Gives a game up. */
  drop(game: FleetGame): void {
    this.#games.drop(game);
  }

  /** Says which version of a net is the newest. */
  newest(net: string, version: number): void {
    this.#newest.set(net, version);
  }

  /** Says that no game is played with a version any more. */
  dropWeights(version: NetVersion): void {
    this.#weights.drop(version);
  }

  /** Leaves the fleet: joiners go on with other runs. Takes seconds at most. */
  async close(): Promise<void> {
    clearInterval(this.#timer);
    for (const subscription of this.#subscriptions) subscription.unsubscribe();
    await soon(
      (async () => {
        this.#beat({ ends: true });
        await this.#queue.close();
        await this.#weights.close();
        await this.#connection.flush();
      })(),
    );
    await soon(this.#connection.close());
  }

  async #begin(): Promise<void> {
    await this.#queue.open();
    this.#serve(ownerSubject(this.#run), async () =>
      new TextEncoder().encode(jsonMessage({ process: placeOf(process.pid) })),
    );
    this.#serve(helloSubject(this.#run), async ({ data }) =>
      new TextEncoder().encode(jsonMessage(await this.#answer(readJson(data)))),
    );
    this.#serve(resultSubject(this.#run, "*"), async ({ data, subject }) =>
      new TextEncoder().encode(jsonMessage(await this.#judge(subject.split(".")[3]!, data))),
    );
    this.#subscriptions.push(
      this.#connection.subscribe(joinerBeat("*"), {
        callback: (error, message) => {
          if (error === null) this.#hear(readJson(message.data));
        },
      }),
    );
    this.#timer = setInterval(() => this.#tick(), BEAT_MS);
    this.#beat();
    void this.#watch();
  }

  /** Answers requests; one that cannot be answered gets no answer, and is sent again by who needs it. */
  #serve(subject: string, respond: (message: Msg) => Promise<Uint8Array>): void {
    this.#subscriptions.push(
      this.#connection.subscribe(subject, {
        callback: (error, message) => {
          if (error === null)
            respond(message).then(
              (answer) => message.respond(answer),
              (failed: unknown) =>
                this.#use.note("warning", `a request of a joiner failed: ${(failed as Error).message}`),
            );
        },
      }),
    );
  }

  #tick(): void {
    for (const { name } of this.#roster.lose())
      this.#use.note("warning", `${name} has left without a word; its games are played by others`);
    this.#beat();
    this.#games.deal();
  }

  #beat(further: Partial<RunBeat> = {}): void {
    const beat: RunBeat = {
      run: this.#run,
      name: `${this.#machine.opened.experiment.name} on ${placeOf(process.pid)}`,
      process: this.#process,
      joiners: this.#roster.joiners.map(({ games, name, places }) => ({ name, places, games })),
      ...further,
    };
    if (!this.#connection.isClosed()) this.#connection.publish(runBeat(this.#run), jsonMessage(beat));
  }

  #hear(data: Readonly<Record<string, unknown>> | undefined): void {
    if (data === undefined || !isBeat(data) || this.#dismissed.has(data.joiner)) return;
    const heard = this.#roster.hear(data);
    if (heard === "came") {
      const { places } = data.runs[this.#run]!;
      this.#use.note("info", `${data.name} has joined and plays up to ${places} games at once`);
    }
    if (heard === "left") this.#use.note("info", `${data.name} has left`);
    this.#games.deal();
  }

  async #watch(): Promise<void> {
    for await (const { type } of this.#connection.status()) {
      if (type === "disconnect")
        this.#use.note(
          "warning",
          "the connection to the fleet's server is lost; the run goes on, and tries again",
        );
      if (type !== "reconnect") continue;
      this.#use.note("info", "the connection to the fleet's server is back");
      const other = await otherOwner(this.#connection, this.#run, placeOf(process.pid));
      if (other !== undefined)
        this.#use.note("warning", `another process works on this run, too: ${other}; stop one of them`);
      this.#queue.reconcile();
    }
  }

  async #answer(data: Readonly<Record<string, unknown>> | undefined): Promise<HelloAnswer> {
    if (data === undefined || typeof data["joiner"] !== "string")
      return { refusal: "the run does not understand this joiner: install the same version of ludoflow" };
    const dismissed = this.#dismissed.get(data["joiner"]);
    if (dismissed !== undefined) return { refusal: dismissed };
    if (data["asks"] === "run")
      return { run: this.#shared, weights: await Promise.all(this.#newestWeights()) };
    if (data["asks"] === "weights" && isNamedWeights(data["weights"])) {
      await this.#weights.putAgain(data["weights"]);
      return {};
    }
    if (data["asks"] !== "entry" || !isPlainMap(data["bits"]))
      return { refusal: "the run does not understand this joiner: install the same version of ludoflow" };
    if (data["described"] !== this.#described)
      return {
        refusal: "the experiment comes out otherwise on this machine: install the same version of ludoflow",
      };
    for (const named of await Promise.all(this.#newestWeights())) {
      // There may be newer weights meanwhile: results tell the bits of theirs.
      if (!(bitsKey(named) in data["bits"])) continue;
      const refusal = await this.#otherBits(named, data["bits"]);
      if (refusal !== undefined) return { refusal };
    }
    return {};
  }

  #newestWeights(): Promise<FleetWeights>[] {
    return [...this.#newest]
      .filter(([net]) => net in this.#shared.experiment.nets)
      .map(([net, version]) => this.#weights.named({ net, version }));
  }

  /** Why a joiner may not play with weights: it computes other bits. */
  async #otherBits(
    named: FleetWeights,
    bits: Readonly<Record<string, unknown>>,
  ): Promise<string | undefined> {
    const own = await this.#weights.bits(named);
    const theirs = bits[bitsKey(named)];
    if (theirs === own) return undefined;
    if (!this.#use.mixed || typeof theirs !== "string")
      return `its processor computes other bits than that of the run (net "${named.net}"), so the results would not be those of one machine. Take a machine with a processor of the run's kind, or start the run with --mixed`;
    this.#use.taint("games were also played by machines that compute other bits (--mixed)");
    return undefined;
  }

  /** Decides about a result. */
  async #judge(key: string, bytes: Uint8Array): Promise<ResultVerdict> {
    const game = this.#games.away(key);
    if (game === undefined) return { verdict: "not wanted" };
    let result: TaskResult;
    try {
      result = decodeResult(bytes, game.task);
    } catch (error) {
      const by = this.#roster.joiners.find(({ playing }) => playing.includes(key))?.joiner;
      return this.#refuse(by, `a result was refused: ${(error as Error).message}`);
    }
    const { joiner } = result;
    const dismissed = this.#dismissed.get(joiner);
    if (dismissed !== undefined) return { verdict: "leave", message: dismissed };
    if (result.report === undefined) {
      this.#use.note(
        "warning",
        `${this.#roster.nameOf(joiner)} could not play game ${game.task.index} of ${game.task.stage}: ${result.failed}; it is played here`,
      );
      this.#games.bring(game);
      return { verdict: "taken" };
    }
    const named = await Promise.all(
      weightsNamed(this.#machine.opened, game.task).map((version) => this.#weights.named(version)),
    );
    for (const each of named) {
      const refusal = await this.#otherBits(each, result.bits);
      if (refusal !== undefined) return this.#dismiss(joiner, refusal);
    }
    if (isDrawnForCheck(this.#machine.opened, game.task)) {
      void this.#check(game, result, named);
      return { verdict: "taken" };
    }
    this.#count(game, joiner, result.report);
    this.#games.take(game, result.report);
    return { verdict: "taken" };
  }

  #count({ task }: FleetGame, joiner: string, report: GameReport): void {
    this.#roster.counts(joiner);
    this.#machine.counts(task, report);
  }

  #refuse(joiner: string | undefined, message: string): ResultVerdict {
    if (joiner === undefined) return { verdict: "bad", message };
    const bad = (this.#bad.get(joiner) ?? 0) + 1;
    this.#bad.set(joiner, bad);
    if (bad < MOST_BAD) return { verdict: "bad", message };
    return this.#dismiss(joiner, `${bad} of its results could not be read; the last: ${message}`);
  }

  /** Sends a joiner away for good. */
  #dismiss(joiner: string, why: string): ResultVerdict {
    const before = this.#dismissed.get(joiner);
    if (before !== undefined) return { verdict: "leave", message: before };
    this.#use.note("warning", `${this.#roster.nameOf(joiner)} is told to leave: ${why}`);
    this.#dismissed.set(joiner, why);
    this.#roster.dismiss(joiner);
    return { verdict: "leave", message: why };
  }

  /** Compares the report of a game that is drawn for it with a second one, and takes the one that is right. */
  async #check(
    game: FleetGame,
    result: TaskResult & { readonly report: GameReport },
    named: readonly FleetWeights[],
  ): Promise<void> {
    const { joiner, report } = result;
    const { task } = game;
    const name = this.#roster.nameOf(joiner);
    const games = this.#roster.joiners.find((each) => each.joiner === joiner)?.games ?? 0;
    const own = await Promise.all(named.map(async (each) => [bitsKey(each), await this.#weights.bits(each)]));
    const isEqualHere = own.every(([key, bits]) => result.bits[key!] === bits);
    let second: GameReport | undefined;
    try {
      second = isEqualHere
        ? await this.#machine.playAgain(task)
        : await this.#playedBySecond(game, result, named);
    } catch {
      // This machine fails at it, too: then the game itself tells why.
      this.#games.bring(game);
      return;
    }
    if (second === undefined) {
      this.#use.taint(
        "some games that were drawn for it could not be compared with a second machine of equal bits",
      );
      this.#count(game, joiner, report);
      this.#games.take(game, report);
      return;
    }
    if (!equalReports(report, second))
      this.#dismiss(
        joiner,
        `game ${task.index} of ${task.stage} comes out otherwise when it is played again, so its results cannot be trusted. ${games} of its games were taken before: if they matter, start the run again without ${name}`,
      );
    else this.#count(game, joiner, report);
    this.#games.take(game, isEqualHere ? second : report);
  }

  /** The report of a second joiner with the bits of the first one; undefined where there is none. */
  async #playedBySecond(
    { task }: FleetGame,
    { bits, joiner }: TaskResult,
    named: readonly FleetWeights[],
  ): Promise<GameReport | undefined> {
    const { bytes } = encodeTask({ described: this.#described, task, weights: named });
    for (const other of this.#roster.joiners) {
      if (other.joiner === joiner) continue;
      try {
        const { data } = await this.#connection.request(againSubject(other.joiner), bytes, {
          timeout: AGAIN_MS,
        });
        const result = decodeResult(data, task);
        if (
          result.report !== undefined &&
          named.every((each) => result.bits[bitsKey(each)] === bits[bitsKey(each)])
        )
          return result.report;
      } catch {
        // It has left, or computes otherwise: the next one may do.
      }
    }
    return undefined;
  }
}

/** Throws FleetUnavailable where another process works on a run. */
async function assertAlone(connection: NatsConnection, run: string): Promise<void> {
  const other = await otherOwner(connection, run);
  if (other !== undefined)
    throw new FleetUnavailable(`another process works on this run already: ${other}; stop it first`);
}

/** The process, other than `own`, that works on a run; undefined where there is none. */
async function otherOwner(
  connection: NatsConnection,
  run: string,
  own?: string,
): Promise<string | undefined> {
  try {
    const { data } = await connection.request(ownerSubject(run), "", { timeout: OWNER_MS });
    const place = String(readJson(data)?.["process"]);
    return place === own ? undefined : place;
  } catch {
    // Nobody is there.
    return undefined;
  }
}

function placeOf(pid: number): string {
  return `${hostname()}:${pid}`;
}

function isBeat(
  data: Readonly<Record<string, unknown>>,
): data is Readonly<Record<string, unknown>> & JoinerBeat {
  return (
    typeof data["joiner"] === "string" &&
    typeof data["name"] === "string" &&
    isPlainMap(data["runs"]) &&
    Object.values(data["runs"]).every(
      (work) => isPlainMap(work) && Number.isSafeInteger(work["places"]) && Array.isArray(work["playing"]),
    )
  );
}

function isNamedWeights(data: unknown): data is FleetWeights {
  return (
    isPlainMap(data) &&
    typeof data["net"] === "string" &&
    typeof data["version"] === "number" &&
    typeof data["sha256"] === "string"
  );
}

/** Waits for a promise, but not for long; a failure is no concern any more. */
async function soon(promise: Promise<unknown>): Promise<void> {
  let timer: NodeJS.Timeout | undefined;
  await Promise.race([
    promise.catch(() => undefined),
    new Promise((resolve) => {
      timer = setTimeout(resolve, CLOSE_MS);
    }),
  ]);
  clearTimeout(timer);
}

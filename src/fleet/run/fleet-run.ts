import type { JetStreamClient, JetStreamManager } from "@nats-io/jetstream";
import type { Msg, NatsConnection, Subscription } from "@nats-io/transport-node";
import type { FleetFlow } from "../../events/flow-event.ts";
import type { GameReport } from "../../operators/play/game-task.ts";
import type { NetVersion } from "../../operators/run/weights/weights-board.ts";
import { loadedPlugins } from "../../plugins/load-plugins.ts";
import { Dismissals } from "./dismissals.ts";
import { type FleetGame, FleetGames } from "./fleet-games.ts";
import { FleetUnavailable } from "../fleet-unavailable.ts";
import { randomId } from "../random-id.ts";
import { ResultJudge } from "./result-judge.ts";
import { Roster } from "./roster.ts";
import type { FleetUse, RunEnd, RunMachine } from "./run-end.ts";
import { RunEntry } from "./run-entry.ts";
import { ownPlace, RunOwner } from "./run-owner.ts";
import { describedBy, sharedRun } from "../shared-run.ts";
import { SharedWeights } from "./shared-weights.ts";
import { TaskQueue } from "./task-queue.ts";
import { WeightsStore } from "../weights-store.ts";
import { Gathered } from "../wire/gathered.ts";
import { isJoinerBeat, type RunBeat } from "../wire/beats.ts";
import { jsonMessage, readJson } from "../wire/json-message.ts";
import { describeError, serverMessage } from "../wire/server-message.ts";
import { BEAT_MS, helloSubject, joinerBeat, resultSubject, runBeat } from "../wire/subjects.ts";
import { encodeTask } from "../wire/task-message.ts";

/** Milliseconds that leaving the server may take. */
const CLOSE_MS = 5000;
/** Why a game is played here although joiners were asked for it. */
const VANISHED =
  "its task has gone from the queue twice without a result, so somebody may acknowledge games without playing them";
const ABANDONED = "two machines that played it have left without a word";

/** Milliseconds for which games may wait without a machine before the user is warned. */
const NO_MACHINE_MS = 3000;

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
  readonly #end: RunEnd;
  readonly #entry: RunEntry;
  readonly #judge: ResultJudge;
  readonly #process: string;
  readonly #owner: RunOwner;
  readonly #games: FleetGames;
  readonly #queue: TaskQueue;
  readonly #subscriptions: Subscription[] = [];
  readonly #sent = new Gathered(0);
  #timer: NodeJS.Timeout | undefined;
  /** Since when games wait without a machine, in milliseconds of a monotonic clock; undefined if there is a machine. */
  #noMachineSince: number | undefined;
  #noMachineReported = false;
  /** The last failure of a request that was reported. */
  #lastFailure = "";
  /** The reported reasons why this machine played games that joiners had been asked for. */
  readonly #playedLocally = new Set<string>();

  private constructor(
    connection: NatsConnection,
    run: string,
    use: FleetUse,
    machine: RunMachine,
    { js, jsm, store }: FleetServer,
    { owner, process: of }: { readonly owner: RunOwner; readonly process: string },
  ) {
    this.#connection = connection;
    this.#run = run;
    this.#owner = owner;
    this.#process = of;
    const shared = sharedRun(machine.opened, loadedPlugins());
    const described = describedBy(shared);
    const roster = new Roster(run);
    const weights = new SharedWeights(machine.opened, store, machine.weightsOf);
    const dismissals = new Dismissals((joiner, why) => {
      use.note("warning", `${roster.nameOf(joiner)} must leave: ${why}`);
      roster.dismiss(joiner);
    });
    this.#end = { use, machine, described, roster, weights, dismissals };
    this.#entry = new RunEntry(this.#end, shared);
    this.#queue = new TaskQueue(connection, js, jsm, run, {
      sent: this.#sent,
      isPlayed: (key) => roster.isPlayed(key),
      hasRoom: () => roster.joiners.some(({ places, playing }) => playing.length < places),
      warn: (message) => use.note("warning", message),
      giveUp: (key) => this.#playLocally(key, VANISHED),
    });
    this.#games = new FleetGames(machine.places, {
      playHere: machine.play,
      encode: async (task) => {
        return encodeTask({ described, task, weights: await weights.forTask(task) });
      },
      put: (task) => this.#queue.put(task),
      remove: (key, unplayed) => this.#queue.remove(key, unplayed),
      isPlayed: (key) => roster.isPlayed(key),
      places: () => roster.places,
    });
    this.#judge = new ResultJudge(this.#end, this.#games, connection);
  }

  /** Opens a run's end of a fleet. Throws FleetUnavailable. */
  static async open(
    connection: NatsConnection,
    run: string,
    use: FleetUse,
    machine: RunMachine,
  ): Promise<FleetRun> {
    const of = randomId();
    const owner = await RunOwner.claim(connection, run, of);
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
    const fleet = new FleetRun(connection, run, use, machine, { js, jsm, store }, { owner, process: of });
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
    this.#entry.newest(net, version);
  }

  /** Says that no game is played with a version any more. */
  dropWeights(version: NetVersion): void {
    this.#end.weights.drop(version);
  }

  /** What joiners have done since the last call, this number of seconds ago. */
  flow(seconds: number): FleetFlow {
    return { type: "fleet-flow", seconds, waiting: this.#games.waiting, ...this.#end.roster.takeDone() };
  }

  /** Leaves the fleet: joiners continue with other runs. Takes seconds at most. */
  async close(): Promise<void> {
    clearInterval(this.#timer);
    for (const subscription of this.#subscriptions) subscription.unsubscribe();
    await soon(
      (async () => {
        this.#beat({ ends: true });
        this.#owner.close();
        await this.#queue.close();
        await this.#end.weights.close();
        await this.#connection.flush();
      })(),
    );
    await soon(this.#connection.close());
  }

  async #begin(): Promise<void> {
    await this.#queue.open();
    this.#serve(helloSubject(this.#run), async ({ data }) =>
      new TextEncoder().encode(jsonMessage(await this.#entry.answer(readJson(data)))),
    );
    this.#serve(resultSubject(this.#run, "*", "*"), async ({ data, subject }) => {
      const [, , , joiner = "", key = ""] = subject.split(".");
      return new TextEncoder().encode(jsonMessage(await this.#judge.judge(joiner, key, data)));
    });
    this.#subscriptions.push(
      this.#connection.subscribe(joinerBeat("*"), {
        callback: (error, message) => {
          if (error === null) this.#onHeartbeat(readJson(message.data));
        },
      }),
    );
    this.#timer = setInterval(() => this.#tick(), BEAT_MS);
    this.#beat();
    void this.#watch();
  }

  /** Answers requests; one that cannot be answered gets an empty answer, and the joiner sends it again. */
  #serve(subject: string, respond: (message: Msg) => Promise<Uint8Array>): void {
    this.#subscriptions.push(
      this.#connection.subscribe(subject, {
        callback: (error, message) => {
          if (error === null)
            respond(message).then(
              async (answer) => {
                await this.#sent.turn();
                message.respond(answer);
              },
              (failed: unknown) => {
                this.#reportFailure(`a request of a joiner failed: ${describeError(failed)}`);
                // It does not wait in vain, and asks again.
                message.respond();
              },
            );
        },
      }),
    );
  }

  /** Reports a request that failed, unless the one before failed in the same way. */
  #reportFailure(message: string): void {
    if (message !== this.#lastFailure) this.#end.use.note("warning", message);
    this.#lastFailure = message;
  }

  #tick(): void {
    const { roster, use } = this.#end;
    for (const { name, playing } of roster.lose()) {
      use.note("warning", `${name} has left without a word; its games are played by others`);
      for (const key of playing) if (this.#queue.hasLost(key)) this.#playLocally(key, ABANDONED);
    }
    this.#reportNoMachine();
    this.#beat();
    this.#games.deal();
  }

  /** Plays a game here that joiners could not finish. */
  #playLocally(key: string, why: string): void {
    const game = this.#games.away(key);
    if (game === undefined) return;
    const { index, stage } = game.task;
    if (!this.#playedLocally.has(why))
      this.#end.use.note(
        "warning",
        `game ${index} of ${stage} is played here: ${why}. Further games like this are not reported`,
      );
    this.#playedLocally.add(why);
    this.#games.bring(game);
  }

  /** Warns that no machine plays: once each time that all have left. */
  #reportNoMachine(): void {
    const { machine, roster, use } = this.#end;
    const waiting = this.#games.waiting;
    if (machine.places > 0 || roster.joiners.length > 0 || waiting === 0) {
      this.#noMachineSince = undefined;
      if (roster.joiners.length > 0) this.#noMachineReported = false;
      return;
    }
    this.#noMachineSince ??= performance.now();
    if (this.#noMachineReported || performance.now() - this.#noMachineSince < NO_MACHINE_MS) return;
    this.#noMachineReported = true;
    use.note(
      "warning",
      `no machine plays for this run, and ${waiting} ${waiting === 1 ? "game waits" : "games wait"}: start "ludoflow join" with the URL of the fleet on a machine, or continue without --joiners-only`,
    );
  }

  #beat(further: Partial<RunBeat> = {}): void {
    const { dismissals, machine, roster } = this.#end;
    const beat: RunBeat = {
      run: this.#run,
      name: `${machine.opened.experiment.name} on ${ownPlace()}`,
      process: this.#process,
      joiners: roster.joiners.map(({ games, joiner, name, places }) => ({
        name,
        places,
        games,
        rate: roster.rateOf(joiner),
      })),
      leave: dismissals.latest(),
      ...further,
    };
    if (!this.#connection.isClosed()) this.#connection.publish(runBeat(this.#run), jsonMessage(beat));
  }

  #onHeartbeat(data: Readonly<Record<string, unknown>> | undefined): void {
    const { dismissals, roster, use } = this.#end;
    if (!isJoinerBeat(data) || dismissals.why(data.joiner) !== undefined) return;
    const change = roster.onHeartbeat(data);
    if (change === "came") {
      const { places } = data.runs[this.#run]!;
      use.note("info", `${data.name} has joined and plays up to ${places} games at once`);
    }
    if (change === "left") use.note("info", `${data.name} has left`);
    this.#games.deal();
  }

  async #watch(): Promise<void> {
    for await (const { type } of this.#connection.status()) {
      if (type === "disconnect")
        this.#end.use.note(
          "warning",
          "the connection to the fleet's server is lost; the run continues, and tries again",
        );
      if (type !== "reconnect") continue;
      this.#end.use.note("info", "the connection to the fleet's server is back");
      const other = await this.#owner.other();
      if (other !== undefined)
        this.#end.use.note("warning", `another process works on this run, too: ${other}; stop one of them`);
      this.#queue.reconcile();
    }
  }
}

/** Waits for a promise, at most CLOSE_MS; ignores its rejection. */
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

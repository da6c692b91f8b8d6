import * as Effect from "effect/Effect";
import * as Stream from "effect/Stream";
import type { StageFlow } from "../../events/flow-event.ts";

/** The time in milliseconds of a clock that never goes back. */
export type Now = () => number;

/** What the clock of a stage knows about it. */
export interface StageAbout {
  /** Number of stages that read it. */
  readonly readers: number;
  /** The most games that it may have under way, if it plays. */
  readonly mostGames: number;
}

/** What a stage is doing; several of each may be under way at once. */
interface Activities {
  /** Its reader asks for items. */
  asked: number;
  /** It asks for items of its input, or waits for weights. */
  waiting: number;
  /** It waits for stages that use what it makes. */
  heldUp: number;
  /** Games under way. */
  games: number;
}

/**
 * Measures how long a stage worked, waited and was held up, and how many items went in and out.
 *
 * A stage works while games of it are under way. Else it waits while it asks for its input or for weights; else it works
 * while its reader asks for an item and no other stage holds it up; else it is held up. A stage that has ended does nothing.
 */
export class StageClock {
  readonly #stage: string;
  readonly #now: Now;
  readonly #about: StageAbout;
  readonly #doing: Activities = { asked: 0, waiting: 0, heldUp: 0, games: 0 };
  /** True from the end of the stage's output on. */
  #over = false;
  #plays = false;
  /** By stage that it reads: how many requests for an item are open. */
  readonly #pulled = new Map<string, number>();
  /** The nets of each wait for weights that is under way. */
  readonly #nets = new Set<readonly string[]>();
  #last: number;
  #since: number;
  #worked = 0;
  #waited = 0;
  #held = 0;
  /** Games under way, as an integral over time. */
  #gameTime = 0;
  #itemsIn = 0;
  #itemsOut = 0;

  /** A clock that begins now. */
  constructor(stage: string, about: StageAbout, now: Now = () => performance.now()) {
    this.#stage = stage;
    this.#about = about;
    this.#now = now;
    this.#last = this.#since = now();
  }

  /** Whether it has ended. */
  get ended(): boolean {
    return this.#over;
  }

  /** Whether it is at work now. */
  get works(): boolean {
    return this.#state() === "worked";
  }

  /** Games under way now; undefined if it has played none. */
  get games(): number | undefined {
    return this.#plays ? this.#doing.games : undefined;
  }

  /** Whether it asks a stage for an item now. */
  pulls(stage: string): boolean {
    return (this.#pulled.get(stage) ?? 0) > 0;
  }

  /** The nets whose weights it waits for now. */
  get waitsForNets(): readonly string[] {
    return [...this.#nets].flat();
  }

  /** Counts the time of an effect as a wait for weights of these nets. */
  waiting<A, E, R>(nets: readonly string[], effect: Effect.Effect<A, E, R>): Effect.Effect<A, E, R> {
    return Effect.suspend(() => {
      const wait = [...nets];
      this.#nets.add(wait);
      return this.#during(
        "waiting",
        Effect.onExit(effect, () => Effect.sync(() => this.#nets.delete(wait))),
      );
    });
  }

  /** Counts the time of an effect as a wait for stages that use what this one makes, other than its readers. */
  heldUp<A, E, R>(effect: Effect.Effect<A, E, R>): Effect.Effect<A, E, R> {
    return this.#during("heldUp", effect);
  }

  /** Counts the time of an effect as a game under way. */
  playing<A, E, R>(game: Effect.Effect<A, E, R>): Effect.Effect<A, E, R> {
    this.#plays = true;
    return this.#during("games", game);
  }

  /** An input of the stage, from another one, metered. */
  input<A, E, R>(from: string, stream: Stream.Stream<A, E, R>): Stream.Stream<A, E, R> {
    const change = (by: 1 | -1) =>
      Effect.sync(() => void this.#pulled.set(from, (this.#pulled.get(from) ?? 0) + by));
    return Stream.transformPull(stream, (pull) => {
      const pulled = Effect.andThen(
        change(1),
        Effect.onExit(pull, () => change(-1)),
      );
      return Effect.succeed(
        Effect.tap(this.#during("waiting", pulled), (items) =>
          Effect.sync(() => void (this.#itemsIn += items.length)),
        ),
      );
    });
  }

  /** The output of the stage, metered. */
  output<A, E, R>(stream: Stream.Stream<A, E, R>): Stream.Stream<A, E, R> {
    return Stream.transformPull(stream, (pull) =>
      Effect.succeed(
        Effect.tap(this.#during("asked", pull), (items) =>
          Effect.sync(() => void (this.#itemsOut += items.length)),
        ),
      ),
    ).pipe(
      Stream.onExit(() =>
        Effect.sync(() => {
          this.#count();
          this.#over = true;
        }),
      ),
    );
  }

  /** What happened since the last call. */
  flow(): StageFlow {
    this.#count();
    const milliseconds = this.#since - this.#last;
    const flow: StageFlow = {
      type: "stage-flow",
      stage: this.#stage,
      seconds: milliseconds / 1000,
      worked: this.#worked / 1000,
      waited: this.#waited / 1000,
      held: this.#held / 1000,
      itemsIn: this.#itemsIn,
      itemsOut: this.#itemsOut,
      readers: this.#about.readers,
      ...(this.#plays
        ? {
            holds: milliseconds > 0 ? this.#gameTime / milliseconds : this.#doing.games,
            bound: this.#about.mostGames,
          }
        : {}),
    };
    this.#last = this.#since;
    this.#worked = this.#waited = this.#held = this.#gameTime = this.#itemsIn = this.#itemsOut = 0;
    return flow;
  }

  #during<A, E, R>(activity: keyof Activities, effect: Effect.Effect<A, E, R>): Effect.Effect<A, E, R> {
    return Effect.suspend(() => {
      this.#change(activity, 1);
      return Effect.onExit(effect, () => Effect.sync(() => this.#change(activity, -1)));
    });
  }

  #change(activity: keyof Activities, by: 1 | -1): void {
    this.#count();
    this.#doing[activity] += by;
  }

  /** Adds the time since the last change to what the stage was doing. */
  #count(): void {
    const now = this.#now();
    const passed = now - this.#since;
    this.#since = now;
    if (this.#over) return;
    this.#gameTime += this.#doing.games * passed;
    const state = this.#state();
    if (state === "worked") this.#worked += passed;
    else if (state === "waited") this.#waited += passed;
    else this.#held += passed;
  }

  #state(): "worked" | "waited" | "held" {
    const { asked, games, heldUp, waiting } = this.#doing;
    if (games > 0) return "worked";
    if (waiting > 0) return "waited";
    return asked > 0 && heldUp === 0 ? "worked" : "held";
  }
}

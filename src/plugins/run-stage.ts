import * as Cause from "effect/Cause";
import * as Effect from "effect/Effect";
import * as Pull from "effect/Pull";
import type * as Scope from "effect/Scope";
import * as Stream from "effect/Stream";
import { placedMessage } from "../messages/outside-place.ts";
import type { StageEnv } from "../operators/operator.ts";
import type { Items, PlayedGame } from "../operators/run/items.ts";
import { type RunError, RunFailed } from "../operators/run/run-error.ts";
import { Random } from "../random.ts";

import type { StageDescription, StageTools } from "./stage-description.ts";
import type { OptionValues } from "../definitions/options.ts";
import { type ItemPlace, type StageItemKind, type StageItems, stageItems } from "./stage-items.ts";
import { StageMemory } from "./stage-memory.ts";
import { StageSession } from "./stage-session.ts";

/** The parts of a stage of one's own that run. */
type Code<K extends StageItemKind> = Pick<StageDescription<K, any>, "reads" | "gives" | "run">;

/**
 * The stream of a stage of one's own: the games that it reads, in which those that it does not give on are held out; or nothing.
 *
 * Items that its code has seen in an earlier part of the run are skipped.
 */
export function runStage<K extends StageItemKind>(
  code: Code<K>,
  settings: object,
  from: Stream.Stream<Items[K], RunError>,
  env: StageEnv,
): Effect.Effect<Stream.Stream<PlayedGame, RunError>, never, Scope.Scope> {
  return Effect.gen(function* () {
    const pull = yield* Stream.toPull(Stream.rechunk(from, 1));
    const item = pull.pipe(
      Effect.map(([one]) => one as Items[K] | undefined),
      Pull.catchDone(() => Effect.succeed(undefined)),
    );
    const stop = new AbortController();
    yield* Effect.forkScoped(Effect.map(env.stop.wait, () => stop.abort()));
    const running = new RunningStage(code, settings, item, env, stop.signal);
    yield* Effect.addFinalizer(() => Effect.sync(() => running.end()));
    return Stream.fromPull(Effect.succeed(Effect.map(running.next(), (game) => [game] as const)));
  });
}

class RunningStage<K extends StageItemKind> {
  readonly #code: Code<K>;
  /** The next item of the input; undefined at its end. */
  readonly #input: Effect.Effect<Items[K] | undefined, RunError>;
  readonly #env: StageEnv;
  readonly #memory: StageMemory;
  readonly #own: StageTools;
  readonly #session: StageSession<StageItems[K], unknown>;
  /** The item that the code has read last, and how it sees it; undefined once it has left the stage. */
  #current: { readonly item: Items[K]; readonly seen: StageItems[K] } | undefined;
  /** The place of this item in the input. */
  #place: ItemPlace | undefined;
  #asks = false;
  #ended = false;
  /** Games that leave the stage before the code continues. */
  readonly #out: PlayedGame[] = [];

  constructor(
    code: Code<K>,
    settings: object,
    item: Effect.Effect<Items[K] | undefined, RunError>,
    env: StageEnv,
    signal: AbortSignal,
  ) {
    this.#code = code;
    this.#input = item;
    this.#env = env;
    const { opened, stage } = env;
    this.#memory = new StageMemory(env.files, stage);
    this.#own = {
      stage,
      random: (...name) => Random.named(opened.experiment.seed, stage, ...name),
      figure: (name, value) => this.#figure(name, value),
      state: this.#memory.state,
      signal,
    };
    this.#session = new StageSession((items) =>
      steps(() => code.run(items, settings as OptionValues<any>, this.#own)),
    );
  }

  /** The next game that leaves the stage. */
  next(): Effect.Effect<PlayedGame, RunError | Cause.Done> {
    const input = this.#input;
    return Effect.gen({ self: this }, function* () {
      for (;;) {
        const game = this.#out.shift();
        if (game !== undefined) return game;
        if (this.#ended) return yield* Cause.done();
        const item = this.#asks ? yield* input : undefined;
        if (item !== undefined && this.#isKnown(item)) continue;
        this.#asks = false;
        yield* this.#goOn(item === undefined ? undefined : this.#show(item));
      }
    });
  }

  /** Ends the code. */
  end(): void {
    this.#session.end();
  }

  /** Whether an item is skipped: the code has seen it in an earlier part of the run, or it is not whole. */
  #isKnown(item: Items[K]): boolean {
    const { after, whole } = stageItems[this.#code.reads].place(item);
    if (whole && after > this.#memory.after) return false;
    if (this.#code.gives !== undefined) {
      const game = item as PlayedGame;
      this.#out.push(this.#memory.held(game.index) ? { ...game, heldOut: true } : game);
    }
    return true;
  }

  #show(item: Items[K]): StageItems[K] {
    const kind = stageItems[this.#code.reads];
    this.#place = kind.place(item);
    const seen = kind.view(item, this.#env.opened.game);
    this.#current = { item, seen };
    return seen;
  }

  /** Lets the code continue until it asks for an item, gives one on, or ends. */
  #goOn(answer: StageItems[K] | undefined): Effect.Effect<void, RunFailed> {
    const { stage } = this.#env;
    return Effect.tryPromise({
      try: async () => {
        const step = await this.#session.next(answer);
        if (step.does === "gives") {
          this.#out.push(this.#given(step.item));
          return;
        }
        this.#holdOut();
        if (this.#place?.safe === true) this.#memory.save(this.#place.after, this.#own.state);
        this.#asks = step.does === "asks";
        this.#ended = step.does === "ends";
      },
      catch: (error) => new RunFailed({ stage, reason: placedMessage(error) }),
    });
  }

  /** The game behind what the code gives on. */
  #given(seen: unknown): PlayedGame {
    if (this.#code.gives === undefined)
      throw new TypeError('it gives an item on, and its definition does not say so: write gives: "games"');
    if (this.#current === undefined || seen !== this.#current.seen)
      throw new TypeError(
        "it gives on what is not the game that it has read last: a game is given on once, before the next one is asked for",
      );
    const game = this.#current.item as PlayedGame;
    this.#current = undefined;
    return game;
  }

  /** The code has continued without giving its last game on. */
  #holdOut(): void {
    const left = this.#current;
    this.#current = undefined;
    if (left === undefined || this.#code.gives === undefined) return;
    const game = left.item as PlayedGame;
    this.#memory.hold(game.index);
    this.#out.push({ ...game, heldOut: true });
  }

  #figure(name: string, value: number): void {
    if (!Number.isFinite(value)) throw new RangeError(`the figure "${name}" is ${value}, no finite number`);
    const { learned, unit } = this.#place ?? { learned: 0, unit: "games" };
    this.#env.emit({ type: "figure", stage: this.#env.stage, name, value, learned, unit });
  }
}

/** Runs code that is a generator, or that gives nothing on and ends with a promise. */
async function* steps(run: () => AsyncIterable<unknown> | Promise<void>): AsyncGenerator {
  const made = run();
  if (Symbol.asyncIterator in made) yield* made;
  else await made;
}

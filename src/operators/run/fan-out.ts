import * as Deferred from "effect/Deferred";
import * as Effect from "effect/Effect";
import * as Exit from "effect/Exit";
import * as Latch from "effect/Latch";
import type * as Scope from "effect/Scope";
import * as Stream from "effect/Stream";
import type { NonEmptyReadonlyArray } from "effect/Array";
import type { Done } from "effect/Cause";

/** One reader of a stream. */
export interface Reader<A, E> {
  readonly stream: Stream.Stream<A, E>;
  /** Says that nothing will be read any more, also if nothing has been read. May be run several times. */
  readonly leave: Effect.Effect<void>;
}

/**
 * Several readers of one stream, each of which gets every item.
 *
 * The source computes its next item only when every reader has asked for one. So nothing is queued and nothing is lost,
 * and all readers are done with the last item: they may share its memory. A reader that ends early no longer counts; when
 * all have ended, `abandon` is run. A fiber of the scope pulls the source, so that a reader that is interrupted while it waits does not affect the others.
 */
export const fanOut = <A, E>(
  source: Stream.Stream<A, E>,
  readers: number,
  abandon: Effect.Effect<void> = Effect.void,
): Effect.Effect<Reader<A, E>[], never, Scope.Scope> =>
  Effect.gen(function* () {
    type Item = NonEmptyReadonlyArray<A>;
    type Delivery = Deferred.Deferred<Item, E | Done>;
    const pull = yield* Stream.toPull(Stream.rechunk(source, 1));
    const demand = Latch.makeUnsafe(false);
    const waiting = new Set<Delivery>();
    let active = readers;
    let ended: Exit.Exit<Item, E | Done> | undefined;
    const judge = () => {
      if (waiting.size > 0 && waiting.size >= active) demand.openUnsafe();
    };
    const serve = Effect.gen(function* () {
      while (ended === undefined) {
        yield* demand.await;
        demand.closeUnsafe();
        // The waiting readers may have been interrupted in the meantime.
        if (waiting.size === 0 || waiting.size < active) continue;
        const exit = yield* Effect.exit(pull);
        if (Exit.isFailure(exit)) ended = exit;
        const served = [...waiting];
        waiting.clear();
        for (const delivery of served) Deferred.doneUnsafe(delivery, exit);
      }
    });
    yield* Effect.forkScoped(serve);
    const next: Effect.Effect<Item, E | Done> = Effect.suspend(() => {
      if (ended !== undefined) return ended;
      const delivery: Delivery = Deferred.makeUnsafe();
      waiting.add(delivery);
      judge();
      return Effect.onInterrupt(Deferred.await(delivery), () => Effect.sync(() => waiting.delete(delivery)));
    });
    return Array.from({ length: readers }, (): Reader<A, E> => {
      let reads = true;
      const leave = Effect.suspend(() => {
        if (!reads) return Effect.void;
        reads = false;
        // Before `judge`, which lets other readers continue at once: they may leave too.
        const last = --active === 0;
        judge();
        return last ? abandon : Effect.void;
      });
      const stream = Stream.fromPull(Effect.succeed(next as never)).pipe(Stream.ensuring(leave));
      return { stream: stream as unknown as Stream.Stream<A, E>, leave };
    });
  });

/**
 * Several readers of a stream of few items that do not change: each gets all of them when it asks, whether or not others
 * have asked. The source is read to its end once, in a fiber of the scope, when the first reader asks; the items are kept.
 */
export const readByAll = <A, E>(
  source: Stream.Stream<A, E>,
  readers: number,
): Effect.Effect<Reader<A, E>[], never, Scope.Scope> =>
  Effect.gen(function* () {
    const scope = yield* Effect.scope;
    const items = yield* Deferred.make<readonly A[], E>();
    let begun = false;
    const all = Effect.suspend(() => {
      if (begun) return Deferred.await(items);
      begun = true;
      return Effect.andThen(
        Effect.forkIn(Deferred.into(Stream.runCollect(source), items), scope),
        Deferred.await(items),
      );
    });
    return Array.from({ length: readers }, () => ({
      stream: Stream.fromEffect(all).pipe(Stream.flatMap(Stream.fromIterable)),
      leave: Effect.void,
    }));
  });

import { Deferred, Effect, type Scope, Stream } from "effect";
import type { NonEmptyReadonlyArray } from "effect/Array";
import type { Done } from "effect/Cause";

/**
 * Several readers of one stream, each of which gets every item.
 *
 * The source is asked for its next item only when every reader has asked for one, so nothing is queued, nothing is
 * lost, and when a source computes its next item all readers are done with the last: they may share its memory.
 * A reader that ends early no longer counts.
 */
export const fanOut = <A, E>(
  source: Stream.Stream<A, E>,
  readers: number,
): Effect.Effect<readonly Stream.Stream<A, E>[], never, Scope.Scope> =>
  Effect.gen(function* () {
    type Answer = Deferred.Deferred<NonEmptyReadonlyArray<A>, E | Done>;
    const pull = yield* Stream.toPull(Stream.rechunk(source, 1));
    let active = readers;
    let waiting: Answer[] = [];
    const pump = Effect.suspend(() => {
      if (waiting.length < active || waiting.length === 0) return Effect.void;
      const served = waiting;
      waiting = [];
      return Effect.flatMap(Effect.exit(pull), (exit) =>
        Effect.sync(() => {
          for (const answer of served) Deferred.doneUnsafe(answer, exit as never);
        }),
      );
    });
    const next = Effect.suspend(() => {
      const answer: Answer = Deferred.makeUnsafe();
      waiting.push(answer);
      return Effect.andThen(pump, Deferred.await(answer));
    });
    const leave = Effect.suspend(() => {
      active--;
      return pump;
    });
    return Array.from({ length: readers }, () =>
      Stream.fromPull(Effect.succeed(next as never)).pipe(Stream.ensuring(leave)),
    ) as unknown as readonly Stream.Stream<A, E>[];
  });

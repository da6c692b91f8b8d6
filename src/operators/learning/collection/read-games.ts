import { moduleBeside } from "../../../module-beside.ts";
import { createHash } from "node:crypto";
import * as Effect from "effect/Effect";
import type * as Scope from "effect/Scope";
import * as Stream from "effect/Stream";
import type { GameConfig } from "../../../games/registry.ts";
import { Requests } from "../../../workers/requests.ts";
import type { Envelope, Reply } from "../../../workers/serve.ts";
import { spawnWorker } from "../../../workers/spawn-worker.ts";
import { WorkerCrashed } from "../../../workers/worker-thread.ts";
import type { FileSum, GamesBatch } from "./batch.ts";
import type { FilterSettings } from "./collection-settings.ts";
import { GameSorter, type KeptGames } from "./kept-games.ts";
import { type LeftOut, LeftOutTally } from "./left-out.ts";
import type { ReadingData, ReadingTask } from "./reading-task.ts";
import { partsOf, type GamesSource, type SourcePart } from "./sources.ts";

/** What is to be read, and how. */
export interface Reading {
  readonly sources: readonly GamesSource[];
  /** The game, with all its options. */
  readonly game: GameConfig;
  readonly players: number;
  readonly filters: FilterSettings;
  /** Whether games are wanted as SGF too. */
  readonly texts: boolean;
  readonly threads: number;
  /** Absolute paths of files that are written meanwhile: in folders they are passed over. */
  readonly written?: readonly string[];
}

/** What is known of a source once it has been read. */
export interface SourceSummary {
  readonly name: string;
  /** Files that were read. */
  readonly files: number;
  /** Of a file: the SHA-256 of its bytes. Of several: that of lines `SHA-256, two blanks, name`, in the order of reading. */
  readonly sha256: string;
}

/** What is known once everything has been read. */
export interface ReadingSummary {
  readonly sources: readonly SourceSummary[];
  readonly games: number;
  readonly positions: number;
  readonly groups: readonly string[];
  /** By reason: how many files and games are left out. */
  readonly leftOut: Readonly<Record<string, number>>;
}

/** Reads sources on worker threads. */
export class GamesReading {
  readonly #reading: Reading;
  readonly #sorter: GameSorter;
  readonly #onLeftOut: (each: LeftOut) => void;
  /** By source: the SHA-256 of its files. */
  readonly #sums = new Map<string, Omit<FileSum, "source">[]>();
  readonly tally = new LeftOutTally();
  #games = 0;
  #positions = 0;

  /** `onLeftOut` receives each file and game that is left out, in the order of the sources. */
  constructor(reading: Reading, onLeftOut: (each: LeftOut) => void = () => undefined) {
    this.#reading = reading;
    this.#sorter = new GameSorter(reading.filters, reading.players);
    this.#onLeftOut = onLeftOut;
    for (const { name } of reading.sources) this.#sums.set(name, []);
  }

  /**
   * The games that are taken, in the order of the sources, for any number of threads. Some tasks for each thread are under
   * way; the others are not begun before. Fails with TooManyGroups, and with what the sources fail with.
   */
  games(): Stream.Stream<KeptGames, Error> {
    return Stream.unwrap(
      Effect.map(this.#threads(), (submit) =>
        Stream.fromAsyncIterable(this.#parts(), asError).pipe(
          Stream.mapEffect(
            (part): Effect.Effect<Result, Error> =>
              "files" in part || "moves" in part ? submit(part) : Effect.succeed(part),
            { concurrency: AHEAD * this.#reading.threads },
          ),
          Stream.mapEffect((result) => Effect.try({ try: () => this.#taken(result), catch: asError })),
          Stream.filter((games): games is KeptGames => games !== undefined),
        ),
      ),
    );
  }

  /** To be called after the last games. */
  summary(): ReadingSummary {
    return {
      sources: [...this.#sums].map(([name, sums]) => ({ name, files: sums.length, sha256: sumOf(sums) })),
      games: this.#games,
      positions: this.#positions,
      groups: this.#sorter.groups,
      leftOut: this.tally.counts(),
    };
  }

  async *#parts(): AsyncGenerator<SourcePart, void, undefined> {
    for (const source of this.#reading.sources)
      yield* partsOf(source, this.#reading.game, this.#reading.written);
  }

  /** Starts the threads; submits tasks to them in turn. */
  #threads(): Effect.Effect<(task: ReadingTask) => Effect.Effect<GamesBatch, Error>, never, Scope.Scope> {
    const { filters, game, texts, threads } = this.#reading;
    const data: ReadingData = { game, filters, texts };
    const start = (number: number) =>
      spawnWorker<Envelope<ReadingTask>, Reply<GamesBatch>>({
        name: `reading ${number}`,
        module: moduleBeside("game-reader-worker", import.meta.url),
        data,
      });
    return Effect.map(
      Effect.forEach(
        Array.from({ length: threads }, (_, number) => number),
        start,
      ),
      (started) => {
        const all = started.map((thread) => ({
          requests: new Requests<ReadingTask, GamesBatch>(thread),
          open: 0,
        }));
        return (task) => {
          const least = all.reduce((a, b) => (b.open < a.open ? b : a));
          least.open++;
          return least.requests
            .submit(task, { onError: (message) => new WorkerCrashed({ thread: "reading", reason: message }) })
            .pipe(Effect.ensuring(Effect.sync(() => void least.open--)));
        };
      },
    );
  }

  #taken(result: Result): KeptGames | undefined {
    if (!("lengths" in result)) {
      if ("sum" in result) this.#sum(result.sum);
      else this.#leaveOut(result.leftOut);
      return undefined;
    }
    for (const each of result.leftOut) this.#leaveOut(each);
    for (const [reason, count] of result.more) {
      const why = "further ones like it are only counted";
      this.tally.add({ where: result.leftOut.at(-1)!.where, reason, why }, count);
    }
    for (const each of result.sums) this.#sum(each);
    const kept = this.#sorter.take(result, (each) => this.#leaveOut(each));
    this.#games += kept.lengths.length;
    this.#positions += kept.moves.length;
    return kept;
  }

  #leaveOut(each: LeftOut): void {
    this.tally.add(each);
    this.#onLeftOut(each);
  }

  #sum({ source, ...sum }: FileSum): void {
    this.#sums.get(source)!.push(sum);
  }
}

/** What a part of a source has given. */
type Result = GamesBatch | Exclude<SourcePart, ReadingTask>;

/** Tasks under way for each thread: one is read, and one waits. */
const AHEAD = 2;

function sumOf(sums: readonly Omit<FileSum, "source">[]): string {
  if (sums.length === 1) return sums[0]!.sha256;
  const sum = createHash("sha256");
  for (const { label, sha256 } of sums) sum.update(`${sha256}  ${label}\n`);
  return sum.digest("hex");
}

function asError(error: unknown): Error {
  return error instanceof Error ? error : new Error(String(error));
}

import type * as Effect from "effect/Effect";
import type * as Scope from "effect/Scope";
import type * as Stream from "effect/Stream";
import { Type, type Static, type TObject, type TProperties } from "../schema.ts";
import type { Diagnosis } from "../diagnosis/diagnosis.ts";
import type { RunEvent } from "../events/event.ts";
import type { ValueKind } from "../games/outcome.ts";
import type { StoredGame } from "../formats/game-records.ts";
import type { Difference } from "../search/expected-game.ts";
import type { PlannedGame } from "./play/game-task.ts";
import type { PlayGame } from "./play/play-holding.ts";
import type { ExamplesConfig } from "./play/examples/examples.ts";
import type { FlowSource } from "./run/flow-meter.ts";
import type { Complaint } from "./run/complaint.ts";
import type { ItemKind, Items } from "./run/items.ts";
import type { RunError } from "./run/run-error.ts";
import type { RunFiles } from "./run/run-files.ts";
import type { StageClock } from "./run/stage-clock.ts";
import type { OpenExperiment } from "./experiment/open-experiment.ts";
import type { OpeningsOf } from "./play/openings/opening-database.ts";
import type { StartsRead } from "./run/weights/net-weights.ts";
import type { StageActivity } from "./run/stage-activity.ts";
import type { StageWork } from "./run/stage-work.ts";
import type { StopSignal } from "./run/stop-signal.ts";
import type { WeightsBoard } from "./run/weights/weights-board.ts";

/** An input of an operator: in YAML its name is a key whose value is the name of another stage. */
export interface Port {
  readonly kind: ItemKind;
  readonly description: string;
  readonly optional?: true;
}

/** What a trial before the run found out about a stage: a diagnosis, or in a note that the trial was left out. */
export type Foreseen = {
  /** The setting that it is about, or a place in it; absent: the stage. */
  readonly key?: string;
} & (Omit<Diagnosis, "where"> | { readonly note: string });

/** What is known, before the run starts, of the games that a stage plays. */
export interface GamesOffer {
  /** The agent that learns from the games (a name under agents). They are played for what its net values. */
  readonly agent: string;
  /** The kind of the values in the examples, if it is not that for which the agent plays. */
  readonly values?: ValueKind;
  /** The share of the games that nothing learns from; absent if all are learned from. */
  readonly heldOut?: number;
  /** What the examples made of the games hold. */
  readonly examples: ExamplesConfig;
  /** Games of the whole run. */
  readonly games: number;
  /** Games of one generation. */
  readonly generation: number;
  /** Whether an arena can let the stage end after any generation. */
  readonly endsEarly?: true;
}

/** What is known, before the run starts, of a buffer of examples. */
export interface ReplayOffer {
  /** The games that its examples are of, if they are known. */
  readonly games: GamesOffer | undefined;
  /** The most examples that are kept; undefined if nothing bounds their number. */
  readonly capacity: number | undefined;
  /** Generations at the start from which nothing is learned, because they only fill the buffer. */
  readonly onlyFilling: number;
}

/** What is known, before the run starts, of versions of weights. */
export interface WeightsOffer {
  /** The net (a name under nets). */
  readonly net: string;
  /** Number of versions after the first one that equal it, because they only fill a buffer. */
  readonly filling: number;
  /** Versions that something is learned for, in the whole run; undefined if the games are not known. */
  readonly trainings: number | undefined;
  /** Whether an arena can end the games that are learned from: see `GamesOffer`. */
  readonly endsEarly?: true;
  /** Positions that a step learns from, if learning is counted in steps over positions of recorded games. */
  readonly positions?: number;
}

/** What is known of a stage's output before the run starts, by the kind of the output. */
export interface Offers {
  readonly games: GamesOffer;
  readonly replay: ReplayOffer;
  readonly weights: WeightsOffer;
  readonly openings: OpeningsOf;
}

/** A stage as checks, drawings and replays see it, before anything runs. */
export interface StageView {
  readonly name: string;
  readonly opened: OpenExperiment;
  /** The folder of the run, if an earlier part of the run has left it. */
  readonly folder?: string;
  /** The name of the stage behind each port that is connected to a stage of the right kind. */
  readonly inputs: Readonly<Record<string, string>>;
  /** What the stage behind a port offers; undefined if the port is not connected or nothing is known. */
  readonly offered: <K extends keyof Offers>(port: string, kind: K) => Offers[K] | undefined;
}

/** A recorded game of a stage that is to be played once more. */
export interface RecordedGame {
  readonly view: StageView;
  readonly record: StoredGame;
  /** The files of the run that the game is from. */
  readonly files: RunFiles;
}

/**
 * The weights that a recorded game was played with, identified by its record's number `generation`: the version with this
 * number, the weights after so much learning, or the last weights of the run.
 */
export type WeightsOfGame = "version" | "learned" | "last";

/** Plays a game on this thread with stored weights; returns where it first differs from the record. */
export type PlayAgain = (game: PlannedGame, weights: WeightsOfGame) => Difference | undefined;

/** What a stage receives when it is built. */
export interface StageEnv {
  readonly stage: string;
  readonly opened: OpenExperiment;
  readonly offered: StageView["offered"];
  readonly emit: (event: RunEvent) => void;
  readonly files: RunFiles;
  readonly starts: StartsRead;
  readonly stop: StopSignal;
  /** Says what the stage does now. The games that it plays are counted without its help. */
  readonly activity: StageActivity;
  /** Plays its games. */
  readonly play: PlayGame;
  readonly board: WeightsBoard;
  /** Records what the stage does when. Its streams and its games are metered already; the stage meters its waits for weights. */
  readonly clock: Pick<StageClock, "heldUp" | "waiting">;
  /** Adds a source of facts about what the stage holds and what its threads do. They are emitted each second. */
  readonly addFlowSource: (source: FlowSource) => void;
}

/** The streams that lead into a stage, by port. */
export type Inputs<I extends Readonly<Record<string, Port>>> = {
  readonly [K in keyof I]:
    | Stream.Stream<Items[I[K]["kind"]], RunError>
    | (I[K] extends { optional: true } ? undefined : never);
};

/**
 * One kind of stage: its settings, its ports, and the stream that it makes of its inputs.
 *
 * What other files need to know of a stage, its operator declares: no other file names an operator.
 */
export interface Operator<
  P extends TProperties = TProperties,
  I extends Readonly<Record<string, Port>> = Readonly<Record<string, Port>>,
  O extends ItemKind = ItemKind,
> {
  /** The name in YAML. */
  readonly use: string;
  readonly description: string;
  /** A complete stage in YAML, for the catalogue; a test checks that it is valid. */
  readonly example: string;
  readonly settings: P;
  readonly inputs: I;
  readonly output: O;
  /** The key of `settings` that names the net this stage learns, if it learns one. */
  readonly learns?: string;
  /** The type of the event with the result of each round, if the stage measures something. */
  readonly resultEvent?: RunEvent["type"];
  readonly check?: (settings: Static<TObject<P>>, view: StageView) => readonly Complaint[];
  /** Bounds and threads, for `ludoflow graph`: `at most 64 finished games wait`. */
  readonly bounds: (settings: Static<TObject<P>>, view: StageView) => readonly string[];
  /** The agents that play games for the stage (names under agents). */
  readonly agents?: (settings: Static<TObject<P>>) => readonly string[];
  /** The files outside of the run that the stage reads each time the run continues; a run whose files have changed is refused. */
  readonly readsAgain?: (settings: Static<TObject<P>>) => readonly string[];
  /** True if these games are played on threads of the stage's own, not on the run's play host. */
  readonly playsItself?: true;
  /** True if `schedule` changes which weights the stage plays with. */
  readonly scheduled?: true;
  /** Whether it plays while learning continues, and not only with the last weights; for stages with an input of weights. */
  readonly playsMeanwhile?: (settings: Static<TObject<P>>) => boolean;
  /** How many threads change the same weights at once, each without waiting for the others; absent: one. */
  readonly sharedBy?: (settings: Static<TObject<P>>) => number;
  /**
   * Whether it fixes numbers by times that it measures before its games: a run is then a function of its experiment and of the
   * record of these numbers.
   */
  readonly measuresTime?: (settings: Static<TObject<P>>) => boolean;
  /** Whether it may end learning before all games are played. */
  readonly endsLearning?: (settings: Static<TObject<P>>) => boolean;
  /** How much it has to do in the whole run; absent if its time is negligible or unknown. */
  readonly work?: (settings: Static<TObject<P>>, view: StageView) => StageWork | undefined;
  /**
   * What shows before the run that it will not learn: parts of the stage are tried, which takes at most two seconds of processor
   * time or so.
   */
  readonly foresees?: (
    settings: Static<TObject<P>>,
    view: StageView,
  ) => readonly Foreseen[] | Promise<readonly Foreseen[]>;
  /** The settings with which the speed of its learning is measured, if a step by its own can take long. */
  readonly trial?: (settings: Static<TObject<P>>) => Static<TObject<P>>;
  /** What is known of its output before the run starts. */
  readonly offers?: (
    settings: Static<TObject<P>>,
    view: StageView,
  ) => (O extends keyof Offers ? Offers[O] : never) | undefined;
  /**
   * Of a stage that learns: the first version whose weights equal those of `version`; absent if every version has
   * weights of its own.
   */
  readonly firstEqual?: (version: number, view: StageView) => number;
  /** Plays a recorded game once more; returns where it first differs. Absent if the stage records no games. */
  readonly replay?: (
    settings: Static<TObject<P>>,
    game: RecordedGame,
    play: PlayAgain,
  ) => Difference | undefined;
  readonly build: (
    settings: Static<TObject<P>>,
    inputs: Inputs<I>,
    env: StageEnv,
  ) => Effect.Effect<Stream.Stream<Items[O], RunError>, RunError, Scope.Scope>;
}

/** The settings that these schemas describe, as a stage's code sees them. */
export type SettingsOf<P extends TProperties> = Static<TObject<P>>;

/** An operator whose types have been forgotten, as registries hold it. */
export interface AnyOperator extends Pick<
  Operator,
  | "use"
  | "description"
  | "example"
  | "output"
  | "learns"
  | "resultEvent"
  | "playsItself"
  | "scheduled"
  | "firstEqual"
> {
  readonly settings: TProperties;
  readonly inputs: Readonly<Record<string, Port>>;
  check?(settings: unknown, view: StageView): readonly Complaint[];
  bounds(settings: unknown, view: StageView): readonly string[];
  agents?(settings: unknown): readonly string[];
  readsAgain?(settings: unknown): readonly string[];
  playsMeanwhile?(settings: unknown): boolean;
  sharedBy?(settings: unknown): number;
  measuresTime?(settings: unknown): boolean;
  endsLearning?(settings: unknown): boolean;
  work?(settings: unknown, view: StageView): StageWork | undefined;
  foresees?(settings: unknown, view: StageView): readonly Foreseen[] | Promise<readonly Foreseen[]>;
  trial?(settings: unknown): unknown;
  offers?(settings: unknown, view: StageView): Offers[keyof Offers] | undefined;
  replay?(settings: unknown, game: RecordedGame, play: PlayAgain): Difference | undefined;
  build(
    settings: unknown,
    inputs: Readonly<Record<string, Stream.Stream<any, RunError>>>,
    env: StageEnv,
  ): Effect.Effect<Stream.Stream<any, RunError>, RunError, Scope.Scope>;
}

/** Declares an operator; the types of settings and inputs follow from its own description. */
export const operator = <
  P extends TProperties,
  const I extends Readonly<Record<string, Port>>,
  const O extends ItemKind,
>(
  definition: Operator<P, I, O>,
): Operator<P, I, O> => definition;

/** The whole YAML schema of a stage of this operator: `use`, its ports and its settings, nothing else. */
export function stageSchema(op: AnyOperator): TObject {
  const ports = Object.fromEntries(
    Object.entries(op.inputs).map(([port, { description, kind, optional }]) => {
      const what = description.replace(/\.$/, "");
      const name = Type.String({ description: `${what} (the name of a stage that gives ${kind}).` });
      return [port, optional ? Type.Optional(name) : name];
    }),
  );
  return Type.Object(
    { use: Type.Literal(op.use, { description: op.description }), ...ports, ...op.settings },
    { additionalProperties: false, description: op.description },
  );
}

import type * as Effect from "effect/Effect";
import type * as Scope from "effect/Scope";
import type * as Stream from "effect/Stream";
import { Type, type Static, type TObject, type TProperties } from "../schema.ts";
import type { RunEvent } from "../events/event.ts";
import type { GamePlayers } from "./play/game-players.ts";
import type { ItemKind, Items } from "./run/items.ts";
import type { RunError } from "./run/run-error.ts";
import type { RunFiles } from "./run/run-files.ts";
import type { OpenExperiment } from "./experiment/open-experiment.ts";
import type { StartsRead } from "./training/starting-point.ts";
import type { StopSignal } from "./run/stop-signal.ts";
import type { WeightsBoard } from "./training/weights-board.ts";

/** An input of an operator: in YAML its name is a key whose value is the name of another stage. */
export interface Port {
  readonly kind: ItemKind;
  readonly description: string;
  readonly optional?: true;
}

/**
 * Something wrong with a stage that a schema cannot say. `key` is the setting of the stage it is about, or a place in
 * it: `agents/1`.
 */
export type Complaint = { readonly key?: string; readonly message: string } | UnknownName;

/** A complaint about a name that nothing in the experiment has. */
export interface UnknownName {
  readonly key: string;
  /** What the name should be of: `net`, `agent`. */
  readonly what: string;
  readonly unknown: string;
  readonly known: readonly string[];
}

/** The complaint about a setting that names one of `among`, where it does not. */
export function complainUnknown(
  key: string,
  what: string,
  name: string,
  among: Readonly<Record<string, unknown>>,
): UnknownName[] {
  return Object.hasOwn(among, name) ? [] : [{ key, what, unknown: name, known: Object.keys(among) }];
}

/** The stages of an experiment as the checks see them: settings by name, and what each port leads to. */
export interface StageView {
  readonly name: string;
  readonly opened: OpenExperiment;
  /** The folder of the run, where an earlier part of it is there. */
  readonly folder?: string;
  /** The settings of another stage, where it exists and is of the operator named. */
  readonly upstream: (port: string) => { readonly use: string; readonly [key: string]: unknown } | undefined;
}

/** What a stage is given when it is built. */
export interface StageEnv {
  readonly stage: string;
  readonly opened: OpenExperiment;
  readonly emit: (event: RunEvent) => void;
  readonly files: RunFiles;
  readonly starts: StartsRead;
  readonly stop: StopSignal;
  readonly players: GamePlayers;
  readonly board: WeightsBoard;
}

/** The streams that lead into a stage, by port. */
export type Inputs<I extends Readonly<Record<string, Port>>> = {
  readonly [K in keyof I]:
    | Stream.Stream<Items[I[K]["kind"]], RunError>
    | (I[K] extends { optional: true } ? undefined : never);
};

/** One kind of stage: its settings, its ports, and the stream it makes of its inputs. */
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
  /** The key of `settings` that names the net this stage learns, where it learns one. */
  readonly learns?: string;
  readonly check?: (settings: Static<TObject<P>>, view: StageView) => readonly Complaint[];
  /** Bounds and threads, for `ludoflow graph`: `at most 64 finished games wait`. */
  readonly bounds: (settings: Static<TObject<P>>, view: StageView) => readonly string[];
  readonly build: (
    settings: Static<TObject<P>>,
    inputs: Inputs<I>,
    env: StageEnv,
  ) => Effect.Effect<Stream.Stream<Items[O], RunError>, RunError, Scope.Scope>;
}

/** The settings that these schemas describe, as a stage's code sees them. */
export type SettingsOf<P extends TProperties> = Static<TObject<P>>;

/** An operator whose types have been forgotten, as registries hold it. */
export interface AnyOperator extends Pick<Operator, "use" | "description" | "example" | "output" | "learns"> {
  readonly settings: TProperties;
  readonly inputs: Readonly<Record<string, Port>>;
  check?(settings: unknown, view: StageView): readonly Complaint[];
  bounds(settings: unknown, view: StageView): readonly string[];
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
      const name = Type.String({ description: `${description} (the name of a stage that gives ${kind})` });
      return [port, optional ? Type.Optional(name) : name];
    }),
  );
  return Type.Object(
    { use: Type.Literal(op.use, { description: op.description }), ...ports, ...op.settings },
    { additionalProperties: false, description: op.description },
  );
}

import type { Static, TObject } from "../schema.ts";
import type { Game, Planes } from "../games/game.ts";
import type { ValueKind } from "../games/outcome.ts";
import { judgedEvaluator } from "../games/judged-evaluator.ts";
import { cnn22 } from "./nets/cnn22.ts";
import { convolutional } from "./nets/convolutional.ts";
import { type NetDefinition, type NetOptions, planesOf } from "./definition.ts";
import { linear } from "./linear/linear.ts";
import { linearPolicy } from "./linear/linear-policy.ts";
import { mlp } from "./nets/mlp.ts";
import type { Net } from "./net.ts";
import { onnx } from "./onnx/onnx.ts";
import { nTuple } from "./n-tuple/n-tuple.ts";
import { residual } from "./nets/residual.ts";
import type { OpenTables, TablesDefinition } from "./tables.ts";

/** Value tables opened for a game: the other kind of `OpenNet`. */
export type { OpenTables } from "./tables.ts";

/** A net or value function opened for a game. */
export type OpenNet = OpenNetwork | OpenTables;

/** A net opened for a game. */
export interface OpenNetwork {
  readonly kind: "network";
  /** The name after `use:`. */
  readonly use: string;
  readonly hasPolicy: boolean;
  /** Whether it predicts values. Without a value head all its values are 0. */
  readonly hasValue: boolean;
  /** The kind of value that it predicts. A search that uses it plays for the same kind (see `playedFor`). */
  readonly values: ValueKind;
  /** Its input planes. */
  readonly planes: Planes<any>;
  readonly net: Net;
}

const all = [cnn22, residual, convolutional, mlp, onnx, nTuple, linear, linearPolicy] as (
  | NetDefinition
  | TablesDefinition
)[];

/** The nets and value functions, in the order of the catalogue: those of this project, then those of plug-ins. */
export const nets: readonly (NetDefinition | TablesDefinition)[] = all;

/** Adds a net of a plug-in to the nets of this thread. No other one may have its name. */
export function addNet(net: NetDefinition): void {
  all.push(net);
}

/** Whether nets of this name are value functions or policies on tables. */
export function isOnTables(use: string): boolean {
  return nets.some((definition) => definition.name === use && "open" in definition);
}

/** Whether the nets of a definition are computed by graphs of this project, which can be in 8-bit integers. */
export function hasOwnGraph(definition: NetDefinition | TablesDefinition): boolean {
  return "build" in definition && definition.withContent === undefined;
}

/** Whether a net can start from the weights of a net with other options. */
export function takesWeightsOf(
  { use, ...options }: { readonly use: string },
  { use: other, ...saved }: { readonly use: string },
): boolean {
  const definition = nets.find(({ name }) => name === use);
  return (
    other === use &&
    definition !== undefined &&
    "open" in definition &&
    definition.takesWeightsOf?.(options, saved) === true
  );
}

/** Whether a net of this kind is read from a file that no run keeps. */
export function isOfFile(use: string): boolean {
  return nets.some((definition) => definition.name === use && "withContent" in definition);
}

/**
 * The options of a net that is read from a file, with the digest of the file's content. Returns the given options for other
 * nets, and if the file cannot be read: opening the net reports that error.
 */
export function withContent(
  use: unknown,
  options: Readonly<Record<string, unknown>>,
): Readonly<Record<string, unknown>> {
  const definition = nets.find((each) => each.name === use);
  if (definition === undefined || !("withContent" in definition)) return options;
  try {
    return { ...options, ...definition.withContent?.(options) };
  } catch {
    return options;
  }
}

/**
 * Opens the net `use` for a game, with checked and complete options. `called` is what messages call it. The values of tables are
 * judged where they are given (`judgedEvaluator`). Throws NetDoesNotFit.
 */
export function openNet<S>(
  use: string,
  game: Game<S>,
  options: Readonly<Record<string, unknown>>,
  called = `the net ${use}`,
): OpenNet {
  const definition = nets.find((each) => each.name === use);
  if (definition === undefined) throw new RangeError(`no net is called ${use}`);
  const checked = options as Required<Static<TObject>>;
  if ("open" in definition) {
    const open = definition.open(game, checked);
    if (open.evaluator === undefined) return open;
    return { ...open, evaluator: (tables) => judgedEvaluator(game, open.evaluator!(tables), called) };
  }
  const { planes, values } = options as unknown as NetOptions;
  const heads = definition.heads(checked);
  return {
    kind: "network",
    use,
    hasPolicy: heads.policy,
    hasValue: heads.value,
    values,
    planes: planesOf(game, use, planes),
    net: definition.build(game, checked),
  };
}

import type * as Effect from "effect/Effect";
import type * as Scope from "effect/Scope";
import { Type, type Static, type TObject, type TProperties } from "../../schema.ts";
import type { OpenExperiment } from "../experiment/open-experiment.ts";
import type { Complaint } from "../run/complaint.ts";
import type { RunError } from "../run/run-error.ts";
import type { WeightsOf } from "../run/weights/weights-board.ts";

/** One service of a run: its name in the graph, or a name made for it if the file does not name it. */
export interface ServiceInstance<C> {
  readonly name: string;
  readonly settings: C;
}

/**
 * Something that threads send requests to, in place of a stream that a stage reads. In YAML it is among the stages
 * of `graph`; in the code it is not an operator: it has no ports, and a play host opens it, not the graph.
 *
 * `P` are the schemas of its settings; `S` is what it gives once it is open.
 */
export interface Service<P extends TProperties = TProperties, S = unknown> {
  /** The name in YAML. */
  readonly use: string;
  readonly description: string;
  /** A complete entry of `graph` in YAML, for the catalogue; a test checks that it is valid. */
  readonly example: string;
  readonly settings: P;
  /** What requests to it hold, for `ludoflow graph`: `positions`. */
  readonly requests: string;
  readonly check?: (settings: Static<TObject<P>>, opened: OpenExperiment) => readonly Complaint[];
  /** Bounds and threads, for `ludoflow graph`. */
  readonly bounds: (settings: Static<TObject<P>>) => readonly string[];
  /** The instances that a run of this experiment has: those that it needs, whether its file names them or not. */
  readonly instances: (opened: OpenExperiment) => readonly ServiceInstance<Static<TObject<P>>>[];
  /** Opens an instance; its threads end with the scope. `weightsOf` gives it versions of nets' weights; `warn` receives what a user should know. */
  readonly open: (
    settings: Static<TObject<P>>,
    opened: OpenExperiment,
    weightsOf: WeightsOf,
    warn?: (message: string) => void,
  ) => Effect.Effect<S, RunError, Scope.Scope>;
}

/** A service whose types have been forgotten, as registries hold it. */
export interface AnyService extends Pick<Service, "use" | "description" | "example" | "requests"> {
  readonly settings: TProperties;
  check?(settings: unknown, opened: OpenExperiment): readonly Complaint[];
  bounds(settings: unknown): readonly string[];
  instances(opened: OpenExperiment): readonly ServiceInstance<unknown>[];
}

/** Declares a service; the type of its settings follows from its own description. */
export const service = <P extends TProperties, S>(definition: Service<P, S>): Service<P, S> => definition;

/** The whole YAML schema of a service: `use` and its settings, nothing else. */
export function serviceSchema({ use, description, settings }: AnyService): TObject {
  return Type.Object(
    { use: Type.Literal(use, { description }), ...settings },
    { additionalProperties: false, description },
  );
}

import { operator } from "../operators/operator.ts";
import { type Definition, definition } from "./definition.ts";
import { type Options, schemaOf } from "./options.ts";
import { runStage } from "./run-stage.ts";
import type { StageDescription } from "./stage-description.ts";
import type { StageItemKind } from "./stage-items.ts";

/** Defines a stage: the default export of a plug-in. */
export function defineStage<const K extends StageItemKind, const O extends Options = {}>(
  stage: StageDescription<K, O>,
): Definition {
  const { name, description, settings = {} as O, reads, gives } = stage;
  const made = operator({
    use: name,
    description,
    example: `stage: { use: ${name}, from: ${reads} }`,
    settings: schemaOf(settings).properties,
    inputs: { from: { kind: reads, description: "The stage that it reads" } },
    output: gives === undefined ? "results" : "games",
    bounds: () => [],
    ...(gives === undefined ? {} : { offers: (_settings, { offered }) => offered("from", "games") }),
    build: (values, { from }, env) => runStage(stage, values, from, env),
  });
  return definition("stage", name, made);
}

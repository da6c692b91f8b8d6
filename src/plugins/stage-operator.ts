import { type AnyOperator, operator } from "../operators/operator.ts";
import { schemaOf } from "../definitions/options.ts";
import { runStage } from "./run-stage.ts";
import type { StageDescription } from "./stage-description.ts";

/** The operator that runs a stage of one's own. */
export function stageOperator(stage: StageDescription<any, any>): AnyOperator {
  const { name, description, settings = {}, reads, gives } = stage;
  return operator({
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
}

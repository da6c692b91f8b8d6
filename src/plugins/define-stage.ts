import {
  aFunction,
  anObject,
  assertDefinition,
  common,
  type Fields,
  oneOf,
  optional,
  optionProblems,
} from "../definitions/assert-definition.ts";
import { type Definition, definition } from "../definitions/definition.ts";
import type { Options } from "../definitions/options.ts";
import type { StageDescription } from "./stage-description.ts";
import type { StageItemKind } from "./stage-items.ts";

const kinds = ["games", "weights", "collection"] as const satisfies readonly StageItemKind[];

const fields: Fields<keyof StageDescription<any, any>> = {
  ...common,
  settings: optional(anObject),
  reads: oneOf(...kinds),
  gives: optional(oneOf("games")),
  run: aFunction,
};

/** Defines a stage: the default export of a plug-in. It becomes an operator when the plug-in is loaded (`stageOperator`). */
export function defineStage<const K extends StageItemKind, const O extends Options = {}>(
  stage: StageDescription<K, O>,
): Definition {
  assertDefinition<StageDescription<K, O>>(defineStage, stage, fields, ({ gives, reads, settings }) => [
    ...optionProblems(settings, "settings", ["use", "from"]),
    ...(gives !== undefined && reads !== "games" ? ['only a stage that reads "games" gives "games"'] : []),
  ]);
  return definition("stage", stage.name, stage);
}

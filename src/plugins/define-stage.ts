import { type Definition, definition } from "./definition.ts";
import type { Options } from "./options.ts";
import type { StageDescription } from "./stage-description.ts";
import type { StageItemKind } from "./stage-items.ts";

/** Defines a stage: the default export of a plug-in. It becomes an operator where the plug-in is loaded (`stageOperator`). */
export function defineStage<const K extends StageItemKind, const O extends Options = {}>(
  stage: StageDescription<K, O>,
): Definition {
  return definition("stage", stage.name, stage);
}

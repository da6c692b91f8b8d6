import { type GameConfig, openConfiguredGame } from "../../games/registry.ts";
import { readCheckpoint } from "../../operators/run/weights/checkpoint-files.ts";
import { part } from "../../operators/run/weights/named-tensors.ts";
import { AgentInvalid } from "./agent-invalid.ts";

/** A linear value function as plain numbers. */
export interface LinearWeights {
  readonly game: GameConfig;
  /** In the order of the game's features. */
  readonly weights: readonly number[];
}

/** The weights of a checkpoint of a linear value function. Throws AgentInvalid for other nets, FileCorrupt. */
export function linearWeights(checkpoint: string): LinearWeights {
  const { game, net, tensors } = readCheckpoint(checkpoint);
  const { use } = net as { readonly use: string };
  const { rules, ...options } = game as GameConfig;
  const opened = openConfiguredGame(rules, options);
  const count = opened.game.linear?.features?.names.length;
  const stored = part(tensors, "weights/").get("weights");
  if (use !== "linear" || stored === undefined || stored.length !== count)
    throw new AgentInvalid(
      `${checkpoint} has a net of kind "${use}"; a page alone holds a linear value function (use: linear), which has few weights`,
    );
  return { game: opened.config, weights: [...stored] };
}

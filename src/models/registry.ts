import type { Static, TObject } from "typebox";
import type { Game } from "../games/game.ts";
import { cnn22 } from "./cnn22.ts";
import type { NetDefinition } from "./definition.ts";
import { mlp } from "./mlp.ts";
import type { Net } from "./net.ts";
import { residual } from "./residual.ts";

/** A net opened for a game. */
export interface OpenNet {
  readonly kind: "network";
  /** The name after `use:`. */
  readonly use: string;
  readonly hasPolicy: boolean;
  readonly net: Net;
}

/** The nets, in the order of the catalogue. */
export const nets: readonly NetDefinition[] = [cnn22, residual, mlp] as readonly NetDefinition[];

/** Opens the net `use` for a game; options are checked and complete. Fails where the net does not fit the game. */
export function openNet<S>(use: string, game: Game<S>, options: Readonly<Record<string, unknown>>): OpenNet {
  const definition = nets.find((each) => each.name === use);
  if (definition === undefined) throw new RangeError(`no net is called ${use}`);
  const checked = options as Required<Static<TObject>>;
  return {
    kind: "network",
    use,
    hasPolicy: definition.heads(checked).policy,
    net: definition.build(game, checked),
  };
}

import type { Game, Grouping } from "../../games/game.ts";
import type { Random } from "../../random.ts";

/** A position of a grouped game: the position of the game itself, and the group chosen in it, or -1. */
export interface GroupedState<S> {
  readonly inner: S;
  group: number;
}

/**
 * A game in which, wherever a grouping applies, the mover chooses a group of its actions first and then an action of
 * the group. So a search tree of this game has a layer of group nodes.
 *
 * Group g is action `game.actions + g`. A group with a single action is replaced by that action, and a group with all
 * actions is skipped. So with one group, or with one action in each group, the grouped game is the game itself.
 * Playouts use the game's `playouts`, which know no groups; without them they draw a group first. Of the game's
 * optional abilities it keeps chance, playouts, preference, passes and deal index only.
 */
export function groupedGame<S>(game: Game<S>, grouping: Grouping<S>): Game<GroupedState<S>> {
  const { actions, chance, maxLegal, playouts } = game;
  const { preference, deal, passes } = game.search ?? {};
  const list = new Int32Array(maxLegal);
  /** By group: the number of the listed actions that are in it. */
  const members = new Int32Array(grouping.groups);
  const legal = ({ inner, group }: GroupedState<S>, out: Int32Array): number => {
    const all = game.legal(inner, out);
    if (game.toMove(inner) < 0 || !grouping.applies(inner)) return all;
    let count = 0;
    if (group >= 0) {
      for (let i = 0; i < all; i++) if (grouping.group(out[i]!) === group) out[count++] = out[i]!;
      return count;
    }
    members.fill(0);
    for (let i = 0; i < all; i++) members[grouping.group(out[i]!)]!++;
    if (members[grouping.group(out[0]!)] === all) return all;
    for (let i = 0; i < all; i++) if (members[grouping.group(out[i]!)] === 1) out[count++] = out[i]!;
    for (let g = 0; g < grouping.groups; g++) if (members[g]! > 1) out[count++] = actions + g;
    return count;
  };
  const drawMember = (state: GroupedState<S>, random: Random) => list[random.below(legal(state, list))]!;
  return {
    name: game.name,
    players: game.players,
    actions: actions + grouping.groups,
    maxLegal,
    returnBounds: game.returnBounds,
    initial: () => ({ inner: game.initial(), group: -1 }),
    toMove: ({ inner }) => game.toMove(inner),
    legal,
    play(state, action) {
      if (action >= actions && game.toMove(state.inner) >= 0) {
        state.group = action - actions;
        return;
      }
      state.group = -1;
      game.play(state.inner, action);
    },
    copy(from, into) {
      game.copy(from.inner, into.inner);
      into.group = from.group;
    },
    returns: ({ inner }, out) => game.returns(inner, out),
    notation: {
      format: ({ inner }, action) =>
        action >= actions ? `group ${action - actions}` : game.notation.format(inner, action),
      parse: ({ inner }, text) => game.notation.parse(inner, text),
      position: ({ inner }) => game.notation.position(inner),
      parsePosition(text) {
        const reading = game.notation.parsePosition(text);
        return "error" in reading ? reading : { state: { inner: reading.state, group: -1 } };
      },
    },
    drawing: { text: ({ inner }) => game.drawing.text(inner), svg: ({ inner }) => game.drawing.svg(inner) },
    ...(chance === undefined
      ? {}
      : {
          chance: {
            outcomes: ({ inner }, out, probabilities) => chance.outcomes(inner, out, probabilities),
            sample: ({ inner }, random) => chance.sample(inner, random),
          },
        }),
    ...(playouts === undefined
      ? {}
      : {
          playouts: {
            uniform: (state, random) =>
              state.group < 0 ? playouts.uniform(state.inner, random) : drawMember(state, random),
            preferred: (state, random) =>
              state.group < 0 ? playouts.preferred(state.inner, random) : drawMember(state, random),
          },
        }),
    search: {
      ...(preference === undefined
        ? {}
        : { preference: (action) => (action < actions ? preference(action) : 0) }),
      ...(deal === undefined ? {} : { deal: ({ inner }) => deal(inner) }),
      ...(passes === undefined
        ? {}
        : {
            passes: {
              pass: passes.pass,
              settles: ({ inner }, action) => action >= actions || passes.settles(inner, action),
            },
          }),
    },
  };
}

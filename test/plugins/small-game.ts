/** The source of a plug-in with a small game of this name; `more` are further keys of its rules. */
export const small = (name: string, more = "") => `import { defineGame, OVER } from "ludoflow";
export default defineGame({
  name: "${name}", description: "Two moves.", players: 2,
  create: (_, rules) => rules({
    actions: 2,
    initial: () => ({ plies: 0, taken: [] as number[] }),
    toMove: (state) => (state.plies === 2 ? OVER : state.plies),
    legal: (state, out) => { out[0] = 0; out[1] = 1; return state.plies === 2 ? 0 : 2; },
    play: (state, action) => { state.plies++; state.taken.push(action); },
    copy: (from, into) => { into.plies = from.plies; into.taken = [...from.taken]; },
    returns: (state, out) => { out[0] = state.taken[0] === 1 ? 1 : 0; out[1] = 1 - out[0]; },
    ${more}
  }),
});
`;

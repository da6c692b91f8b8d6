import { Markup } from "../../figures/markup.ts";

/** The additions to the style sheet for pages of games: a row of plies, and below it the chosen one. */
export const gameStyle = new Markup(`
main, footer { max-width: 1080px; } #course { max-width: 820px; }
.hint { color: var(--muted); font-size: .9rem; margin: .2rem 0 .7rem; }
.plies { display: flex; flex-wrap: wrap; gap: 3px; }
.plies > input { appearance: none; order: 0; width: 15px; height: 22px; margin: 0; border-radius: 3px; background: var(--c, var(--muted)); opacity: .38; cursor: pointer; }
.plies > input:hover { opacity: .7; } .plies > input:checked { opacity: 1; outline: 2px solid var(--ink); outline-offset: 1px; }
.plies > article { order: 1; flex: 1 0 100%; display: none; gap: 1.6rem; padding-top: 1rem; align-items: flex-start; }
.plies > input:checked + article { display: flex; }
.seat-0 { --c: var(--seat-0); } .seat-1 { --c: var(--seat-1); } .seat-2 { --c: var(--seat-2); } .seat-3 { --c: var(--seat-3); }
.seat-4 { --c: var(--series-4); } .seat-5 { --c: var(--series-5); } .chance { --c: var(--muted); }
#course { --series-0: var(--seat-edge-0); --series-1: var(--seat-edge-1); --series-2: var(--seat-edge-2); --series-3: var(--seat-edge-3); }
.seat-notes { list-style: none; padding: 0; margin: .6rem 0 0; font-size: .88rem; color: var(--muted); }
.board { flex: 0 1 470px; } .board svg { display: block; width: 100%; height: auto; border-radius: 4px; }
.thought { flex: 1 1 380px; min-width: 0; }
.steps { margin: 0 0 .8rem; font-size: .9rem; font-variant-numeric: tabular-nums; } #mistakes label { color: var(--link); cursor: pointer; } .steps label { color: var(--link); cursor: pointer; }
.steps label, .steps span { margin-right: .5rem; } .steps span { color: var(--faint); } .steps b { margin-right: .6rem; }
.move { margin: 0 0 .2rem; overflow-wrap: anywhere; } .player { border-bottom: 3px solid var(--c); }
.notation { font-family: ui-monospace, "SF Mono", Menlo, "DejaVu Sans Mono", monospace; font-size: .92em; white-space: normal; }
.moves, .expected { width: 100%; margin-bottom: 1rem; } .moves td { position: relative; } .moves .notation { max-width: 15rem; overflow-wrap: anywhere; }
.visits { min-width: 7rem; } .visits span { position: absolute; inset: 3px auto 3px 0; background: var(--series-0); opacity: .22; border-radius: 2px; }
.played td { font-weight: 650; background: var(--panel); }
@media (max-width: 760px) { .plies > input:checked + article { display: block; } .board { max-width: 470px; margin-bottom: 1rem; } }
`);

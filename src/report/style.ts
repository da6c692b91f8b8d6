import { chartStyle } from "../figures/chart-style.ts";
import { palettes, paletteVariables } from "../figures/palette.ts";
import { Markup } from "../figures/markup.ts";

/** The style sheet: light and dark after the reader's setting, always light on paper. */
export const style = new Markup(`
:root {
  --paper: #fff; --ink: #1c2024; --muted: #5d6670; --faint: #e3e7eb; --panel: #f5f7f9; --link: #0b5cad; --shade: #1c202466;
  ${paletteVariables(palettes.light)}
  font: 16px/1.55 system-ui, -apple-system, "Segoe UI", "Liberation Sans", Arial, sans-serif;
  color: var(--ink); background: var(--paper);
}
@media (prefers-color-scheme: dark) { :root:not(.x) {
  --paper: ${palettes.dark.paper}; --ink: #e6e9ec; --muted: #9aa4ae; --faint: #2c3237; --panel: #1c2024; --link: #7ab8f5; --shade: #000c;
  ${paletteVariables(palettes.dark)}
} }
@media print { :root:not(.x) {
  --paper: #fff; --ink: #000; --muted: #444; --faint: #d5d9dd; --panel: #fff; --link: #000; --shade: transparent;
  ${paletteVariables(palettes.light)}
  font-size: 12px;
} }
* { box-sizing: border-box; }
body { margin: 0; counter-reset: figure; -webkit-text-size-adjust: 100%; }
main, footer { max-width: 868px; margin: 0 auto; padding: 0 24px; }
header { padding-top: 44px; }
h1 { font-size: 1.15rem; font-weight: 600; margin: 0 0 .5rem; color: var(--muted); overflow-wrap: anywhere; }
h2 { font-size: 1.3rem; line-height: 1.3; margin: 0 0 1.1rem; padding-top: 1.5rem; border-top: 1px solid var(--faint); }
h3 { font-size: 1rem; margin: 1.6rem 0 .5rem; }
a { color: var(--link); text-decoration-thickness: 1px; text-underline-offset: 2px; }
.result { font-size: 1.5rem; line-height: 1.4; margin: 0 0 1.5rem; text-wrap: pretty; overflow-wrap: anywhere; }
.damage { border-left: 4px solid #c2410c; padding: 0 1rem; margin: 0 0 1.5rem; overflow-wrap: anywhere; }
.result b { font-weight: 650; } .result i { font-style: normal; font-weight: 600; }
.key { display: grid; grid-template-columns: repeat(auto-fill, minmax(180px, 1fr)); gap: .7rem 1.5rem; margin: 0; padding: 1rem 0; border-top: 1px solid var(--faint); }
.key dt { font-size: .8rem; color: var(--muted); } .key dd { margin: 0; font-size: .92rem; overflow-wrap: anywhere; }
nav { display: flex; flex-wrap: wrap; gap: .2rem 1.3rem; font-size: .9rem; padding: .8rem 0; border-top: 1px solid var(--faint); }
section { margin: 1.4rem 0 2.6rem; }
figure { margin: 0 0 2.2rem; counter-increment: figure; break-inside: avoid; }
figure svg { display: block; max-width: 100%; height: auto; overflow: visible; }
.narrow { display: none; }
figcaption { font-size: .9rem; color: var(--muted); margin-top: .5rem; max-width: 46rem; text-wrap: pretty; }
figcaption b { color: var(--ink); font-weight: 600; } figcaption b::before { content: "Figure " counter(figure) ". "; }
${chartStyle}details { font-size: .88rem; margin-top: .3rem; } summary { cursor: pointer; color: var(--muted); width: max-content; }
.table { overflow-x: auto; margin: .5rem 0; width: fit-content; max-width: calc(100% + max(0px, (100vw - 820px) / 2 - 24px)); padding-bottom: 2px;
  background: linear-gradient(to right, var(--paper) 30%, transparent) left / 48px 100%, linear-gradient(to left, var(--paper) 30%, transparent) right / 48px 100%,
    linear-gradient(to right, var(--shade), transparent) left / 14px 100%, linear-gradient(to left, var(--shade), transparent) right / 14px 100%;
  background-repeat: no-repeat; background-attachment: local, local, scroll, scroll; }
.table:focus-visible { outline: 2px solid var(--link); outline-offset: 2px; }
.table::-webkit-scrollbar { height: 10px; } .table::-webkit-scrollbar-track { background: var(--faint); border-radius: 5px; } .table::-webkit-scrollbar-thumb { background: var(--muted); border-radius: 5px; border: 2px solid var(--faint); }
table { border-collapse: collapse; font-size: .86rem; font-variant-numeric: tabular-nums; }
.title { color: var(--muted); font-size: .86rem; margin: .8rem 0 .2rem; max-width: 46rem; text-wrap: pretty; }
th, td { padding: .22rem .9rem .22rem 0; text-align: left; border-bottom: 1px solid var(--faint); white-space: nowrap; vertical-align: top; }
th { font-weight: 600; } .integer, .number { text-align: right; padding-left: .4rem; }
.manifest td { white-space: normal; overflow-wrap: anywhere; } .manifest th { font-weight: 500; color: var(--muted); }
.files { color: var(--muted); font-size: .82rem; margin: .3rem 0 1rem; }
pre { background: var(--panel); border: 1px solid var(--faint); border-radius: 4px; padding: .9rem 1rem; overflow-x: auto; font: .82rem/1.5 ui-monospace, "SF Mono", Menlo, "DejaVu Sans Mono", monospace; }
.notes { list-style: none; padding: 0; font-size: .92rem; } .notes li { padding: .25rem 0; overflow-wrap: anywhere; } .notes span { color: var(--muted); display: inline-block; min-width: 6.5rem; font-variant-numeric: tabular-nums; }
.notes .warning { border-left: 3px solid var(--series-1); padding-left: .6rem; }
.stills { display: grid; grid-template-columns: repeat(4, 1fr); gap: 12px; margin-bottom: 1.6rem; font-size: .82rem; color: var(--muted); text-align: center; }
.still svg { display: block; width: 100%; height: auto; border-radius: 3px; } .drawn svg:not(.board) { background: #fff; } .drawn svg:not(.board) text { fill: #1c2024; }
.film p { font-size: .92rem; margin: .2rem 0 .8rem; }
.data { font-size: .9rem; padding-left: 1.1rem; } .data span { color: var(--muted); }
footer { color: var(--muted); font-size: .82rem; padding-top: 1rem; padding-bottom: 3rem; }
@media (max-width: 640px) {
  main, footer { padding: 0 16px; } header { padding-top: 24px; } .result { font-size: 1.2rem; }
  .wide { display: none; } .narrow { display: block; } .key { grid-template-columns: 1fr 1fr; } .stills { grid-template-columns: 1fr 1fr; }
}
@media print {
  main { max-width: none; padding: 0; } .table { overflow: visible; } .wide { display: block; } .narrow, nav, details:not([open]), .files { display: none; }
  a { text-decoration: none; } h2 { break-after: avoid; } pre { white-space: pre-wrap; } .result { font-size: 16px; }
}
`);

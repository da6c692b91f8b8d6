import { chartStyle } from "../../../figures/chart-style.ts";
import { palettes, paletteVariables } from "../../../figures/palette.ts";

/** Gives the page the style of charts and their colours, which are those of reports. */
export function installChartStyle(): void {
  const dark = paletteVariables(palettes.dark);
  const sheet = new CSSStyleSheet();
  sheet.replaceSync(
    `:root { ${paletteVariables(palettes.light)} }
:root[data-theme="dark"] { ${dark} }
@media (prefers-color-scheme: dark) { :root:not([data-theme="light"]) { ${dark} } }
${chartStyle}`,
  );
  document.adoptedStyleSheets = [...document.adoptedStyleSheets, sheet];
}

import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { markup, Markup } from "../../figures/markup.ts";
import { palettes, paletteVariables } from "../../figures/palette.ts";
import { packageRoot } from "../../package-root.ts";
import { DATA_ID, type PlayerData } from "../alone/player-data.ts";
import { PageNotBuilt } from "./assets.ts";

/**
 * A page on which people play against a small player, in a browser alone: one file that loads nothing. `folder` has the script
 * that `npm run build:page` has bundled. Throws PageNotBuilt.
 */
export function alonePage(data: PlayerData, folder = join(packageRoot(), "dist", "alone")): string {
  const path = join(folder, "player.js");
  if (!existsSync(path)) throw new PageNotBuilt(folder);
  // Nothing in the data or the script may end its element.
  const inScript = (text: string) => new Markup(text.replaceAll("</", String.raw`<\/`));
  return `<!doctype html>\n${
    markup`<html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width, initial-scale=1">
<meta http-equiv="Content-Security-Policy" content="default-src 'none'; script-src 'unsafe-inline'; style-src 'unsafe-inline'">
<title>Play ${data.name}</title><style>${style}</style></head><body><main>
<h1>Play ${data.game.rules} against ${data.name}</h1>
<p id="status" role="status"></p><p id="you"></p>
<div id="board" role="img"></div>
<div id="moves" role="group" aria-label="Your moves"></div>
<div class="tools"><button id="new">New game</button><button id="swap">Change sides</button><button id="undo">Undo</button>
<label>${data.name} <select id="plies"></select></label></div>
<p class="about">Made by ludoflow. The player is a linear value function of ${data.weights.length} weights; it runs in this page, which loads nothing.</p>
</main><script type="application/json" id="${DATA_ID}">${inScript(JSON.stringify(data))}</script>
<script>${inScript(readFileSync(path, "utf8"))}</script></body></html>
`.text
  }`;
}

const style = new Markup(`
:root { color-scheme: light dark; --ink: #1c2024; --muted: #5a636d; --paper: #fff; --ground: #f4f6f8; --line: #8b949d; ${paletteVariables(palettes.light)}
  font: 16px/24px system-ui, -apple-system, "Segoe UI", "Liberation Sans", Arial, sans-serif; color: var(--ink); background: var(--ground); }
@media (prefers-color-scheme: dark) { :root { --ink: #e6e9ec; --muted: #9fa8b2; --paper: #171b1f; --ground: #0f1215; --line: #6d7782; ${paletteVariables(palettes.dark)} } }
main { max-width: 600px; margin: 0 auto; padding: 16px; } h1 { font-size: 20px; line-height: 27px; font-weight: 400; margin: 0 0 8px; overflow-wrap: anywhere; }
#status { font-size: 19px; margin: 0; min-height: 24px; } #you, .about { color: var(--muted); font-size: 14px; margin: 0 0 8px; overflow-wrap: anywhere; }
#board { cursor: pointer; touch-action: manipulation; } #board svg { display: block; }
#moves, .tools { display: flex; flex-wrap: wrap; gap: 8px; margin: 12px 0; align-items: center; }
button, select { font: inherit; min-height: 44px; padding: 4px 14px; border: 1px solid var(--line); border-radius: 6px; background: var(--paper); color: var(--ink); cursor: pointer; }
button:disabled { color: var(--muted); cursor: default; } :focus-visible { outline: 2px solid #0b5cad; outline-offset: 2px; }
`);

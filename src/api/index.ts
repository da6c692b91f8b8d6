/** The package `ludoflow`, as programs and plug-ins import it. Importing it starts nothing and loads no engine. */
export { defineGame, type GameDescription } from "./define-game.ts";
export type { Definition } from "./definition.ts";
export { choice, flag, integer, number, type Option, text } from "./options.ts";
export type { GameRules } from "../games/complete-game.ts";
export { CHANCE, OVER } from "../games/game.ts";

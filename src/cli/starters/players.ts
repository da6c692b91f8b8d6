import type { GameFacts } from "./game-facts.ts";

/** The line of an agent that searches by playouts, without a net. */
export function playoutSearchText({ game }: GameFacts, simulations: number): string {
  const use = game.information !== undefined ? "so-ismcts" : game.players === 2 ? "uct" : "mcts-max-n";
  return `{ use: ${use}, simulations: ${simulations} }`;
}

/**
 * The openings of matches, as a setting of an arena: players that draw nothing would otherwise repeat one game. Games of
 * chance vary by themselves.
 */
export function arenaOpenings({ chance, game, decisions }: GameFacts): string {
  if (chance || game.players === 1) return "";
  return `, openings: { plies: ${Math.max(1, Math.min(4, Math.floor(decisions / 4)))} }`;
}

/** Why a game cannot be learned by a net, or undefined. */
export function withoutPlanes({ game, plugin }: GameFacts): string | undefined {
  if (game.nets !== undefined && Object.keys(game.nets.planes).length > 0) return undefined;
  return `${game.name} gives nets no input: ${
    plugin === undefined
      ? "choose another experiment"
      : `add nets: { planes: { ... } } to the rules in ${plugin} (docs/plugins.md#what-nets-need)`
  }`;
}

/** The text of a net that suits the size of the board. */
export function netFor({ game }: GameFacts, { policy }: { readonly policy: boolean }): string {
  const planes = game.nets!.planes;
  const compact = ["mobility", "compact"].find((each) => Object.hasOwn(planes, each));
  const name = compact ?? Object.keys(planes)[0]!;
  const [height, width] = planes[name]!.shape;
  const input = compact === undefined ? "" : `, planes: ${compact}`;
  const values = game.players === 1 ? "" : ", values: win-share";
  // Convolutions find nothing on a board of one row.
  if (height < 3 || width < 3)
    return `{ use: mlp, hidden: [128, 128]${policy ? ", policy: true" : ""}${input}${values} }`;
  const [filters, blocks] = height * width <= 36 ? [16, 2] : [32, 4];
  const head = game.nets!.actionPlanes === undefined ? "dense" : "convolutional";
  return `{ use: residual, filters: ${filters}, blocks: ${blocks}, valueUnits: 64, policyHead: ${head}${input}${values} }`;
}

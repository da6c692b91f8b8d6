import type { StoredGame } from "../formats/game-records.ts";
import type { GameConfig } from "../games/registry.ts";
import type { GtpFiles } from "../protocols/gtp/dialect.ts";
import { gtpDialects } from "../protocols/gtp/dialects.ts";

/** What writes games of these rules in SGF; undefined if nothing does. */
export function sgfWriterOf(rules: string): GtpFiles | undefined {
  return gtpDialects.flatMap(({ files }) => files ?? []).find((format) => format.rules.includes(rules));
}

/** The names of the rules whose games can be written in SGF. */
export function rulesInSgf(): string[] {
  return gtpDialects.flatMap(({ files }) => files?.rules ?? []);
}

/** A stored game in SGF, with the agents as players; undefined if its rules have none. */
export function gameSgf(config: GameConfig, { actions, seats }: StoredGame): string | undefined {
  return sgfWriterOf(config.rules)?.write({ config, actions: [...actions] }, seats);
}

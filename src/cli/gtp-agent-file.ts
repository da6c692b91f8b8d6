import type { GameConfig } from "../games/registry.ts";
import { type Source, readSource } from "../graph/yaml-source.ts";
import { didYouMean } from "../messages/did-you-mean.ts";
import type { GtpDialect } from "../protocols/gtp/dialect.ts";
import { dialectOf, gtpRules } from "../protocols/gtp/dialects.ts";
import type { AgentSettings } from "../protocols/session-agent.ts";
import { mistakes } from "./agent-mistakes.ts";
import { UsageError } from "../messages/usage-error.ts";
import { agentSettings, weightsBeside } from "../graph/agents/agent-settings.ts";
import {
  type AgentPath,
  agentPath,
  experimentAgent,
  isExperiment,
} from "../graph/agents/experiment-agent.ts";

/** What `ludoflow gtp` plays: a game, and the agent that plays it. */
export interface GtpAgentFile {
  readonly dialect: GtpDialect;
  readonly game: GameConfig;
  readonly agent: AgentSettings;
  /** Runs code that opens a part of the file; its mistakes are UsageErrors that begin with the place of the part. */
  readonly at: <T>(part: "agent" | "game", open: () => T) => T;
}

/**
 * Reads the file of an agent: the agent alone, or under `agent` beside its `game`; or an agent of an experiment,
 * `FILE#NAME` if that has several. `rules` name the game in place of the file. Throws UsageError and ExperimentInvalid
 * with the place of the mistake.
 */
export function readGtpAgent(path: string, rules?: string): GtpAgentFile {
  const given = agentPath(path);
  const source = readSource(given.file);
  const { value } = source;
  const alone = !("agent" in value);
  const { game: inFile, agent, ...others } = partsOf(given, value);
  const [other] = Object.keys(others);
  if (other !== undefined)
    throw new UsageError(
      `${placeOf(source, other, "key")}: unknown key "${other}"${didYouMean(other, ["game"])} (known beside "agent": game)`,
    );
  const at: GtpAgentFile["at"] = (part, open) => {
    try {
      return mistakes(open);
    } catch (error) {
      if (!(error instanceof UsageError)) throw error;
      throw new UsageError(`${alone ? path : placeOf(source, part, "value")}: ${error.message}`);
    }
  };
  const named = inFile === undefined ? undefined : gameOf(source, inFile);
  const game = rules === undefined || rules === named?.rules ? named : { rules };
  if (game === undefined)
    throw new UsageError(
      `${path}: names no game; write game: { rules: ... } beside "agent", or give --game (known: ${gtpRules.join(", ")})`,
    );
  const dialect = dialectOf(game.rules);
  if (dialect === undefined)
    throw new UsageError(
      `${placeOf(source, "game", "value")}: GTP is not spoken for the game "${game.rules}"${didYouMean(game.rules, gtpRules)} (known: ${gtpRules.join(", ")})`,
    );
  const settings = at("agent", () => weightsBeside(given.file, agentSettings(agent)));
  return { dialect, game, agent: settings, at };
}

/** What is beside `agent` in a file, and the agent; a file without that key is the agent alone. */
function partsOf(given: AgentPath, value: Source["value"]): Readonly<Record<string, unknown>> {
  if (isExperiment(value)) {
    const { agent, game } = mistakes(() => experimentAgent(given));
    return { agent, game };
  }
  if (given.name !== undefined)
    throw new UsageError(
      `${given.file}: is the file of one agent: leave out "${given.name}", which would choose one of an experiment`,
    );
  return "agent" in value ? value : { agent: value };
}

function gameOf(source: Source, game: unknown): GameConfig {
  const { rules, ...options } =
    typeof game === "object" && game !== null ? (game as Record<string, unknown>) : {};
  if (typeof rules !== "string" && typeof rules !== "number")
    throw new UsageError(`${placeOf(source, "game", "value")}: "game" is a map such as { rules: go }`);
  return { rules: String(rules), ...options };
}

/** The place of a part at the top of the file, as `file:line:column`; the file if the part has none. */
function placeOf({ file, places }: Source, part: string, of: "key" | "value"): string {
  const place = places.get(`/${part}`);
  return place === undefined ? file : `${place.file}:${place[of].line}:${place[of].column}`;
}

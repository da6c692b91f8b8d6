/** A player of a game: an agent with the weights that its stage says, or an earlier self of the agent. */
export interface Participant {
  /** The agent's name in the experiment. */
  readonly agent: string;
  /** The version of its net's weights; absent: as the stage says, usually the newest. */
  readonly version?: number;
}

/** The name of a participant in tasks and records: `player`, or `player@12` for the agent with version 12 of its net's weights. */
export function participantName({ agent, version }: Participant): string {
  return version === undefined ? agent : `${agent}@${version}`;
}

/** The participant of this name: the inverse of `participantName`. Names of agents contain no `@`. */
export function participantNamed(name: string): Participant {
  const at = name.lastIndexOf("@");
  return at < 0 ? { agent: name } : { agent: name.slice(0, at), version: Number(name.slice(at + 1)) };
}

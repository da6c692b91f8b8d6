import type { GtpGame } from "../protocols/gtp/dialects.ts";

/**
 * The answer to `final_score`: of two colours the leader and by how much, `B+2` or `0`, as in Go; of more the score of
 * each in turn. Before the end it is the score so far.
 */
export function finalScore(returns: Float64Array, { colours }: GtpGame): string {
  if (returns.length !== 2) return [...returns].join(" ");
  const lead = returns[0]! - returns[1]!;
  if (lead === 0) return "0";
  return `${colours[lead > 0 ? 0 : 1]![0].toUpperCase()}+${Math.abs(lead)}`;
}

/** The answer to `get_place`: 1 for the highest score, ` shared` after it where others have the same score. */
export function placeOf(returns: Float64Array, seat: number): string {
  const own = returns[seat]!;
  const place = 1 + returns.filter((score) => score > own).length;
  return returns.filter((score) => score === own).length > 1 ? `${place} shared` : String(place);
}

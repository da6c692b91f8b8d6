import { decodePacket, encodePacket } from "../../src/fleet/wire/packet.ts";
import { decodeGameRecord, encodeGameRecord } from "../../src/formats/game-records.ts";

/**
 * Replaces the results of games by others: games by the rules, of the same players, that only have the number of those that were
 * asked for. Nothing but a second game shows that.
 */
export class OtherGames {
  /** By seats: the result that is sent in place of others. */
  readonly #kept = new Map<string, Uint8Array>();

  /**
   * The result of another game in place of this one, or this one where no other of the same players has been played or `isHonest`
   * says so of its number.
   */
  replaced(bytes: Uint8Array, isHonest: (game: number) => boolean = () => false): Uint8Array {
    const { data, parts } = decodePacket(bytes);
    if (parts["record"] === undefined) return bytes;
    const { game, generation, seats } = decodeGameRecord(parts["record"], "a message");
    const before = this.#kept.get(seats.join(" "));
    if (before === undefined || isHonest(game)) {
      this.#kept.set(seats.join(" "), bytes);
      return bytes;
    }
    const other = decodePacket(before);
    const moves = decodeGameRecord(other.parts["record"]!, "a message");
    const record = encodeGameRecord({ ...moves, game, generation });
    const { bits } = data as { readonly bits: object };
    return encodePacket({ data: { ...(other.data as object), bits }, parts: { ...other.parts, record } });
  }
}

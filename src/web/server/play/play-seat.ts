/** The player of a seat: an agent, or a person at the browser of a visitor (`""`: nobody has sat down yet). */
export type PlaySeat = { readonly by: "player" } | { readonly by: "person"; readonly visitor: string };

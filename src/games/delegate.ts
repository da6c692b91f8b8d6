/** A plain object with all members of an object and of its class, methods bound: the base of a game that differs in a few members. */
export function delegate<T extends object>(game: T): T {
  const view: Record<string, unknown> = {};
  for (let at: object = game; at !== Object.prototype; at = Object.getPrototypeOf(at) as object)
    for (const key of Object.getOwnPropertyNames(at)) {
      if (key in view || key === "constructor") continue;
      const value: unknown = game[key as keyof T];
      view[key] = typeof value === "function" ? (value.bind(game) as unknown) : value;
    }
  return view as T;
}

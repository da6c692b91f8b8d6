/** An object with this property if its value is known, else an empty one: to be spread into another object. */
export function ifKnown<K extends string, V>(key: K, value: V | undefined): { readonly [key in K]?: V } {
  return value === undefined ? {} : ({ [key]: value } as { readonly [key in K]: V });
}

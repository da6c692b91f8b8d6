import { Type, type Static, type TObject, type TUnsafe } from "../../schema.ts";

/**
 * The schema of one of several objects, told apart by the value of one key: draft-07 `oneOf` with a discriminator,
 * so that a mistake is reported for the member that was meant.
 */
export function choice<const M extends readonly TObject[]>(
  key: string,
  description: string,
  members: M,
  options: { readonly default?: unknown } = {},
): TUnsafe<Static<M[number]>> {
  return Type.Unsafe({
    description,
    type: "object",
    required: [key],
    discriminator: { propertyName: key },
    oneOf: members,
    ...options,
  });
}

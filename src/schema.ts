import type {
  Static,
  TAddOptional,
  TArray,
  TArrayOptions,
  TBoolean,
  TInteger,
  TLiteral,
  TLiteralValue,
  TNull,
  TNumber,
  TNumberOptions,
  TObject,
  TObjectOptions,
  TProperties,
  TSchema,
  TSchemaOptions,
  TString,
  TStringOptions,
  TUnion,
  TUnsafe,
} from "typebox";

/** TypeBox's types of schemas: their static types, and the kinds that are named here. */
export type { Static, TObject, TProperties, TSchema, TUnsafe };

/** Marks an optional property as TypeBox does; not written into JSON, not copied by a spread. */
const OPTIONAL = "~optional";

/**
 * Makes JSON schemas (draft-07) whose static types TypeBox infers: `Static<typeof schema>`.
 *
 * These are the constructors of TypeBox that this project uses, with TypeBox's names and types. TypeBox itself is not
 * loaded: its 240 modules take a fifth of a second in every thread, and every thread loads the schemas of games and
 * searches.
 */
export const Type = {
  /** A list of `items`. */
  Array: <T extends TSchema>(items: T, options: TArrayOptions = {}) =>
    made<TArray<T>>({ type: "array", items, ...options }),
  /** True or false. */
  Boolean: (options: TSchemaOptions = {}) => made<TBoolean>({ type: "boolean", ...options }),
  /** A whole number. */
  Integer: (options: TNumberOptions = {}) => made<TInteger>({ type: "integer", ...options }),
  /** This one value. */
  Literal: <const T extends TLiteralValue>(value: T, options: TSchemaOptions = {}) =>
    made<TLiteral<T>>({ type: typeof value, const: value, ...options }),
  /** Null. */
  Null: (options: TSchemaOptions = {}) => made<TNull>({ type: "null", ...options }),
  /** A finite number. */
  Number: (options: TNumberOptions = {}) => made<TNumber>({ type: "number", ...options }),
  /** An object with these keys. A key is required unless it is `Optional`. */
  Object: <P extends TProperties>(properties: P, options: TObjectOptions = {}) => {
    const required = Object.keys(properties).filter((key) => !(OPTIONAL in properties[key]!));
    return made<TObject<P>>({
      type: "object",
      ...(required.length > 0 ? { required } : {}),
      properties,
      ...options,
    });
  },
  /** A property that may be absent. */
  Optional: <T extends TSchema>(schema: T) =>
    Object.defineProperty({ ...schema }, OPTIONAL, { value: true }) as unknown as TAddOptional<T>,
  /** Text. */
  String: (options: TStringOptions = {}) => made<TString>({ type: "string", ...options }),
  /** One of several alternatives. */
  Union: <T extends TSchema[]>(forms: [...T], options: TSchemaOptions = {}) =>
    made<TUnion<T>>({ anyOf: forms, ...options }),
  /** A given schema, whose static type is stated, not inferred. */
  Unsafe: <T>(schema: TSchema) => made<TUnsafe<T>>({ ...schema }),
};

/** Gives a schema its type in TypeBox. That type names marks (`~kind`) that no code reads. */
// oxlint-disable-next-line typescript/no-unnecessary-type-parameters -- the caller says which type it has made
function made<T extends TSchema>(schema: Readonly<Record<string, unknown>>): T {
  return schema as unknown as T;
}

/**
 * The schema of one of several objects, distinguished by the value of one key: draft-07 `oneOf` with a discriminator,
 * so that a mistake is reported for the intended member.
 */
export function taggedUnion<const M extends readonly TObject[]>(
  key: string,
  description: string,
  members: M,
  options: { readonly default?: unknown; readonly numericNames?: true } = {},
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

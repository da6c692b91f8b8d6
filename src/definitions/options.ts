import { type TObject, type TSchema, Type } from "../schema.ts";

/** An option of a game, a search, a net or a stage, with values of the type T. */
export interface Option<T> {
  /** What files are checked with: a JSON schema, draft-07. */
  readonly schema: object;
  /** Only for the compiler: the type of the values. */
  readonly value?: T;
}

/** Options by their names in experiment files. */
export type Options = Readonly<Record<string, Option<any>>>;

/** The values of options, as the code that takes them sees them: complete, with defaults filled in. */
export type OptionValues<O extends Options> = {
  readonly [K in keyof O]: O[K] extends Option<infer T> ? T : never;
};

interface Described<T> {
  /** The value where a file names none. */
  readonly default: T;
  /** A sentence for messages, lists and editors. */
  readonly description: string;
}

/** A range of numbers; both ends belong to it. */
interface Range {
  readonly min?: number;
  readonly max?: number;
}

/** A whole number. */
export function integer({ min, max, ...described }: Range & Described<number>): Option<number> {
  return { schema: Type.Integer({ ...range(min, max), ...described }) };
}

/** A finite number. */
export function number({ min, max, ...described }: Range & Described<number>): Option<number> {
  return { schema: Type.Number({ ...range(min, max), ...described }) };
}

/** Yes or no. */
export function flag(described: Described<boolean>): Option<boolean> {
  return { schema: Type.Boolean({ ...described }) };
}

/** A text. */
export function text(described: Described<string>): Option<string> {
  return { schema: Type.String({ ...described }) };
}

/** One of several names. */
export function choice<const T extends string>(
  values: readonly T[],
  described: Described<NoInfer<T>>,
): Option<T> {
  return { schema: Type.Unsafe<T>({ type: "string", enum: [...values], ...described }) };
}

function range(min: number | undefined, max: number | undefined) {
  return { ...(min === undefined ? {} : { minimum: min }), ...(max === undefined ? {} : { maximum: max }) };
}

/** The strict schema of options. All have defaults, so that a file may leave any of them out. */
export function schemaOf(options: Options): TObject {
  return Type.Object(
    Object.fromEntries(Object.entries(options).map(([name, { schema }]) => [name, schema as TSchema])),
    { additionalProperties: false },
  );
}

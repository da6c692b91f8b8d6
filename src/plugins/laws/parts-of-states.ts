/** The first array or map that two states share, by its path: `board.cells`. */
export function sharedPart(one: unknown, other: unknown): string | undefined {
  return firstPart(
    one,
    other,
    (first, second, path) => path !== "" && isObject(first) && first === second && !Object.isFrozen(first),
  );
}

/** The first part in which two states differ, by its path. Functions are not compared. */
export function differentPart(one: unknown, other: unknown): string | undefined {
  return firstPart(one, other, (first, second) => {
    if (typeof first === "function" || Object.is(first, second)) return false;
    if (!isObject(first) || !isObject(second)) return true;
    const keys = Object.keys(first);
    if (keys.length !== Object.keys(second).length) return true;
    return ArrayBuffer.isView(first) && keys.some((key) => first[key] !== second[key]);
  });
}

/** The path of the first of two corresponding parts that fit. Typed arrays are one part. */
function firstPart(
  one: unknown,
  other: unknown,
  fits: (one: unknown, other: unknown, path: string) => boolean,
  path = "",
): string | undefined {
  if (fits(one, other, path)) return path;
  if (!isObject(one) || !isObject(other) || ArrayBuffer.isView(one)) return undefined;
  for (const key of Object.keys(one)) {
    const inner = firstPart(one[key], other[key], fits, path === "" ? key : `${path}.${key}`);
    if (inner !== undefined) return inner;
  }
  return undefined;
}

function isObject(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === "object" && value !== null;
}

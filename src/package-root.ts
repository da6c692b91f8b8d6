import { existsSync } from "node:fs";
import { dirname, join } from "node:path";

/** The folder of this package: the nearest one above this file that has a package.json, for sources and compiled code. */
export function packageRoot(): string {
  for (let at = import.meta.dirname; ; at = dirname(at))
    if (existsSync(join(at, "package.json")) || dirname(at) === at) return at;
}

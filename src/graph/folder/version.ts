import { existsSync, readFileSync } from "node:fs";

/** The version of this package, from the nearest package.json above this file. */
export function ludoflowVersion(): string {
  for (let at = new URL(".", import.meta.url); ; at = new URL("..", at)) {
    const path = new URL("package.json", at);
    if (existsSync(path)) return (JSON.parse(readFileSync(path, "utf8")) as { version: string }).version;
    if (at.pathname === "/") return "unknown";
  }
}

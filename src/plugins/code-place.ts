import { fileURLToPath } from "node:url";

/** The folder of ludoflow's own code. */
const own = fileURLToPath(new URL("..", import.meta.url));

/** An error of a plug-in's code in a line: its file and line, where the stack tells them, and what it says. */
export function codePlace(error: unknown): string {
  if (!(error instanceof Error)) return `its code threw ${String(error)}`;
  const frames = (error.stack ?? "").matchAll(/(?:file:\/\/)?(\/[^\s()]*?:\d+:\d+)/g);
  const place = [...frames]
    .map(([, path]) => decodeURI(path!))
    .find((path) => !path.startsWith(own) && !path.includes("/node_modules/"));
  return `${place === undefined ? "" : `${place}: `}${error.message}`;
}

/** The URLs and paths of the files of plug-ins that this thread has loaded: code that is no part of ludoflow. */
const files = new Set<string>();

/** Notes files of plug-ins, by URL and by path: stacks have the one or the other. */
export function noteOutsideFile(url: string, path: string): void {
  files.add(url).add(path);
}

/** Whether this thread has loaded a plug-in. */
export function hasOutsideFiles(): boolean {
  return files.size > 0;
}

/** Whether a file, by its URL or its path, is one of a plug-in that this thread has loaded. */
export function isOutsideFile(file: string): boolean {
  return files.has(file);
}

/** The innermost place of an error in a plug-in, as `path:line:column`; undefined if it has none. */
export function outsidePlace(error: unknown): string | undefined {
  if (files.size === 0 || !(error instanceof Error)) return undefined;
  for (const [, file, place] of (error.stack ?? "").matchAll(/((?:file:\/\/)?\/[^\n()]*?):(\d+:\d+)\)?$/gm))
    if (files.has(file!)) return `${decodeURI(file!.replace("file://", ""))}:${place}`;
  return undefined;
}

/** The message of an error, after its place in a plug-in if it has one. */
export function placedMessage(error: unknown): string {
  const place = outsidePlace(error);
  const message = error instanceof Error ? error.message : String(error);
  return place === undefined ? message : `${place}: ${message}`;
}

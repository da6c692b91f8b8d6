/**
 * The URL of a module by its path from `base`, the URL of the module that starts it as a thread or as a program, with the extension
 * of `base`: `.ts` from source, `.js` when compiled.
 */
export function moduleBeside(path: string, base: string): URL {
  return new URL(`./${path}${base.slice(base.lastIndexOf("."))}`, base);
}

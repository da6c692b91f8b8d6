/** An npm package that brings Node, and the path of the program in it. */
export interface NodePackage {
  readonly name: string;
  readonly version: string;
  readonly program: string;
}
export function nodePackage(platform?: string): NodePackage | undefined;
export function cacheFolder(env?: Readonly<Record<string, string | undefined>>, platform?: string): string;
export function cachedNode(wanted: NodePackage, cache?: string): string;
/** The cache cannot be written; the message is the system's reason. */
export class CacheUnusable extends Error {}
export function fetchNode(wanted: NodePackage, cache?: string): Promise<string>;

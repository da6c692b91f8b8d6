import { existsSync, readdirSync, readFileSync } from "node:fs";
import { extname, join } from "node:path";
import { gzipSync } from "node:zlib";
import { packageRoot } from "../../package-root.ts";

/** A file of the page. */
export interface Asset {
  readonly body: Uint8Array;
  readonly gzipped: Uint8Array;
  readonly type: string;
}

/** The page itself, as Vite has built it. */
export interface Assets {
  /** The document, which is the same for every address. */
  readonly index: Asset;
  /** Scripts and styles by their path: `/assets/main-1a2b3c.js`. Their names change with their content. */
  readonly files: ReadonlyMap<string, Asset>;
}

/** The page is not built. */
export class PageNotBuilt extends Error {
  constructor(folder: string) {
    super(
      `the page is not built: ${folder} has no index.html. In a clone, build it once by: npm run build:page`,
    );
    this.name = "PageNotBuilt";
  }
}

const types: Readonly<Record<string, string>> = {
  ".html": "text/html; charset=utf-8",
  ".js": "text/javascript; charset=utf-8",
  ".css": "text/css; charset=utf-8",
  ".svg": "image/svg+xml",
};

/** Reads the built page: from `dist/page` of the package, or from another folder. Throws PageNotBuilt. */
export function readAssets(folder = join(packageRoot(), "dist", "page")): Assets {
  if (!existsSync(join(folder, "index.html"))) throw new PageNotBuilt(folder);
  const read = (path: string): Asset => {
    const body = readFileSync(path);
    return { body, gzipped: gzipSync(body), type: types[extname(path)] ?? "application/octet-stream" };
  };
  const names = readdirSync(join(folder, "assets"));
  return {
    index: read(join(folder, "index.html")),
    files: new Map(names.map((name) => [`/assets/${name}`, read(join(folder, "assets", name))])),
  };
}

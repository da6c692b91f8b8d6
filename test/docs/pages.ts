import { readdirSync, readFileSync } from "node:fs";
import { dirname, posix, sep } from "node:path";
import { fileURLToPath } from "node:url";

/** The folder of the checkout. */
export const root = fileURLToPath(new URL("../..", import.meta.url));

/** Files under a folder of the checkout, as paths from its root with forward slashes. */
export function filesUnder(folder: string): string[] {
  return readdirSync(root + folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) =>
      `${entry.parentPath}/${entry.name}`.slice(root.length).split(sep).join("/").replace(/^\//, ""),
    )
    .toSorted();
}

/** Every page of the documentation: the papers at the root and what lies in `docs`. */
export const pages = [
  ...readdirSync(root).filter((name) => name.endsWith(".md")),
  ...filesUnder("docs").filter((name) => name.endsWith(".md")),
];

/** The text of a page. */
export const textOf = (page: string) => readFileSync(root + page, "utf8");

/** The text of a page without its code blocks. */
const proseOf = (page: string) => textOf(page).replaceAll(/^( *)```.*?^\1```$/gms, "");

/** One link of a page: the path of its target from the root, and the anchor in it, if any. */
interface Link {
  readonly page: string;
  readonly target: string;
  readonly anchor: string | undefined;
}

/** The links of a page that lead to files of the checkout. */
export function linksOf(page: string): Link[] {
  const found: Link[] = [];
  for (const [, destination] of proseOf(page)
    .replaceAll(/`(?:[^`\n]|\n(?!\n))*`/g, "")
    .matchAll(/\]\(([^()\s]+)\)/g)) {
    if (/^[a-z]+:/.test(destination!)) continue;
    const [path, anchor] = destination!.split("#");
    const target = path === "" ? page : posix.normalize(posix.join(dirname(page), path!));
    found.push({ page, target: target.replace(/\/$/, ""), anchor });
  }
  return found;
}

/** The anchors of a page, made from its headings as GitHub makes them. */
export function anchorsOf(page: string): string[] {
  const counts = new Map<string, number>();
  return [...proseOf(page).matchAll(/^#{1,6} +(.+)$/gm)].map(([, heading]) => {
    const slug = heading!
      .replaceAll(/\[([^\]]*)\]\([^)]*\)/g, "$1")
      .toLowerCase()
      .replaceAll(/[^\p{L}\p{N}\s_-]/gu, "")
      .trim()
      .replaceAll(" ", "-");
    const before = counts.get(slug) ?? 0;
    counts.set(slug, before + 1);
    return before === 0 ? slug : `${slug}-${before}`;
  });
}

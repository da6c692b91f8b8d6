import { execFileSync } from "node:child_process";
import { cpSync, existsSync, mkdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";

/** A copy of the working tree, with its dependencies linked, in which sources are changed: the tree itself never is. */
export class Sandbox {
  readonly folder: string;
  readonly #root: string;

  constructor(root: string, folder: string) {
    this.#root = root;
    this.folder = folder;
    rmSync(folder, { recursive: true, force: true });
    for (const file of filesOf(root)) {
      mkdirSync(dirname(join(folder, file)), { recursive: true });
      cpSync(join(root, file), join(folder, file));
    }
    symlinkSync(join(root, "node_modules"), join(folder, "node_modules"));
    mkdirSync(join(folder, "tmp"));
  }

  /** Puts another text in the place of a source. */
  change(file: string, text: string): void {
    writeFileSync(join(this.folder, file), text);
  }

  /** Puts a source back as it is in the working tree when it was copied. */
  restore(file: string): void {
    writeFileSync(join(this.folder, file), readFileSync(join(this.#root, file)));
  }

  remove(): void {
    rmSync(this.folder, { recursive: true, force: true });
  }
}

/** The files of the working tree that git does not ignore. */
export function filesOf(root: string): string[] {
  const listed = execFileSync("git", ["ls-files", "-z", "--cached", "--others", "--exclude-standard"], {
    cwd: root,
    encoding: "utf8",
    maxBuffer: 1 << 26,
  });
  return [...new Set(listed.split("\0"))].filter((file) => file !== "" && existsSync(join(root, file)));
}

/** A file whose bytes break the rules of its format: damaged, cut short, or of another kind. */
export class FileCorrupt extends Error {
  readonly _tag = "FileCorrupt";
  readonly path: string;
  /** What is wrong with it, as the end of the sentence "PATH ...". */
  readonly what: string;

  constructor(path: string, what: string, options?: ErrorOptions) {
    super(`${path} ${what}`, options);
    this.name = "FileCorrupt";
    this.path = path;
    this.what = what;
  }
}

/** A database of openings that cannot be used here. */
export class OpeningsUnusable extends Error {
  readonly _tag = "OpeningsUnusable";

  constructor(path: string, reason: string) {
    super(`openings ${path}: ${reason}`);
    this.name = "OpeningsUnusable";
  }
}

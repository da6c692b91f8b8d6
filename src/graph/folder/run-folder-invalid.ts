/** A run's folder, or its place, cannot be used; nothing has been written. */
export class RunFolderInvalid extends Error {
  constructor(message: string) {
    super(message);
    this.name = "RunFolderInvalid";
  }
}

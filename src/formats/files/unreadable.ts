/** Reasons by error code of the operating system (errno(3)). */
const reasons: Readonly<Record<string, string>> = {
  ENOENT: "there is no such file",
  ENOTDIR: "a part of the path is a file, not a folder",
  EISDIR: "it is a folder",
  EACCES: "permission denied",
  EPERM: "permission denied",
  ELOOP: "the path has too many symbolic links",
  ENAMETOOLONG: "the name is too long",
};

/** Why a file could not be read, in a few words: what an operation of `node:fs` has thrown. */
export function whyUnreadable(error: unknown): string {
  const { code = "", message } = error as NodeJS.ErrnoException;
  return reasons[code] ?? message;
}

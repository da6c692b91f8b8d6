/** How the message begins. */
export const NOT_WRITTEN = "cannot write ";

/** A file or folder that cannot be written, for a reason outside the program. */
export class FileNotWritten extends Error {
  readonly _tag = "FileNotWritten";
  readonly path: string;
  /** Why, as the operating system has it: `no space left on the device`. */
  readonly reason: string;
  /** What the user can do about it. */
  readonly remedy: string;

  constructor(path: string, reason: string, remedy: string, options?: ErrorOptions) {
    super(`${NOT_WRITTEN}${path}: ${reason}; ${remedy}`, options);
    this.name = "FileNotWritten";
    this.path = path;
    this.reason = reason;
    this.remedy = remedy;
  }
}

/** Reason and remedy by error code of the operating system (errno(3)). */
const causes: Readonly<Record<string, readonly [reason: string, remedy: string]>> = {
  ENOSPC: ["no space left on the device", "free some space or choose another folder"],
  EDQUOT: ["the disk quota is used up", "free some space or choose another folder"],
  EFBIG: ["the file would be larger than the file system or the limits allow", "choose another folder"],
  EACCES: ["permission denied", "allow writing there or choose another folder"],
  EPERM: ["the operation is not permitted", "allow writing there or choose another folder"],
  EROFS: ["the file system is read-only", "choose another folder"],
  ENOTDIR: ["a part of the path is a file, not a folder", "remove that file or choose another folder"],
  EEXIST: ["something of that name is already there", "remove it or choose another folder"],
  EISDIR: ["a folder is in the place of the file", "remove that folder or choose another one"],
  ENOENT: ["the folder does not exist", "create it or choose another folder"],
  ENAMETOOLONG: ["the name is too long", "choose a shorter one"],
  ELOOP: ["the path has too many symbolic links", "choose another folder"],
  EMFILE: ["too many files are open", "raise the limit of open files"],
  ENFILE: ["too many files are open", "raise the limit of open files"],
  EIO: ["the device reports an input or output error", "check the disk"],
};

/** Runs a step that writes to `path`: failures of the operating system come out as `FileNotWritten`, all else as it is. */
export function writing<T>(path: string, step: () => T): T {
  try {
    return step();
  } catch (error) {
    const code = (error as NodeJS.ErrnoException | undefined)?.code;
    if (!(error instanceof Error) || error instanceof FileNotWritten || typeof code !== "string") throw error;
    // Node's own argument errors (ERR_...) are bugs of the caller.
    if (code.startsWith("ERR_")) throw error;
    const [reason, remedy] = causes[code] ?? [`the system answers ${code}`, "choose another folder"];
    throw new FileNotWritten(path, reason, remedy, { cause: error });
  }
}

import { existsSync, mkdirSync } from "node:fs";
import { join } from "node:path";
import { writeAtomically } from "../../formats/files/atomic-file.ts";
import { writing } from "../../formats/files/file-not-written.ts";
import { homeFolder } from "../../formats/files/home-folder.ts";
import { sha256 } from "../../formats/sha256.ts";
import type { OutsideCode } from "./outside-code.ts";

/** Code was not executed, because the user has not allowed it. */
export class CodeNotAllowed extends Error {
  readonly _tag = "CodeNotAllowed";

  readonly code: readonly OutsideCode[];

  constructor(code: readonly OutsideCode[], message = refusal(code, ON_COMMAND_LINE)) {
    super(message);
    this.name = "CodeNotAllowed";
    this.code = code;
  }

  /** The message with what to do, in other words. */
  withRemedy(remedy: string): string {
    return refusal(this.code, remedy);
  }
}

/** What a user of the command can do about code that was not allowed. */
const ON_COMMAND_LINE =
  "add --allow-code, or repeat the command on a terminal, where you are asked once (docs/what-a-file-can-do.md)";

/** Says that code was not executed, and what to do about it. */
function refusal(code: readonly OutsideCode[], remedy: string): string {
  return `${listOf(code)}\nSuch code has your rights on this machine, and you have not allowed it. If you trust it, ${remedy}`;
}

/** Decides about code before it is executed. Throws CodeNotAllowed if it may not be. */
export type Permit = (code: readonly OutsideCode[]) => void | Promise<void>;

/** Permits what the user has allowed before, and nothing else. */
export const permitAllowed: Permit = (code) => {
  const refused = notAllowed(code);
  if (refused.length > 0) throw new CodeNotAllowed(refused);
};

/** The part of this code that the user has not allowed. */
export function notAllowed(code: readonly OutsideCode[]): OutsideCode[] {
  return code.filter((each) => !existsSync(permissionPath(each)));
}

/**
 * Remembers that the user allows this code: one file each in the folder of permissions. The permission ends when the file
 * is deleted, and does not hold for other content. Throws FileNotWritten.
 */
export function allow(code: readonly OutsideCode[]): void {
  for (const each of code) {
    const folder = permissionsFolder();
    writing(folder, () => mkdirSync(folder, { recursive: true, mode: 0o700 }));
    writeAtomically(permissionPath(each), `${listOf([each])}\n${each.content}\n`);
  }
}

/** What code is, for people: a line for each piece. */
export function listOf(code: readonly OutsideCode[]): string {
  return code.map(({ kind, where, what }) => `${where} names a ${kind}: ${what}`).join("\n");
}

/**
 * The folder with the permissions: `ludoflow/allowed-code` in the folder that the system has for the settings of a user, which
 * is XDG_CONFIG_HOME (by default ~/.config), on Windows APPDATA.
 */
export function permissionsFolder(
  environment: Readonly<Record<string, string | undefined>> = process.env,
): string {
  const { XDG_CONFIG_HOME: config, APPDATA: windows } = environment;
  const system = process.platform === "win32" ? windows : undefined;
  const settings = [config, system].find((folder) => folder !== undefined && folder !== "");
  return join(settings ?? join(homeFolder(), ".config"), "ludoflow", "allowed-code");
}

function permissionPath({ kind, content }: OutsideCode): string {
  const digest = sha256(`${kind}\n${content}`);
  return join(permissionsFolder(), digest);
}

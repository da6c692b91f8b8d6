import { homedir } from "node:os";

/**
 * The home folder of the user. A user whom the system does not know and who has no HOME (an arbitrary one in a container) has
 * the root folder, as container engines have it: nothing can be remembered there, and nothing is found there.
 */
export function homeFolder(): string {
  try {
    return homedir();
  } catch {
    return "/";
  }
}

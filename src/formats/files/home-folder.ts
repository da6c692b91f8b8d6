import { homedir } from "node:os";

/**
 * The home folder of the user. A user unknown to the system and without HOME (an arbitrary one in a container) has
 * the root folder, as container engines have it: nothing can be stored there, and nothing is found there.
 */
export function homeFolder(): string {
  try {
    return homedir();
  } catch {
    return "/";
  }
}

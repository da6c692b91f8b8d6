import { hasOutsideFiles, outsidePlace, placedMessage } from "../messages/outside-place.ts";

const exit = process.exit.bind(process);

/**
 * From now on an error that nothing handles ends the command with exit code 1 and a message as `complain` writes it, in place of
 * Node's trace: what a plug-in throws in a callback, or rejects a promise with that nothing awaits. If a plug-in calls
 * `process.exit`, the command ends so too: its caller must not take it for done.
 */
export function endWhereUncaught(): void {
  process.on("uncaughtException", endBy);
  process.on("unhandledRejection", endBy);
  process.exit = (code) => {
    const place = outsidePlace(new Error());
    if (place === undefined) return exit(code);
    return fail(`${place}: the plug-in has called process.exit, which ended the command before it was done`);
  };
}

let ending = false;

function endBy(error: unknown): void {
  if (ending) return;
  ending = true;
  // Ludoflow rejects promises with errors alone.
  if (outsidePlace(error) !== undefined || (hasOutsideFiles() && !(error instanceof Error)))
    fail(
      `${placedMessage(error)}; a plug-in has thrown this and nothing handles it: in a callback, or in a promise that nothing awaits`,
    );
  // Most commands have loaded it; it loads much code.
  void import("./complaint.ts").then(({ complain }) => {
    complain(error);
    exit(1);
  });
}

function fail(message: string): never {
  process.stderr.write(`${message}\n`);
  return exit(1);
}

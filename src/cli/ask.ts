import { createInterface } from "node:readline/promises";

/** Asks a question on the terminal, and waits for yes or no. Anything but yes, Ctrl-C and the end of the input are a no. */
export async function askYes(question: string): Promise<boolean> {
  const answer = await askLine(`${question} [y/N] `);
  return /^y(?:es)?$/i.test(answer ?? "");
}

/** Asks for a line of text on the terminal; undefined if Ctrl-C or the end of the input comes first. */
export async function askLine(question: string): Promise<string | undefined> {
  const terminal = createInterface({ input: process.stdin, output: process.stderr });
  // The question never ends at the end of the input.
  const closed = new Promise<undefined>((resolve) => terminal.once("close", () => resolve(undefined)));
  const answer = await Promise.race([terminal.question(question).catch(() => undefined), closed]);
  terminal.close();
  // Ctrl-C leaves the line of the question open.
  if (answer === undefined) process.stderr.write("\n");
  return answer?.trim();
}

/** Whether the user can be asked. */
export function canAsk(): boolean {
  return process.stdin.isTTY && process.stderr.isTTY;
}

/** What an error of the server means, in words for people. */
export function serverMessage(error: unknown): string {
  const text = (error as Error).message;
  if (/jetstream.*not enabled|no responders|503/i.test(text))
    return "JetStream is not enabled there: start nats-server with -js, or with a block jetstream {} in its file";
  if (/permissions violation/i.test(text)) return `a right is missing (docs/fleet.md lists them): ${text}`;
  return text;
}

/** An error in words for people. */
export function describeError(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}

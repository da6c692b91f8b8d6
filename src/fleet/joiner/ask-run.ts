import { FleetUnavailable } from "../fleet-unavailable.ts";
import type { JoinerEnv } from "./joiner-env.ts";
import type { HelloAnswer, HelloRequest } from "../wire/hello.ts";
import { jsonMessage, readJson } from "../wire/json-message.ts";
import { helloSubject } from "../wire/subjects.ts";

/** Milliseconds for an answer of the run. */
const ANSWER_MS = 30_000;

/** The run does not answer now; it may do so later. */
export class RunSilent extends FleetUnavailable {}

/** The run does not let the joiner play. */
export class RefusedByRun extends FleetUnavailable {}

type Asked = {
  [A in HelloRequest["asks"]]: Omit<Extract<HelloRequest, { asks: A }>, "joiner" | "name">;
}[HelloRequest["asks"]];

/** Asks a run. Throws RunSilent if it does not answer, RefusedByRun if it refuses. */
export async function askRun(env: JoinerEnv, run: string, asked: Asked): Promise<HelloAnswer> {
  const { joiner, name } = env;
  const message = new TextEncoder().encode(jsonMessage({ ...asked, joiner, name }));
  const answer = (await request(env, helloSubject(run), message)) as HelloAnswer | undefined;
  if (answer === undefined) throw new RunSilent("the run does not answer");
  if (answer.refusal !== undefined) throw new RefusedByRun(answer.refusal);
  return answer;
}

/** The answer to a request; undefined if none comes in time. */
export async function request(
  { connection }: JoinerEnv,
  subject: string,
  message: Uint8Array,
): Promise<Readonly<Record<string, unknown>> | undefined> {
  try {
    const { data } = await connection.request(subject, message, { timeout: ANSWER_MS });
    return readJson(data);
  } catch {
    return undefined;
  }
}

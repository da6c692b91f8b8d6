// Joiners that invent their games: simulated-joiners URL RUN JOINERS CONNECTIONS SIZE BITS
import { hostname } from "node:os";
import { connectFleet, fleetAddress } from "../../src/fleet/connect.ts";
import { jsonMessage } from "../../src/fleet/wire/json-message.ts";
import { encodeResult } from "../../src/fleet/wire/report-message.ts";
import { BEAT_MS, joinerBeat, resultSubject, TASKS } from "../../src/fleet/wire/subjects.ts";
import { decodeTask } from "../../src/fleet/wire/task-message.ts";
import { type IntakeCase, inventedReport, openIntake } from "./bench-games.ts";
import { answerParent } from "./fleet-process.ts";

const [url = "", run = "", ...numbers] = process.argv.slice(2);
const [joiners = 1, connections = 1, size = 9, bits = 0] = numbers.map(Number);
const kind = { size, bits } as IntakeCase;
const opened = openIntake(kind);
/** Games that a joiner has under way. */
const PLACES = 4;

const { jetstream } = await import("@nats-io/jetstream");
for (let at = 0; at < connections; at++) {
  const connection = await connectFleet(fleetAddress(url), "joiner");
  const own = Array.from({ length: Math.ceil(joiners / connections) }, (_, i) => `simulated-${at}-${i}`);
  const beat = () => {
    for (const joiner of own)
      connection.publish(
        joinerBeat(joiner),
        jsonMessage({
          joiner,
          name: `${hostname()}:${joiner}`,
          runs: { [run]: { places: PLACES, playing: [] } },
        }),
      );
  };
  beat();
  setInterval(beat, BEAT_MS);
  const consumer = await jetstream(connection, { checkAPI: false }).consumers.get(TASKS, run);
  const messages = await consumer.consume({ max_messages: PLACES * own.length, expires: 5000 });
  let turn = 0;
  void (async () => {
    for await (const message of messages) {
      const joiner = own[turn++ % own.length]!;
      const { task } = decodeTask(message.data);
      const key = message.subject.split(".").at(-1)!;
      const result = encodeResult({ joiner, bits: {}, report: inventedReport(opened, task, kind) });
      // It is not waited for: so many joiners have so many results on their way.
      void connection.request(resultSubject(run, joiner, key), result, { timeout: 30_000 }).then(
        () => message.ack(),
        () => message.nak(),
      );
    }
  })();
}
answerParent();

import { expect, it, onTestFinished } from "vitest";
import { connectFleet, fleetAddress } from "../../../../src/fleet/connect.ts";
import { noServer, startServer } from "../../../fleet/nats-server.ts";
import { ludoflow } from "../../../cli/run-cli.ts";

/** Heartbeats that a program of another kind may send, for both kinds of subjects. */
const malformed: readonly string[] = [
  "",
  "no JSON",
  "null",
  "7",
  "[]",
  "{}",
  '{"joiner":"x","name":"no-runs:1"}',
  '{"joiner":"x","name":"null:1","runs":null}',
  '{"joiner":"x","name":"work:1","runs":{"one":null}}',
  '{"joiner":"x","name":"places:1","runs":{"one":{"places":"4","playing":[]}}}',
  '{"joiner":7,"name":"number:1","runs":{}}',
  '{"joiner":"x","name":"\\u001b[2Jclears:1","runs":{}}',
  '{"run":"r","name":"no-joiners on a:1","process":"p"}',
  '{"run":"r","name":"null on a:1","process":"p","joiners":null}',
  '{"run":"r","name":"empty on a:1","process":"p","joiners":[{}]}',
  '{"run":"r","name":"rate on a:1","process":"p","joiners":[{"name":"b:1","places":1,"games":2,"rate":null}]}',
];

const run = {
  run: "one",
  name: "my-experiment on studio:4711",
  process: "p",
  joiners: [{ name: "lab-07:2093", places: 16, games: 412, rate: 2.6 }],
};
const joiner = { joiner: "j", name: "lab-09:11", runs: {} };

it("lists runs and joiners, and passes over heartbeats that are none", async ({ skip }) => {
  skip(noServer !== undefined, noServer);
  const { url } = await startServer();
  const connection = await connectFleet(fleetAddress(url), "run");
  const beat = () => {
    for (const [at, text] of malformed.entries())
      for (const kind of ["run", "beat"]) connection.publish(`lf.${kind}.malformed-${at}`, text);
    connection.publish("lf.run.one", JSON.stringify(run));
    connection.publish("lf.beat.j", JSON.stringify(joiner));
  };
  const timer = setInterval(beat, 200);
  onTestFinished(async () => {
    clearInterval(timer);
    await connection.close();
  });
  expect(await ludoflow(["fleet", url]).ended).toMatchObject({
    code: 0,
    err: "",
    out: [
      "my-experiment on studio:4711",
      "  joiner       places  games  games/s",
      "  lab-07:2093      16    412      2.6",
      "joined, and without a run: lab-09:11",
      "",
    ].join("\n"),
  });
  const { code, err, out } = await ludoflow(["fleet", url, "--json"]).ended;
  expect([
    code,
    err,
    out
      .trim()
      .split("\n")
      .map((line) => JSON.parse(line) as unknown),
  ]).toEqual([0, "", [run]]);
});

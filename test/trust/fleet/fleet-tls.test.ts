import { readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";
import { connectFleet, fleetAddress } from "../../../src/fleet/connect.ts";
import { fleetState } from "../../../src/fleet/fleet-state.ts";
import { Joiner } from "../../../src/fleet/joiner/joiner.ts";
import { openFleetHost } from "../../../src/fleet/run/fleet-host.ts";
import { certificates, noOpenssl } from "../../fleet/certificates.ts";
import { noServer, startServer } from "../../fleet/nats-server.ts";
import { scratchFolder } from "../../formats/scratch-folder.ts";
import { resultsOf, startRun, writeExperiment, zeroExperiment } from "../../graph/tiny-run.ts";

/** The accounts and rights of the example. */
function exampleAccounts(): string {
  const file = readFileSync(join(import.meta.dirname, "../../../examples/fleet/nats.conf"), "utf8");
  return /^accounts \{\n[^]*?^\}\n/m
    .exec(file)![0]
    .replace("$RUN_PASSWORD", "run-secret")
    .replace("$JOINER_PASSWORD", "joiner-secret");
}

const tls = (folder: string) =>
  `tls { cert_file: "${join(folder, "server.pem")}", key_file: "${join(folder, "server.key")}" }\n`;

it("a run and a joiner need no more than the rights of the example, and speak TLS", async ({ skip }) => {
  skip((noServer ?? noOpenssl) !== undefined, noServer ?? noOpenssl);
  const folder = scratchFolder();
  certificates(folder, "localhost");
  const server = await startServer(tls(folder) + exampleAccounts());
  const { port } = new URL(server.url);
  const as = (user: string) =>
    fleetAddress(`tls://localhost:${port}`, {
      LUDOFLOW_FLEET_USER: user,
      LUDOFLOW_FLEET_PASSWORD: `${user}-secret`,
      LUDOFLOW_FLEET_CA: join(folder, "ca.pem"),
    });
  const said: string[] = [];
  const joiner = await Joiner.open(
    await connectFleet(as("joiner"), "joiner"),
    { workers: 1, compute: {}, plugins: [] },
    (message) => said.push(message),
    join(folder, "cache"),
  );
  try {
    const file = writeExperiment(folder, zeroExperiment);
    const set = ["graph.games.games=24"];
    const warnings: string[] = [];
    const connection = await connectFleet(as("run"), "run");
    const outcome = await startRun(file, join(folder, "run"), set, {
      hostOf: ({ folder: run, note }) =>
        openFleetHost({
          connection,
          folder: run,
          note,
          mixed: false,
          playsHere: false,
          taint: (reason) => expect.fail(reason),
        }),
      onEvent: (event) => {
        if (event.type === "note" && event.level === "warning") warnings.push(event.message);
      },
    });
    // A busy machine may take seconds before its joiner is there.
    const others = warnings.filter((message) => !message.startsWith("no machine plays"));
    expect([outcome, others]).toEqual([{ outcome: "finished" }, []]);
    expect(said).toContainEqual(expect.stringMatching(/^plays for tiny-zero on /));
    expect(await startRun(file, join(folder, "alone"), set)).toEqual({ outcome: "finished" });
    expect(resultsOf(join(folder, "run"))).toEqual(resultsOf(join(folder, "alone")));
    const listing = await connectFleet(as("joiner"), "joiner");
    expect(await fleetState(listing)).toMatchObject({ idle: [expect.any(String)], runs: [] });
    await listing.close();
  } finally {
    await joiner.close();
  }
});

it("says what is wrong with a certificate", async ({ skip }) => {
  skip((noServer ?? noOpenssl) !== undefined, noServer ?? noOpenssl);
  const folder = scratchFolder();
  certificates(folder, "another.example");
  const { url } = await startServer(tls(folder));
  const address = `tls://localhost:${new URL(url).port}`;
  const attempt = (environment: Record<string, string>) =>
    connectFleet(fleetAddress(address, environment), "joiner");
  await expect(attempt({})).rejects.toThrow(/is signed by an authority that this machine does not know/);
  await expect(attempt({ LUDOFLOW_FLEET_CA: join(folder, "ca.pem") })).rejects.toThrow(
    /its certificate is for another host/,
  );
});

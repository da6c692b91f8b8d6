import { spawnSync } from "node:child_process";
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";
import { scratchFolder } from "../formats/scratch-folder.ts";
import { certificates, noOpenssl } from "./certificates.ts";
import { noServer, program } from "./nats-server.ts";

const example = (name: string) =>
  readFileSync(join(import.meta.dirname, "../../examples/fleet", name), "utf8");
const call = (program: string, ...args: string[]) => spawnSync(program, args, { encoding: "utf8" });

it("the script of SLURM jobs is one that bash reads", ({ skip }) => {
  skip(call("bash", "--version").status !== 0, "no bash");
  const script = join(scratchFolder(), "joiners.sbatch");
  writeFileSync(script, example("joiners.sbatch"));
  expect(call("bash", "-n", script)).toMatchObject({ status: 0, stderr: "" });
});

it("the file of the server is one that the server takes", ({ skip }) => {
  skip((noServer ?? noOpenssl) !== undefined, noServer ?? noOpenssl);
  const folder = scratchFolder();
  certificates(folder, "localhost");
  const checked = (text: string) => {
    const file = join(folder, "nats.conf");
    // Certificates and data lie elsewhere where the tests run.
    writeFileSync(
      file,
      text
        .replace("/etc/nats/server.pem", join(folder, "server.pem"))
        .replace("/etc/nats/server-key.pem", join(folder, "server.key"))
        .replace("/var/lib/nats", join(folder, "store")),
    );
    const environment = { ...process.env, RUN_PASSWORD: "one", JOINER_PASSWORD: "other" };
    return spawnSync(program!, ["-t", "-c", file], { encoding: "utf8", env: environment });
  };
  const text = example("nats.conf");
  expect(checked(text)).toMatchObject({
    status: 0,
    stderr: expect.stringContaining("configuration file") as unknown,
  });
  // The check sees what is wrong.
  expect(checked(text.replace("max_payload:", "max_payloads:")).status).not.toBe(0);
});

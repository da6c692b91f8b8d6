import { spawnSync } from "node:child_process";
import { join } from "node:path";
import { expect, it } from "vitest";
import { packageRoot } from "../../../../src/package-root.ts";
import { bin } from "../../../cli/run-cli.ts";

/** What a shell command with `check /dev/stdin` at its end says. */
function checkOf(source: string): {
  readonly code: number | null;
  readonly out: string;
  readonly err: string;
} {
  const command = `${source} | "${process.execPath}" "${bin}" check /dev/stdin`;
  const { status, stderr, stdout } = spawnSync("sh", ["-c", command], { encoding: "utf8" });
  return { code: status, out: stdout, err: stderr };
}

it("checks an experiment that comes by a pipe", () => {
  const file = join(packageRoot(), "experiments", "quickstart.yaml");
  expect(checkOf(`cat "${file}"`)).toEqual({
    code: 0,
    out: "/dev/stdin: ok (quickstart, 4 stages)\n",
    err: "",
  });
});

it("ends where a pipe does not", () => {
  expect(checkOf("yes '# comment'")).toEqual({
    code: 2,
    out: "",
    err: '/dev/stdin: "/dev/stdin" cannot be read: it has more than 16 MiB\n',
  });
});

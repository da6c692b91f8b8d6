import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";
import { ludoflow } from "../../cli/run-cli.ts";
import { textOf } from "../../docs/pages.ts";
import { scratchFolder } from "../../formats/scratch-folder.ts";

it("the pages show what a sweep, its comparison and the list of its runs print", async () => {
  const folder = scratchFolder();
  const page = textOf("docs/comparing-runs.md");
  const [, commands, printed] = /^```\n((?:\$ [^\n]*\n)+)(.*?)^```$/ms.exec(page)!;
  const [, file] = /^```yaml\n(name: lambdas\n.*?)^```$/ms.exec(page)!;
  writeFileSync(join(folder, "lambdas.yaml"), file!);
  const lines = commands!.trim().split("\n");
  expect(lines.length).toBe(2);
  let out = "";
  for (const line of lines) {
    const ended = await ludoflow(line.split(" ").slice(2), folder).ended;
    expect(ended.code, ended.err).toBe(0);
    ({ out } = ended);
  }
  expect(out).toBe(printed);
  const [, list] = /^```\n\$ ludoflow runs\n(.*?)^```$/ms.exec(textOf("docs/runs.md"))!;
  const listed = await ludoflow(["runs"], folder).ended;
  // Sizes differ by some bytes from time to time.
  const withoutSizes = (text: string) => text.replaceAll(/ *[\d.]+ [kM]B/g, "");
  expect(withoutSizes(listed.out)).toBe(withoutSizes(list!));
}, 300_000);

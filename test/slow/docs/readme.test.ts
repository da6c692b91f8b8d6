import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { parse } from "yaml";
import { ludoflow } from "../../cli/run-cli.ts";
import { scratchFolder } from "../../formats/scratch-folder.ts";
import { data } from "../../docs/measured.ts";
import { root, textOf } from "../../docs/pages.ts";

const readme = textOf("README.md");
/** The experiments that the README shows, in order. */
const [quickstart, match] = [...readme.matchAll(/^```yaml\n(.*?)^```$/gms)].map(([, yaml]) => yaml!);

describe("README.md", () => {
  it("shows the quickstart experiment as it is", () => {
    const {
      description: _,
      cost: _cost,
      ...file
    } = parse(readFileSync(`${root}experiments/quickstart.yaml`, "utf8")) as Record<string, unknown>;
    expect(parse(quickstart!)).toEqual(file);
  });

  it("shows the table that its match prints", async () => {
    const folder = scratchFolder();
    writeFileSync(join(folder, "match.yaml"), match!);
    const { code, out } = await ludoflow(["match", "match.yaml"], folder).ended;
    expect(code).toBe(0);
    const [, table] = /prints:\n\n```\n(.*?)^```$/ms.exec(readme)!;
    // The last column is processor time, which differs from run to run.
    const timeless = (text: string) => text.replace(/ +(ms a move|\S+)$/gm, "");
    expect(timeless(out)).toContain(timeless(table!));
    // The times of one machine are those of the data beside it.
    const measured = data("results/readme-match/contest-standings.csv");
    expect([...table!.matchAll(/^(\w+) .* ([\d.]+)$/gm)].map(([, agent, time]) => [agent, time])).toEqual(
      measured.map((row) => [row["agent"], String(Number(Number(row["ms a move"]).toPrecision(4)))]),
    );
  });
});

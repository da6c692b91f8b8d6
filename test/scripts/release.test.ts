import { describe, expect, it } from "vitest";
import { changeLogProblems } from "../../scripts/change-log.ts";
import { missingFiles } from "../../scripts/tarball.ts";
import { filesUnder } from "../docs/pages.ts";

describe("the change log of a release", () => {
  const log = (unreleased: string, entry: string) =>
    `# Change log\n\n## [Unreleased]\n\n${unreleased}\n## [1.2.3]${entry}\n\n## [1.2.2] - 2026-01-01\n\n- Older.\n`;

  it("has an entry with a day and changes, and nothing unreleased", () => {
    expect(changeLogProblems(log("", " - 2026-02-03\n\n### Added\n\n- New."), "1.2.3")).toEqual([]);
  });

  it.each([
    [log("- Pending.\n", " - 2026-02-03\n\n- New."), "1.2.3", /entries under "Unreleased"/],
    [log("", " - 2026-02-03\n\n- New."), "1.2.4", /no entry for version 1\.2\.4/],
    [log("", "\n\n- New."), "1.2.3", /no day/],
    [log("", " - 2026-02-03\n"), "1.2.3", /lists no change/],
  ])("is refused otherwise", (text, version, problem) => {
    expect(changeLogProblems(text, version)).toEqual([expect.stringMatching(problem)]);
  });
});

it("a tarball without built code, or without one experiment, lacks files", () => {
  const shipped = ["bin", "toolchain", "schemas", "experiments", "template"].flatMap((folder) =>
    filesUnder(folder),
  );
  const sources = filesUnder("src").filter((file) => file.endsWith(".ts"));
  const compiled = sources
    .filter((file) => !file.startsWith("src/web/pages/"))
    .map((file) => `dist/${file.replace(/\.ts$/, ".js")}`);
  compiled.push("dist/page/index.html", "dist/alone/player.js");
  const whole = ["LICENSE", "README.md", "CHANGELOG.md", ...shipped, ...compiled];
  expect(missingFiles(whole)).toEqual([]);
  expect(missingFiles(whole.filter((file) => !file.startsWith("dist/"))).toSorted()).toEqual(
    compiled.toSorted(),
  );
  const quickstart = "experiments/quickstart.yaml";
  expect(missingFiles(whole.filter((file) => file !== quickstart))).toEqual([quickstart]);
});

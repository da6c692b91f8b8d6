import { expect, it } from "vitest";
import { textOf } from "./pages.ts";

it("docs/comparing-runs.md shows what its comparison at equal time has printed", () => {
  // Times differ from run to run, so the output of one is kept.
  const printed = textOf("docs/results/gumbel-or-puct.txt");
  const [, shown] = /^```\n(curve: share won of player after .*?)^```$/ms.exec(
    textOf("docs/comparing-runs.md"),
  )!;
  expect(printed).toContain(shown!);
});

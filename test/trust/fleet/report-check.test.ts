import { it } from "vitest";
import { experiments, expectOwnReports, expectReadableExamples } from "../../fleet/check/played-games.ts";

const names = Object.keys(experiments) as (keyof typeof experiments)[];

it.for(names)("takes every honest report, and no report of another game: %s", expectOwnReports);

it("takes no examples that a learner could not read, whichever bit of them is turned", () =>
  expectReadableExamples(names));

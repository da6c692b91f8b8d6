import { relative } from "node:path";
import { expect } from "vitest";
import { coverageFile } from "./coverage.ts";
import { COVERAGE_FILE } from "./regions.ts";

// Before a test file is loaded: its processes and threads inherit where they write the regions that they enter.
const folder = process.env[`${COVERAGE_FILE}_FOLDER`];
const test = expect.getState().testPath;
if (folder !== undefined && test !== undefined)
  process.env[COVERAGE_FILE] = coverageFile(folder, relative(process.cwd(), test));

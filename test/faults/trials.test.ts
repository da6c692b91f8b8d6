import { expect, it } from "vitest";
import { Trials } from "./trials.ts";

it("goes on after a case that fails, and fails at its end with all of them", async () => {
  const trials = new Trials("cases of a test", 3);
  const fail = (message: string) => () => Promise.reject(new Error(message));
  expect(await trials.attempt(fail("first"))).toBe("failed");
  expect(await trials.attempt(() => Promise.resolve("told"))).toBe("told");
  expect(await trials.attempt(fail("third"))).toBe("failed");
  expect([trials.of("told"), trials.of("failed")]).toEqual([1, 2]);
  expect(() => trials.end()).toThrow("2 of 3 have failed:\nfirst\n\nthird");
});

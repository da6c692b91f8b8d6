import { expect, it } from "vitest";
import { GtpError } from "../../../../src/protocols/gtp/error.ts";
import { rulesOfKata } from "../../../../src/protocols/gtp/go/rules.ts";

it("refuses rules that are nested too deeply to be shown in a message", () => {
  const deep = `${"[".repeat(100_000)}${"]".repeat(100_000)}`;
  for (const text of [`{"ko":${deep}}`, `{"scoring":${deep}}`]) {
    expect(() => rulesOfKata(text)).toThrow(GtpError);
    expect(() => rulesOfKata(text)).toThrow(/nested too deeply; at most 100 levels/);
  }
  expect(rulesOfKata('{"ko":"SIMPLE","suicide":true}')).toEqual({ superko: "simple", suicide: true });
});

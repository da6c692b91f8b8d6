import { describe, expect, it } from "vitest";
import { serveCommand } from "../../../src/cli/commands/serve.ts";
import { isEveryAddress } from "../../../src/web/server/page-server.ts";

describe("the names by which a page is asked for", () => {
  it.each([
    [["--host", "0.0.0.0"], "--host 0.0.0.0 means all addresses of this machine"],
    [["--host", "::"], "add --allow-host NAME"],
    [["--allow-host", "a,b"], 'not "a,b"'],
    [["--allow-host", "lab:0"], 'not "lab:0"'],
    [["--allow-host", "lab", "localhost:99999"], 'not "localhost:99999"'],
    [["--allow-host", "http://lab"], 'not "http://lab"'],
  ])("are refused in %j, before anything listens", async (flags, message) => {
    await expect(serveCommand().parseAsync([".", ...flags], { from: "user" })).rejects.toThrow(message);
  });

  it("are needed for addresses that mean all of a machine's, and for no others", () => {
    for (const host of ["0.0.0.0", "::", "[::]", "0:0:0:0:0:0:0:0"]) expect(isEveryAddress(host)).toBe(true);
    for (const host of ["127.0.0.1", "::1", "10.0.0.1", "lab", "localhost"])
      expect(isEveryAddress(host)).toBe(false);
  });
});

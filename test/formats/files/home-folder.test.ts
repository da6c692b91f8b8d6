import * as os from "node:os";
import { afterEach, expect, it, vi } from "vitest";
import { homeFolder } from "../../../src/formats/files/home-folder.ts";
import { notAllowed, permissionsFolder } from "../../../src/graph/code/permission.ts";

vi.mock("node:os", { spy: true });

afterEach(() => void vi.unstubAllEnvs());

it("a user whom the system does not know has the root folder, where nothing is allowed", () => {
  vi.stubEnv("XDG_CONFIG_HOME", undefined);
  vi.mocked(os.homedir).mockImplementation(() => {
    throw new Error("uv_os_homedir returned ENOENT (no such file or directory)");
  });
  expect(homeFolder()).toBe("/");
  expect(permissionsFolder()).toBe("/.config/ludoflow/allowed-code");
  const code = { kind: "program", where: "agent", what: "gnugo", content: "gnugo" } as const;
  expect(notAllowed([code])).toEqual([code]);
});

import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { ludoflow } from "../../cli/run-cli.ts";

let folder = "";

beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), "ludoflow-uecda-"));
  writeFileSync(join(folder, "default.yaml"), "{ use: default }\n");
  const policy = fileURLToPath(new URL("../../../experiments/daihinmin-policy", import.meta.url));
  writeFileSync(
    join(folder, "search.yaml"),
    `{ use: so-ismcts, net: ${policy}, epsilon: 0, simulations: 10 }\n`,
  );
  writeFileSync(join(folder, "gretel.yaml"), "{ use: gretel }\n");
});
afterAll(() => rmSync(folder, { recursive: true }));

const file = (name: string) => join(folder, name);

describe("ludoflow uecda-server and uecda-client", () => {
  it("play a series with each other and say how it went", async () => {
    const agents = Array.from({ length: 4 }, () => file("default.yaml"));
    const server = ludoflow([
      "uecda-server",
      "--port",
      "0",
      "--games",
      "3",
      "--seed",
      "5",
      "--agents",
      ...agents,
    ]);
    let port: string | undefined;
    let err = "";
    server.process.stderr.on("data", (bytes: Buffer) => {
      err += bytes.toString();
    });
    await server.said("waiting for 1 of 5 players");
    while ((port = /127\.0\.0\.1:(\d+)\n/.exec(err)?.[1]) === undefined)
      await new Promise((resolve) => setTimeout(resolve, 5));
    const client = ludoflow([
      "uecda-client",
      "--port",
      port,
      "--agent",
      file("search.yaml"),
      "--name",
      "seeker",
    ]);
    const [played, served] = await Promise.all([client.ended, server.ended]);
    expect(played).toMatchObject({ code: 0, err: `seeker is player 0 on 127.0.0.1:${port}\n` });
    expect(played.out).toMatch(/^3 games, places 1 to 5: (\d \d \d \d \d), plays rejected: 0\n$/);
    expect(served.code).toBe(0);
    expect(served.err).toMatch(/player 0 \(seeker\) is here\n$/);
    const lines = served.out.trimEnd().split("\n");
    expect(lines.slice(0, 3).every((line, i) => line.startsWith(`game ${i + 1}: places `))).toBe(true);
    const places = lines.slice(0, 3).map((line) => Number(/places (\d)/.exec(line)![1]));
    const counted = [1, 2, 3, 4, 5].map((place) => places.filter((each) => each === place).length);
    expect(played.out).toContain(`places 1 to 5: ${counted.join(" ")},`);
    expect(lines[3]).toBe(`seeker: ${places.reduce((sum, place) => sum + 6 - place, 0)} points`);
    expect(lines.length).toBe(8);
  });

  it("end with 2 and say what is wrong with what they are asked", async () => {
    const wrong: readonly (readonly [readonly string[], RegExp])[] = [
      [["uecda-client"], /required option '--agent <file>' not specified/],
      [["uecda-client", "--agent", file("none.yaml")], /cannot read the file ".*none.yaml"/],
      [["uecda-client", "--agent", file("gretel.yaml")], /unknown search "gretel"/],
      [["uecda-client", "--agent", file("default.yaml"), "--port", "0"], /expected a port from 1 to 65535/],
      [["uecda-client", "--agent", file("default.yaml"), "--name", "a name too long"], /1 to 15 characters/],
      [["uecda-client", "--agent", file("default.yaml"), "--port", "1"], /no server at 127.0.0.1:1/],
      [["uecda-server", "--games", "0"], /expected a whole number from 1 to 10000/],
      [["uecda-server", "--prot", "9"], /unknown option '--prot'/],
      [
        ["uecda-server", "--agents", ...Array.from({ length: 6 }, () => file("default.yaml"))],
        /6 agents, and there are 5/,
      ],
      [["uecda-server", "--agents", file("gretel.yaml")], /unknown search "gretel"/],
    ];
    for (const [args, message] of wrong) {
      const { code, out, err } = await ludoflow(args).ended;
      expect(err).toMatch(message);
      expect(err).not.toMatch(/\n\s+at /);
      expect([code, out]).toEqual([2, ""]);
    }
  });
});

import { request } from "node:http";
import { mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { createRunFolder, metricsPath } from "../../../src/graph/folder/run-folder.ts";
import type { Experiment } from "../../../src/operators/experiment/open-experiment.ts";
import { type PageServer, startPageServer } from "../../../src/web/server/page-server.ts";
import type { Assets } from "../../../src/web/server/assets.ts";

const page = { body: Buffer.from("<p>page</p>"), gzipped: Buffer.from(""), type: "text/html" };
const assets: Assets = {
  index: page,
  files: new Map([["/assets/main.js", { ...page, type: "text/javascript" }]]),
};
const experiment = {
  name: "hostile",
  seed: 1,
  game: { rules: "tic-tac-toe" },
  nets: {},
  agents: { "<img src=x onerror=alert(1)>": { use: "random" } },
  graph: { match: { use: "arena", agents: ["<img src=x onerror=alert(1)>"], games: 2 } },
} as unknown as Experiment;

let folder: string;
let server: PageServer;
let cookie: string;

interface Answer {
  readonly status: number;
  readonly text: string;
  readonly headers: Readonly<Record<string, string | string[] | undefined>>;
}

/** A request as it is written, without the help of a browser: `path` goes out as it stands. */
function ask(
  path: string,
  {
    body,
    headers = {},
    method = "GET",
  }: { readonly method?: string; readonly body?: string; readonly headers?: Record<string, string> } = {},
): Promise<Answer> {
  return new Promise((resolve, reject) => {
    const sent = request({ host: "127.0.0.1", port: server.port, path, method, headers }, (response) => {
      let text = "";
      response.setEncoding("utf8").on("data", (more: string) => (text += more));
      response.on("end", () => resolve({ status: response.statusCode!, text, headers: response.headers }));
    });
    sent.on("error", reject);
    sent.end(body);
  });
}

const own = (more: Record<string, string> = {}) => ({ headers: { Cookie: cookie, ...more } });
const post = (path: string, value: unknown, more: Record<string, string> = {}) =>
  ask(path, {
    method: "POST",
    body: typeof value === "string" ? value : JSON.stringify(value),
    headers: {
      Cookie: cookie,
      Origin: `http://127.0.0.1:${server.port}`,
      "Content-Type": "application/json",
      ...more,
    },
  });

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), "ludoflow-page-"));
  const run = createRunFolder(experiment, { set: [] }, join(folder, "runs/hostile/A"), new Date(0));
  run.release();
  writeFileSync(
    metricsPath(run.folder),
    `${JSON.stringify({ type: "run-started", name: "hostile", seed: 1, workers: 1, resumed: false, compute: "", time: "2026-01-01T00:00:00.000Z", elapsed: 0 })}\n`,
  );
  mkdirSync(join(folder, "secret"));
  writeFileSync(join(folder, "secret/manifest.json"), "{}");
  symlinkSync(join(folder, "secret"), join(folder, "runs/hostile/linked"));
  server = await startPageServer(join(folder, "runs"), { assets });
  const { headers } = await ask(new URL(server.link).pathname + new URL(server.link).search);
  cookie = String(headers["set-cookie"]).split(";")[0]!;
});

afterAll(async () => {
  await server.close();
  rmSync(folder, { recursive: true });
});

describe("who may see the page", () => {
  it("gives the token as a cookie that scripts cannot read, and takes it out of the address", async () => {
    const { search } = new URL(server.link);
    const { headers, status } = await ask(`/runs/a${search}&x=1`);
    expect([status, headers["location"]]).toEqual([303, "/runs/a?x=1"]);
    expect(String(headers["set-cookie"])).toMatch(
      /^ludoflow-\d+=[\w-]{32}; Path=\/; HttpOnly; SameSite=Strict$/,
    );
  });

  it("refuses who has no token, a wrong one, or one of another length", async () => {
    const name = cookie.split("=")[0]!;
    for (const headers of [{}, { Cookie: `${name}=${"x".repeat(32)}` }, { Cookie: `${name}=` }]) {
      const { status, text } = await ask("/api/runs", { headers });
      expect(status).toBe(401);
      expect(text).toContain("Open the link that ludoflow has printed");
    }
    expect((await ask("/?token=wrong")).status).toBe(401);
  });

  it("answers under its own address alone: DNS rebinding has another host", async () => {
    expect((await ask("/", own({ Host: `evil.example:${server.port}` }))).status).toBe(421);
    expect((await ask("/", own({ Host: "127.0.0.1" }))).status).toBe(421);
    expect((await ask("/", own({ Host: `localhost:${server.port}` }))).status).toBe(200);
  });

  it("refuses pages of other origins, and changes without an origin", async () => {
    expect((await ask("/api/runs", own({ Origin: "http://evil.example" }))).status).toBe(403);
    expect((await ask("/api/runs", own({ Origin: "null" }))).status).toBe(403);
    expect((await post("/api/stop", {}, { Origin: "http://evil.example" })).status).toBe(403);
    expect((await post("/api/stop", {}, { "Sec-Fetch-Site": "same-site" })).status).toBe(403);
    expect((await ask("/api/stop", { method: "POST", ...own(), body: "{}" })).status).toBe(403);
  });
});

describe("what is sent", () => {
  it("has a strict policy everywhere", async () => {
    for (const path of ["/", "/api/runs", "/assets/main.js", "/nothing"]) {
      const { headers } = await ask(path, own());
      const policy = String(headers["content-security-policy"]);
      expect(policy).toContain("default-src 'none'");
      expect(policy).toContain("frame-ancestors 'none'");
      expect(policy).not.toMatch(/unsafe|\*/);
      expect(headers["x-content-type-options"]).toBe("nosniff");
    }
  });

  it("lists the runs, and none behind a link", async () => {
    const { text } = await ask("/api/runs", own());
    const { runs } = JSON.parse(text) as {
      readonly runs: readonly { readonly path: string; readonly condition: string }[];
    };
    expect(runs.map(({ condition, path }) => [path, condition])).toEqual([["hostile/A", "silent"]]);
  });

  it("leads to no path outside the folder", async () => {
    for (const path of [
      "/api/run-settings/../secret",
      "/api/run-settings/%2e%2e/secret",
      "/api/run-settings/..%2fsecret",
      "/api/run-settings/hostile/linked",
      "/api/run-settings/hostile/A/..%5c..",
      "/api/run-settings/hostile/A%00",
      "/report/..%2f..%2fsecret/report.html",
      "/report/hostile/A/data/..%2f..%2fmanifest.json",
      "//evil.example/api/runs",
      "/assets/..%2findex.html",
    ])
      expect((await ask(path, own())).status, path).toBeGreaterThanOrEqual(400);
    expect((await post("/api/stop", { run: "../secret" })).status).toBe(404);
    expect((await ask("/api/run-settings/hostile/A", own())).status).toBe(200);
  });

  it("escapes a stranger's names in documents, which may run no script", async () => {
    const { headers, status, text } = await ask("/report/hostile/A/report.html", own());
    expect(status).toBe(200);
    expect(text).not.toContain("<img src=x");
    expect(headers["content-security-policy"]).toMatch(/^sandbox; default-src 'none'/);
  });

  it("bounds what it is sent, and takes JSON alone", async () => {
    expect((await post("/api/stop", `"${"x".repeat(70_000)}"`)).status).toBe(413);
    expect((await post("/api/stop", "{")).status).toBe(400);
    expect((await post("/api/stop", "{}", { "Content-Type": "text/plain" })).status).toBe(415);
    expect((await post("/api/runs", {})).status).toBe(405);
  });

  it("starts only experiments that it offers", async () => {
    for (const experiment of ["/etc/passwd", "../x.yaml", "--help", undefined])
      expect((await post("/api/start", { experiment })).status).toBe(404);
  });

  it("tells why runs cannot be stopped or compared", async () => {
    expect((await post("/api/stop", { run: "hostile/A" })).text).toContain("This run is not at work.");
    expect((await ask("/api/compare?runs=hostile/A", own())).text).toContain("Choose at least two runs");
  });
});

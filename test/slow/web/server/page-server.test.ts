import { createHmac } from "node:crypto";
import { once } from "node:events";
import { Agent, type ClientRequest, request } from "node:http";
import { connect, type Socket } from "node:net";
import { copyFileSync, mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it, onTestFinished, vi } from "vitest";
import { createRunFolder, metricsPath } from "../../../../src/graph/folder/run-folder.ts";
import type { Experiment } from "../../../../src/operators/experiment/open-experiment.ts";
import { type PageServer, startPageServer } from "../../../../src/web/server/page-server.ts";
import type { Assets } from "../../../../src/web/server/assets.ts";
import { everyForeignFile, placeForeignFile } from "../../../faults/foreign-files.ts";

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

/** A request as it is written, without the help of a browser: `path` is sent unchanged. */
function ask(
  path: string,
  {
    body,
    headers = {},
    method = "GET",
    port = server.port,
  }: {
    readonly method?: string;
    readonly body?: string;
    readonly headers?: Record<string, string>;
    readonly port?: number;
  } = {},
): Promise<Answer> {
  return new Promise((resolve, reject) => {
    const sent = request({ host: "127.0.0.1", port, path, method, headers, agent: false }, (response) => {
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

describe("access to the page", () => {
  it("gives the token as a cookie that scripts cannot read, and takes it out of the address", async () => {
    const { search } = new URL(server.link);
    const { headers, status } = await ask(`/runs/a${search}&x=1`);
    expect([status, headers["location"]]).toEqual([303, "/runs/a?x=1"]);
    expect(String(headers["set-cookie"])).toMatch(
      /^ludoflow-\d+=[\w-]{32}; Path=\/; HttpOnly; SameSite=Strict$/,
    );
  });

  it("refuses browsers without a token, with a wrong one, or with one of another length", async () => {
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

  it("answers under the names that were allowed, with their ports, also behind a proxy that encrypts", async () => {
    const options = { assets, host: "0.0.0.0", allowHosts: ["Lab", "localhost:8888", "lab.example:443"] };
    const open = await startPageServer(join(folder, "runs"), options);
    onTestFinished(() => open.close());
    const { port } = open;
    const [link] = open.allowed;
    expect([link, open.link]).toEqual(
      Array.from({ length: 2 }, () => expect.stringMatching(`^http://Lab:${port}/`)),
    );
    const token = new URL(link!).searchParams.get("token");
    const { headers } = await ask(`/?token=${token}`, { port, headers: { Host: `lab:${port}` } });
    const Cookie = String(headers["set-cookie"]).split(";")[0]!;
    const status = async (Host: string, more: Record<string, string> = {}) =>
      (await ask("/api/pulse", { port, headers: { Cookie, Host, ...more } })).status;
    for (const host of [
      `lab:${port}`,
      "localhost:8888",
      `localhost:${port}`,
      "lab.example",
      "lab.example:443",
    ])
      expect(await status(host), host).toBe(200);
    for (const host of ["lab", "lab:8888", `0.0.0.1:${port}`, "evil.example", `lab.example:${port}`])
      expect(await status(host), host).toBe(421);
    expect(await status("lab.example", { Origin: "https://lab.example" })).toBe(200);
    expect(await status("lab.example", { Origin: "https://evil.example" })).toBe(403);
  });

  it("refuses pages of other origins, and changes without an origin", async () => {
    expect((await ask("/api/runs", own({ Origin: "http://evil.example" }))).status).toBe(403);
    expect((await ask("/api/runs", own({ Origin: "null" }))).status).toBe(403);
    expect((await post("/api/stop", {}, { Origin: "http://evil.example" })).status).toBe(403);
    expect((await post("/api/stop", {}, { "Sec-Fetch-Site": "same-site" })).status).toBe(403);
    expect((await ask("/api/stop", { method: "POST", ...own(), body: "{}" })).status).toBe(403);
  });
});

describe("a page that was open before the server was started", () => {
  let next: PageServer;
  const state = process.env["XDG_STATE_HOME"];
  const at = (path: string, more: Parameters<typeof ask>[1] = {}) => ask(path, { ...more, port: next.port });
  const answered = async (answer: unknown, origin = `http://127.0.0.1:${next.port}`) =>
    at("/api/return", {
      method: "POST",
      headers: { "Content-Type": "application/json", Origin: origin },
      body: JSON.stringify({ answer }),
    });
  beforeAll(async () => {
    process.env["XDG_STATE_HOME"] = join(folder, "state");
    next = await startPageServer(join(folder, "runs"), { assets, remembers: true });
  });
  afterAll(async () => {
    await next.close();
    if (state === undefined) delete process.env["XDG_STATE_HOME"];
    else process.env["XDG_STATE_HOME"] = state;
  });

  it("comes back to the next server of its folder by a key that it never sends, and by nothing else", async () => {
    const first = await at(`/?${new URL(next.link).searchParams.toString()}`);
    const own = { headers: { Cookie: String(first.headers["set-cookie"]).split(";")[0]! } };
    expect((await at("/api/return-key")).status).toBe(401);
    const { key } = JSON.parse((await at("/api/return-key", own)).text) as { readonly key: string };
    const { port } = next;
    await next.close();
    next = await startPageServer(join(folder, "runs"), { assets, remembers: true });
    expect(next.port).toBe(port);
    expect((await at("/api/runs", own)).status).toBe(401);
    const { challenge } = JSON.parse((await at("/api/return")).text) as { readonly challenge: string };
    const digest = (secret: string, text: string) => createHmac("sha256", secret).update(text).digest("hex");
    const right = digest(key, `${challenge} http://127.0.0.1:${port}`);
    for (const wrong of [
      undefined,
      "",
      key,
      digest("x".repeat(43), `${challenge} http://127.0.0.1:${port}`),
      digest(key, `${challenge} http://127.0.0.1:${port + 1}`),
      digest(key, `${"x".repeat(32)} http://127.0.0.1:${port}`),
    ])
      expect((await answered(wrong)).status).toBe(401);
    expect((await answered(right, "http://evil.example")).status).toBe(403);
    const back = await answered(right);
    expect(back.status).toBe(200);
    const given = String(back.headers["set-cookie"]);
    expect(given).toMatch(/HttpOnly; SameSite=Strict$/);
    expect((await at("/api/runs", { headers: { Cookie: given.split(";")[0]! } })).status).toBe(200);
    // An answer holds for one start of the server.
    await next.close();
    next = await startPageServer(join(folder, "runs"), { assets, remembers: true });
    expect((await answered(right)).status).toBe(401);
  });

  it("has another port if a second server of the folder has the first one's, which is remembered", async () => {
    const second = await startPageServer(join(folder, "runs"), { assets, remembers: true });
    const { port } = next;
    expect(second.port).not.toBe(port);
    await second.close();
    await next.close();
    next = await startPageServer(join(folder, "runs"), { assets, remembers: true });
    expect(next.port).toBe(port);
  });

  it("leaves the remembered port to the server that has it, and to nobody once that has ended", async () => {
    const other = join(folder, "other");
    mkdirSync(other);
    const first = await startPageServer(other, { assets, remembers: true });
    const second = await startPageServer(other, { assets, remembers: true, port: 0 });
    await second.close();
    await first.close();
    const third = await startPageServer(other, { assets, remembers: true });
    expect(third.port).toBe(first.port);
    await third.close();
    const chosen = await startPageServer(other, { assets, remembers: true, port: 0 });
    await chosen.close();
    const last = await startPageServer(other, { assets, remembers: true });
    await last.close();
    expect(last.port).toBe(chosen.port);
  });

  it("cannot come back if nothing is remembered", async () => {
    expect((await ask("/api/return-key", own())).text).toBe('{"key":null}');
  });
});

describe("how much is served at a time", () => {
  it("is 32 streams; the next one is refused until one of them is closed", async () => {
    const live: ClientRequest[] = [];
    const open = () =>
      new Promise<number>((resolve, reject) => {
        const sent = request(
          {
            host: "127.0.0.1",
            port: server.port,
            path: "/api/live?topic=runs",
            headers: { Cookie: cookie },
            agent: false,
          },
          (response) => {
            response.resume();
            response.on("error", () => {});
            resolve(response.statusCode!);
          },
        );
        sent.on("error", reject);
        sent.end();
        live.push(sent);
      });
    for (let i = 0; i < 32; i++) expect(await open()).toBe(200);
    expect(await open()).toBe(503);
    live[0]!.destroy();
    await expect.poll(open).toBe(200);
    for (const each of live) each.destroy();
    // All places are free again for other tests.
    await expect.poll(() => openConnections(), { timeout: 10_000 }).toBe(true);
  });

  it("has a place for browsers with access beside any number of connections that say nothing", async () => {
    const lasting = new Agent({ keepAlive: true, maxSockets: 1 });
    const kept = () =>
      new Promise<number>((resolve, reject) =>
        request(
          { port: server.port, path: "/api/pulse", headers: { Cookie: cookie }, agent: lasting },
          (answer) => {
            const { localPort } = answer.socket;
            answer.resume().on("end", () => resolve(localPort!));
          },
        )
          .on("error", reject)
          .end(),
      );
    const port = await kept();
    const sockets: Socket[] = [];
    let closed = 0;
    for (let i = 0; i < 300; i++) {
      const socket = connect(server.port, "127.0.0.1");
      sockets.push(socket.on("error", () => {}).on("close", () => closed++));
      await once(socket, "connect");
      if (i % 50 === 0) expect(await openConnections()).toBe(true);
    }
    // The oldest silent ones have made room, and not the connection of the browser.
    await expect.poll(() => closed).toBeGreaterThanOrEqual(300 - 64);
    expect(closed).toBeLessThan(300);
    expect(await kept()).toBe(port);
    for (const socket of sockets) socket.destroy();
    lasting.destroy();
    await expect.poll(() => openConnections(), { timeout: 10_000 }).toBe(true);
  });

  /** Whether the server answers again. */
  const openConnections = async () =>
    ask("/api/pulse", own()).then(
      ({ status }) => status === 200,
      () => false,
    );
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

  it.skipIf(process.platform === "win32")(
    "has nothing of a file behind a link in a run's folder, and does not wait for a pipe there",
    async () => {
      const secret = join(folder, "secret/text");
      writeFileSync(secret, "the-secret");
      const asked: Promise<Answer>[] = [];
      for (const [kind, file] of everyForeignFile()) {
        const name = `${kind}-${file.replaceAll(/\W/g, "-")}`;
        const run = createRunFolder(experiment, { set: [] }, join(folder, "runs/foreign", name), new Date(0));
        run.release();
        copyFileSync(metricsPath(join(folder, "runs/hostile/A")), metricsPath(run.folder));
        placeForeignFile(run.folder, kind, file, secret);
        for (const path of ["run-settings", "games", "newest-games", "game", "game-analysis"])
          asked.push(
            ask(
              `/api/${path}/foreign/${name}${path.startsWith("game-") || path === "game" ? "/match/0" : ""}`,
              own(),
            ),
          );
        asked.push(ask(`/api/compare?runs=foreign/${name}`, own()));
        asked.push(ask(`/report/foreign/${name}/report.html`, own()));
      }
      asked.push(ask("/api/runs", own()));
      const answers = await Promise.all(asked);
      for (const { status, text } of answers) {
        expect(status, text).not.toBe(500);
        expect(text).not.toContain("the-secret");
      }
      expect(answers.at(-1)!.text.match(/"condition":"damaged"/g)!.length).toBeGreaterThan(6);
      rmSync(join(folder, "runs/foreign"), { recursive: true });
    },
  );

  it("refuses addresses that could be read as those of other hosts, also with the token", async () => {
    const { search } = new URL(server.link);
    for (const path of [
      "/\\",
      "/\\evil.example/",
      "//evil.example/",
      "/.//evil.example/",
      "/..\\\\evil.example/",
    ])
      for (const [query, more] of [
        ["", {}],
        ["", own()],
        [search, {}],
      ] as const) {
        const { headers, status } = await ask(`${path}${query}`, more);
        expect([status, headers["location"]], path).toEqual([400, undefined]);
      }
  });

  it("answers strange texts in a request without an internal error", async () => {
    const printed = vi.spyOn(process.stderr, "write").mockReturnValue(true);
    onTestFinished(() => printed.mockRestore());
    const { players } = (
      JSON.parse((await ask("/api/play/offers", own())).text) as {
        readonly games: readonly { readonly players: readonly { readonly key: string }[] }[];
      }
    ).games[0]!;
    const player = players[0]!.key;
    const long = "x".repeat(300);
    for (const text of [
      "%00",
      "a%00b",
      long,
      "%",
      "%ff",
      "%5c",
      "..%2f..",
      "%2e%2e",
      "__proto__",
      "%0d%0a",
    ]) {
      for (const path of [
        `game/hostile/A/${text}/0`,
        `game-file/hostile/A/${text}/0?as=json`,
        `game/hostile/A/a/${text}`,
        `game/${text}/A/a/0`,
        `run-settings/${text}`,
        `compare?runs=${text},hostile/${text}`,
      ])
        expect([400, 404], path).toContain((await ask(`/api/${path}`, own())).status);
      await ask(`/api/games/hostile/A?stage=${text}`, own());
      for (const topic of [`game/${text}`, `run/hostile/${text}`, `runs/${text}\n- beat`, text]) {
        const live = await ask(`/api/live?once&topic=${encodeURIComponent(topic)}`, own());
        if (live.status === 200) expect(live.text.split("\n")[1]).toContain(`${topic} gone {"message":`);
        else expect(live.status).toBe(400);
      }
    }
    const noText = { toString: 1 };
    for (const game of ["hostile/A/\u0000/0", `hostile/A/${long}/0`, "\ud800", "", null, noText])
      expect((await post("/api/play/start", { player, from: { game, ply: 0 } })).status).toBe(404);
    expect((await post("/api/play/start", { player, from: null })).status).toBe(404);
    expect((await post("/api/play/start", { player: noText })).status).toBe(404);
    expect((await post("/api/stop", { run: "a\u0000" })).status).toBe(404);
    const { id } = JSON.parse((await post("/api/play/start", { player })).text) as { readonly id: string };
    expect((await post(`/api/play/act/${id}`, { do: "sit", seat: noText })).status).toBe(409);
    expect(printed).not.toHaveBeenCalled();
  });

  it("prints nothing about a truncated body, also before it knows the visitor", async () => {
    const printed = vi.spyOn(process.stderr, "write").mockReturnValue(true);
    onTestFinished(() => printed.mockRestore());
    const host = `127.0.0.1:${server.port}`;
    const socket = connect(server.port, "127.0.0.1");
    socket.write(
      `POST /api/return HTTP/1.1\r\nHost: ${host}\r\nOrigin: http://${host}\r\nContent-Type: application/json\r\nContent-Length: 9\r\n\r\n{`,
      // By then the server has begun to read.
      () => void ask("/api/return").then(() => socket.destroy()),
    );
    await new Promise((done) => socket.once("close", done));
    await ask("/api/return");
    expect(printed).not.toHaveBeenCalled();
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

  it("says why runs cannot be stopped or compared", async () => {
    expect((await post("/api/stop", { run: "hostile/A" })).text).toContain("This run is not at work.");
    expect((await ask("/api/compare?runs=hostile/A", own())).text).toContain("Choose at least two runs");
  });
});

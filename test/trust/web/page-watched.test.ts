import { request } from "node:http";
import { join } from "node:path";
import { afterAll, beforeAll, expect, it } from "vitest";
import { resultsOf } from "../../graph/tiny-run.ts";
import { ended, PageSite } from "./page-site.ts";

/** Pages that watch, as many as the brief of the page names. */
const WATCHERS = 20;

let site: PageSite;
beforeAll(async () => {
  site = new PageSite();
  await site.serve();
});
afterAll(() => site.close());

const flags = ["learn.games=1200", "learn.every=300", "curve.games=8", "gain.games=2"].flatMap((each) => [
  "--set",
  `graph.${each}`,
]);
const run = (id: string) => site.start("run", "quickstart", ...flags, "--out", `runs/quickstart/${id}`);
const results = (id: string) => resultsOf(join(site.folder, "runs/quickstart", id));

/** A stream of the server as a page has it, and how many events it has received. */
function watched(path: string, cookie: string) {
  const { hostname, port } = new URL(site.link);
  const received = { events: 0, flows: 0 };
  const sent = request({ hostname, port, path, headers: { Cookie: cookie }, agent: false }, (response) => {
    response.setEncoding("utf8").on("data", (text: string) => {
      received.events += text.match(/^runs? |^run\/\S+ (?!gone)/gm)?.length ?? 0;
      received.flows += text.match(/^run\/\S+ flow /gm)?.length ?? 0;
    });
    response.on("error", () => {});
  });
  sent.on("error", () => {});
  sent.end();
  return { received, close: () => sent.destroy() };
}

/** The cookie of a browser that has opened the link. */
function cookieOf(link: string): Promise<string> {
  return new Promise((resolve, reject) => {
    request(link, (response) => {
      response.resume();
      resolve(String(response.headers["set-cookie"]).split(";")[0]!);
    })
      .on("error", reject)
      .end();
  });
}

it("gives the same results, byte for byte, with twenty pages that watch as without any", async () => {
  expect(await ended(run("alone"))).toBe(0);
  const cookie = await cookieOf(site.link);
  const atWork = run("watched");
  const over = ended(atWork);
  const pages = Array.from({ length: WATCHERS }, (_, i) =>
    // A run that is not there yet is followed once it is.
    watched(`/api/live?topic=${i % 2 === 0 ? "run/quickstart/watched" : "runs"}`, cookie),
  );
  expect(await over).toBe(0);
  for (const page of pages) page.close();
  // They have received events of the run, flows of its process included.
  expect(pages.every(({ received }) => received.events > 0)).toBe(true);
  expect(Math.max(...pages.map(({ received }) => received.flows))).toBeGreaterThan(0);
  const alone = results("alone");
  expect(Object.keys(alone).length).toBeGreaterThan(3);
  expect(results("watched")).toEqual(alone);
});

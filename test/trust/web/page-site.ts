import { type ChildProcess, spawn } from "node:child_process";
import { existsSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import axe from "axe-core";
import { type Browser, chromium, type Page } from "playwright-core";
import type { TestContext } from "vitest";
import { packageRoot } from "../../../src/package-root.ts";
import { builtPage } from "./built-page.ts";

/** Debian's browser. */
export const BROWSER = "/usr/bin/chromium";
/** Whether there is no browser: tests of pages are then skipped. */
export const noBrowser = !existsSync(BROWSER);

/** Characters that are kept of what a command prints. */
const MOST_PRINTED = 2000;

/** A folder with runs, commands that are started there, a server of its page, and a browser. */
export class PageSite {
  readonly folder = mkdtempSync(join(tmpdir(), "ludoflow-test-"));
  readonly #started: ChildProcess[] = [];
  /** The newest output of each started command. */
  readonly #printed = new Map<ChildProcess, string>();
  #browser: Browser | undefined;
  #link = "";

  /** Builds the page, and serves the folder `runs`; returns the server. */
  async serve(): Promise<ChildProcess> {
    await builtPage();
    const server = this.start("serve", "runs");
    this.#link = await this.linkOf(server);
    return server;
  }

  /** Serves, and opens the browser. */
  async open(): Promise<void> {
    await this.serve();
    this.#browser = await chromium.launch({ executablePath: BROWSER, args: ["--no-sandbox"] });
  }

  get link(): string {
    return this.#link;
  }

  get browser(): Browser {
    return this.#browser!;
  }

  /** Starts a command in the folder. */
  start(...args: readonly string[]): ChildProcess {
    const child = spawn(process.execPath, [join(packageRoot(), "bin/ludoflow.js"), ...args], {
      cwd: this.folder,
      // Servers remember their pages in the folder of the state of programs: here it is forgotten with the rest.
      env: { ...process.env, XDG_STATE_HOME: join(this.folder, "state") },
      stdio: ["ignore", "pipe", "pipe"],
    });
    this.#started.push(child);
    this.#printed.set(child, args.join(" "));
    for (const output of [child.stdout, child.stderr])
      output.setEncoding("utf8").on("data", (more: string) => {
        this.#printed.set(child, `${this.#printed.get(child)!}\n${more}`.slice(-MOST_PRINTED));
      });
    return child;
  }

  /** The link that a server prints. */
  linkOf(child: ChildProcess): Promise<string> {
    return new Promise((resolve, reject) => {
      let text = "";
      child.stdout!.setEncoding("utf8").on("data", (more: string) => {
        text += more;
        if (text.includes("\n")) resolve(text.trim());
      });
      child.once("exit", () => reject(new Error(`the server has ended: ${text}`)));
    });
  }

  /** A page that has the token, and what went wrong in it. */
  async page(
    path: string,
    { height = 900, theme = "light", width = 1280 }: PageSize = {},
  ): Promise<{ readonly page: Page; readonly wrong: string[] }> {
    const context = await this.browser.newContext({ viewport: { width, height }, colorScheme: theme });
    const page = await context.newPage();
    const wrong: string[] = [];
    page.on("console", (message) => message.type() === "error" && wrong.push(message.text()));
    page.on("pageerror", (error) => wrong.push(error.message));
    await page.goto(this.#link);
    await page.goto(new URL(path, this.#link).href);
    return { page, wrong };
  }

  /** Before each test: it is skipped without a browser, and one that fails says what was to be seen. */
  readonly before = ({ onTestFailed, skip }: TestContext): void => {
    skip(noBrowser, "no Chromium: Debian's package chromium");
    onTestFailed(async ({ task }) => {
      const seen = await this.#seen();
      for (const error of task.result?.errors ?? []) error.message += `\n\n${seen}`;
    });
  };

  /** What the newest pages show and the newest commands have printed. */
  async #seen(): Promise<string> {
    const pages = this.#browser?.contexts().flatMap((context) => context.pages()) ?? [];
    const shown = pages.slice(-2).map(async (page) => {
      const text = await page.innerText("body", { timeout: 1000 }).catch((error: unknown) => String(error));
      return `${page.url()}\n${text}`;
    });
    const printed = [...this.#printed].map(
      ([{ exitCode, signalCode }, text]) => `${text}\n[ended: ${exitCode ?? signalCode ?? "no"}]`,
    );
    return [...(await Promise.all(shown)), ...printed.slice(-5)].join("\n\n");
  }

  /** Ends everything and deletes the folder. */
  async close(): Promise<void> {
    await this.#browser?.close();
    for (const child of this.#started) if (child.exitCode === null) child.kill("SIGTERM");
    rmSync(this.folder, { recursive: true, force: true });
  }
}

interface PageSize {
  readonly width?: number;
  readonly height?: number;
  readonly theme?: "light" | "dark";
}

/** The exit code of a command, which may have ended already. */
export function ended(child: ChildProcess): Promise<number | null> {
  if (child.exitCode !== null || child.signalCode !== null) return Promise.resolve(child.exitCode);
  return new Promise((resolve) => child.once("exit", (code) => resolve(code)));
}

/** What axe finds in a page. */
export async function findings(page: Page): Promise<string[]> {
  return (await page.evaluate(
    `${axe.source}; axe.run().then(({ violations }) => violations.map(({ id, nodes }) => id + ": " + nodes.map(({ html }) => html).join(" ")))`,
  )) as string[];
}

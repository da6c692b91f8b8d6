import { type ChildProcess, spawn } from "node:child_process";
import { existsSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import axe from "axe-core";
import { type Browser, chromium, type Page } from "playwright-core";
import { packageRoot } from "../../src/package-root.ts";
import { builtPage } from "./built-page.ts";

/** Debian's browser. */
export const BROWSER = "/usr/bin/chromium";
/** Whether there is no browser: tests of pages are then skipped. */
export const noBrowser = !existsSync(BROWSER);

/** A folder with runs, commands that are started there, a server of its page, and a browser. */
export class PageSite {
  readonly folder = mkdtempSync(join(tmpdir(), "ludoflow-test-"));
  readonly #started: ChildProcess[] = [];
  #browser: Browser | undefined;
  #link = "";

  /** Builds the page, and serves the folder `runs`. */
  async serve(): Promise<void> {
    await builtPage();
    this.#link = await this.linkOf(this.start("serve", "runs"));
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
      stdio: ["ignore", "pipe", "pipe"],
    });
    this.#started.push(child);
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

/** The exit code of a command. */
export function ended(child: ChildProcess): Promise<number | null> {
  return new Promise((resolve) => child.once("exit", (code) => resolve(code)));
}

/** What axe finds in a page. */
export async function findings(page: Page): Promise<string[]> {
  return (await page.evaluate(
    `${axe.source}; axe.run().then(({ violations }) => violations.map(({ id, nodes }) => id + ": " + nodes.map(({ html }) => html).join(" ")))`,
  )) as string[];
}

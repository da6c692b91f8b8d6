import { type ChildProcessByStdio, spawn } from "node:child_process";
import { join } from "node:path";
import type { Readable, Writable } from "node:stream";
import { pathToFileURL } from "node:url";

const program = join(
  import.meta.dirname,
  "../../../node_modules/yaml-language-server/bin/yaml-language-server",
);

/** A mistake that the server marks; lines count from 1. */
export interface Marked {
  readonly line: number;
  readonly message: string;
}

interface Message {
  readonly id?: number;
  readonly method?: string;
  readonly params?: any;
  readonly result?: any;
}

/**
 * `yaml-language-server`, driven as editors do: the Language Server Protocol on standard input and output. Its settings
 * are those of an editor that fetches nothing from the network.
 */
export class LanguageServer {
  readonly #process: ChildProcessByStdio<Writable, Readable, null>;
  readonly #waiting = new Map<number, (result: any) => void>();
  readonly #marked = new Map<string, (marked: readonly Marked[]) => void>();
  #received = Buffer.alloc(0);
  #requests = 0;

  private constructor() {
    this.#process = spawn(process.execPath, [program, "--stdio"], { stdio: ["pipe", "pipe", "ignore"] });
    this.#process.stdout.on("data", (bytes: Buffer) => this.#read(bytes));
  }

  static async start(): Promise<LanguageServer> {
    const server = new LanguageServer();
    await server.#request("initialize", {
      processId: process.pid,
      rootUri: null,
      capabilities: { workspace: { configuration: true }, textDocument: { hover: {}, completion: {} } },
    });
    server.#send({ method: "initialized", params: {} });
    return server;
  }

  /** The mistakes in a file with this text; the first line of the text names the schema. */
  async open(file: string, text: string): Promise<readonly Marked[]> {
    const uri = pathToFileURL(file).href;
    const marked = new Promise<readonly Marked[]>((resolve) => this.#marked.set(uri, resolve));
    this.#send({
      method: "textDocument/didOpen",
      params: { textDocument: { uri, languageId: "yaml", version: 1, text } },
    });
    return marked;
  }

  /** What an editor shows for the place of `sought` in an open file. */
  async hover(file: string, text: string, sought: string): Promise<string> {
    const result = await this.#request("textDocument/hover", placeOf(file, text, sought, 1));
    return result?.contents?.value ?? String(result?.contents ?? "");
  }

  /** The completions that an editor offers after `sought` in an open file. */
  async completions(file: string, text: string, sought: string): Promise<readonly string[]> {
    const result = await this.#request("textDocument/completion", placeOf(file, text, sought, sought.length));
    return result.items.map(({ label }: { readonly label: string }) => label);
  }

  async stop(): Promise<void> {
    const closed = new Promise((resolve) => this.#process.once("close", resolve));
    this.#process.kill();
    await closed;
  }

  #request(method: string, params: unknown): Promise<any> {
    const id = ++this.#requests;
    const result = new Promise((resolve) => this.#waiting.set(id, resolve));
    this.#send({ id, method, params });
    return result;
  }

  #send(message: object): void {
    const text = JSON.stringify({ jsonrpc: "2.0", ...message });
    this.#process.stdin.write(`Content-Length: ${Buffer.byteLength(text)}\r\n\r\n${text}`);
  }

  #read(bytes: Buffer): void {
    this.#received = Buffer.concat([this.#received, bytes]);
    for (;;) {
      const head = this.#received.indexOf("\r\n\r\n");
      if (head < 0) return;
      const length = Number(/Content-Length: (\d+)/.exec(this.#received.toString("latin1", 0, head))![1]);
      const end = head + 4 + length;
      if (this.#received.length < end) return;
      this.#take(JSON.parse(this.#received.toString("utf8", head + 4, end)) as Message);
      this.#received = this.#received.subarray(end);
    }
  }

  #take({ id, method, params, result }: Message): void {
    if (method === "workspace/configuration") {
      const settings: Record<string, unknown> = {
        yaml: { validate: true, hover: true, completion: true, schemaStore: { enable: false } },
      };
      const items = params.items as readonly { readonly section: string }[];
      this.#send({ id, result: items.map(({ section }) => settings[section] ?? null) });
    } else if (method === "textDocument/publishDiagnostics") {
      this.#marked.get(params.uri)?.(
        params.diagnostics.map(({ range, message }: any) => ({ line: range.start.line + 1, message })),
      );
    } else if (method !== undefined && id !== undefined) this.#send({ id, result: null });
    else if (id !== undefined) this.#waiting.get(id)?.(result);
  }
}

function placeOf(file: string, text: string, sought: string, shift: number) {
  const lines = text.slice(0, text.indexOf(sought) + shift).split("\n");
  return {
    textDocument: { uri: pathToFileURL(file).href },
    position: { line: lines.length - 1, character: lines.at(-1)!.length },
  };
}

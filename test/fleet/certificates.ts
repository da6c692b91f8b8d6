import { spawnSync } from "node:child_process";
import { writeFileSync } from "node:fs";
import { join } from "node:path";

/** Why a test of certificates is left out; undefined where it can run. */
export const noOpenssl =
  spawnSync("openssl", ["version"]).status === 0 ? undefined : "no openssl, which makes the certificates";

/** Makes an authority in a folder, and a certificate of it (`server.pem`, `server.key`) for this machine under this name. */
export function certificates(folder: string, name: string): void {
  const openssl = (...args: string[]) => {
    const { status, stderr } = spawnSync("openssl", args, { cwd: folder, encoding: "utf8" });
    if (status !== 0) throw new Error(stderr);
  };
  const key = ["-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:prime256v1", "-nodes"];
  openssl(
    "req",
    "-x509",
    ...key,
    "-keyout",
    "ca.key",
    "-out",
    "ca.pem",
    "-days",
    "2",
    "-subj",
    "/CN=authority",
  );
  openssl("req", ...key, "-keyout", "server.key", "-out", "server.csr", "-subj", `/CN=${name}`);
  writeFileSync(join(folder, "names"), `subjectAltName=DNS:${name}\n`);
  const signed = ["-CA", "ca.pem", "-CAkey", "ca.key", "-CAcreateserial", "-days", "2", "-extfile", "names"];
  openssl("x509", "-req", "-in", "server.csr", "-out", "server.pem", ...signed);
}

import { expect, it } from "vitest";
import { connectFleet, fleetAddress } from "../../src/fleet/connect.ts";
import { FleetUnavailable } from "../../src/fleet/fleet-unavailable.ts";
import { noServer, startServer } from "./nats-server.ts";

it("reads addresses, with passwords from the URL or the environment, and never shows these", () => {
  expect(fleetAddress("nats://localhost", {})).toEqual({
    shown: "nats://localhost",
    host: "localhost",
    port: 4222,
    tls: false,
  });
  expect(fleetAddress("tls://me:s%40y@lab.example:5000", { LUDOFLOW_FLEET_CA: "ca.pem" })).toEqual({
    shown: "tls://lab.example:5000",
    host: "lab.example",
    port: 5000,
    tls: true,
    user: "me",
    password: "s@y",
    authority: "ca.pem",
  });
  const environment = { LUDOFLOW_FLEET_USER: "run", LUDOFLOW_FLEET_PASSWORD: "secret" };
  expect(fleetAddress("nats://[::1]:4300", environment)).toMatchObject({
    host: "::1",
    user: "run",
    password: "secret",
  });
});

it.for([
  ["http://localhost", /"http:" is unknown/],
  ["nats://", /names no host|is no URL/],
  ["nats://localhost/queue", /nothing follows the port/],
  ["tls://10.0.0.1", /name it in place of its address/],
  ["nats://me:secret@localhost/x", /nats:\/\/me:\.\.\.@localhost/],
  ["nats://me:a:secret/b@localhost", /nats:\/\/me:\.\.\.@localhost/],
  ["me:secret@localhost/x", /nats:\/\/me:\.\.\.@localhost/],
  ["nats://%ff@localhost", /nats:\/\/%ff@localhost.*write a % in its user or its password as %25/],
  ["nats://me:100%@localhost", /nats:\/\/me:\.\.\.@localhost.*as %25/],
  ["nats://%ff", /names no host/],
] as const)("refuses %s", ([url, message]) => {
  expect(() => fleetAddress(url, {})).toThrow(FleetUnavailable);
  expect(() => fleetAddress(url, {})).toThrow(message);
});

const attempt = (url: string, environment = {}) => connectFleet(fleetAddress(url, environment), "joiner");

it("says what to do where there is no server, no TLS, or another password", async ({ skip }) => {
  await expect(attempt("nats://localhost:1")).rejects.toThrow(/nobody listens there: start nats-server/);
  await expect(attempt("nats://no-such-host.invalid")).rejects.toThrow(/there is no such host/);
  await expect(attempt("nats://localhost:1", { LUDOFLOW_FLEET_CA: "/no/file" })).rejects.toThrow(
    /LUDOFLOW_FLEET_CA: \/no\/file cannot be read/,
  );
  skip(noServer !== undefined, noServer);
  const { url } = await startServer("authorization { user: run, password: right }");
  const { port } = new URL(url);
  await expect(attempt(`nats://run:wrong@localhost:${port}`)).rejects.toThrow(
    /refuses this user or password/,
  );
  await expect(attempt(`tls://run:right@localhost:${port}`)).rejects.toThrow(/the server has no TLS/);
  const connection = await attempt(`nats://run:right@localhost:${port}`);
  await connection.close();
});

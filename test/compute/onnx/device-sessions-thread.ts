/** A thread that asks for a session on WebGPU and tells what came of it. */
import { parentPort } from "node:worker_threads";
import { ownConnection } from "../../../src/compute/onnx/device-connection.ts";

try {
  ownConnection().unref();
  parentPort!.postMessage("connected");
} catch (error) {
  parentPort!.postMessage((error as Error).message);
}

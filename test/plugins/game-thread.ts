/** Opens the given game, and sends the first position. */
import { parentPort, workerData } from "node:worker_threads";
import { openGame } from "../../src/games/registry.ts";

const game = openGame(workerData as string);
parentPort!.postMessage(game.notation.position(game.initial()));

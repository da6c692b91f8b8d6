import { parentPort, workerData } from "node:worker_threads";
import { serve } from "../../../workers/serve.ts";
import type { GamesBatch } from "./batch.ts";
import { GameReader } from "./game-reader.ts";
import type { ReadingData, ReadingTask } from "./reading-task.ts";

const reader = new GameReader(workerData as ReadingData);

serve<ReadingTask, GamesBatch>(parentPort!, (task) => reader.read(task));

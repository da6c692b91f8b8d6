/** A thread that plays games: takes tasks, plays many games in groups that search in turn, and posts their reports. */
import { parentPort, workerData } from "node:worker_threads";
import { driveAll } from "../../search/drive.ts";
import { Mailbox } from "../../workers/mailbox.ts";
import { IDLE, ThreadClock, WAITING, WORKING } from "../../workers/thread-clock.ts";
import type { GameWorkerData } from "./game-players.ts";
import { GameTable } from "./game-table.ts";
import type { FromGameWorker, ToGameWorker } from "./game-task.ts";

const { experiment, notifier, evaluators, counts, groups, clock: words } = workerData as GameWorkerData;
const port = parentPort!;
const mailbox = new Mailbox<ToGameWorker>(port, notifier);
const clock = new ThreadClock(words);
const table = new GameTable(experiment, evaluators, counts);
const waiting: Extract<ToGameWorker, { type: "play" }>[] = [];
const tickets = new Map<number, number>();
// Each stage has places of its own: the games of a round of measuring can take hours, and self-play continues meanwhile.
const places = Object.values(experiment.graph).reduce(
  (sum, stage) => sum + ((stage["inFlight"] as number | undefined) ?? 1),
  0,
);

const handle = (message: ToGameWorker) => {
  if (message.type === "tables") table.useTables(message.net, message.tables);
  else waiting.push(message);
};
// Not the present number: the first tasks may have been posted before this thread began.
let seen = 0;
const fetch = () => {
  const notifications = Atomics.load(notifier, 0);
  if (notifications === seen) return;
  seen = notifications;
  for (let message = mailbox.poll(); message !== undefined; message = mailbox.poll()) handle(message);
};

// The thread never returns to its event loop; it is terminated from outside.
for (;;) {
  clock.begin(IDLE);
  if (waiting.length === 0) handle(mailbox.take());
  clock.begin(WORKING);
  driveAll({
    places,
    groups,
    next: (place) => {
      fetch();
      const first = waiting.findIndex((game) => table.admits(game));
      if (first < 0) return undefined;
      const message = waiting.splice(first, 1)[0]!;
      tickets.set(place, message.ticket);
      return table.start(message, place);
    },
    add: (request, group) => table.add(request, group),
    submit: (group) => table.submit(group),
    collect: (group) => {
      clock.begin(WAITING);
      table.collect(group);
      clock.begin(WORKING);
    },
    done: (report, place) => {
      const message: FromGameWorker = { ticket: tickets.get(place)!, report };
      port.postMessage(message, [report.record.buffer as ArrayBuffer, report.samples.buffer as ArrayBuffer]);
    },
  });
}

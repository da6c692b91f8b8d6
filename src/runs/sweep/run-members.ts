import { moduleBeside } from "../../module-beside.ts";
import { type ChildProcess, fork } from "node:child_process";
import { closeSync, mkdirSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { writing } from "../../formats/files/file-not-written.ts";
import { openOwn } from "../../formats/files/own-file.ts";
import { hasFinished } from "../../graph/folder/run-folder.ts";
import { howEnded } from "../../workers/how-ended.ts";
import { folderOf, type SweepMember, type SweepPlan } from "../../graph/sweep/sweep-plan.ts";
import type { MemberJob, MemberMessage } from "./member-messages.ts";

/** How the work on a run has ended, this time. */
export interface MemberEnd {
  readonly member: SweepMember;
  /** `before`: an earlier start of the sweep had finished it. */
  readonly outcome: "finished" | "interrupted" | "failed" | "before";
  /** Why it failed. */
  readonly message?: string;
}

/** An event of a sweep at work. */
export type SweepNews =
  | { readonly type: "begins"; readonly member: SweepMember }
  | { readonly type: "progress"; readonly member: SweepMember; readonly share: number }
  | ({ readonly type: "ends" } & MemberEnd);

/** Runs of a sweep under way, each in its own process, so that a crash of one leaves the others alone. */
export interface RunningSweep {
  /** How each run has ended; those that were not begun because of a stop are left out. */
  readonly ended: Promise<readonly MemberEnd[]>;
  /** Asks the runs under way to save and end, and begins no more; the second time it kills them. */
  stop(): void;
}

/**
 * Runs members of a sweep in its folder, at most `jobs` at a time with `workers` threads each. Those that have finished are
 * left alone, those that were stopped, killed or have failed continue from their last checkpoint.
 */
export function runMembers(
  plan: SweepPlan,
  folder: string,
  members: readonly SweepMember[],
  {
    allowCode,
    jobs,
    onNews,
    workers,
  }: {
    readonly allowCode: boolean;
    readonly jobs: number;
    readonly workers: number;
    readonly onNews: (news: SweepNews) => void;
  },
): RunningSweep {
  const running = new Set<ChildProcess>();
  const waiting = [...members];
  const ends: MemberEnd[] = [];
  let stops = 0;
  const end = (done: MemberEnd) => {
    ends.push(done);
    onNews({ type: "ends", ...done });
  };
  const next = async (): Promise<void> => {
    for (let member = waiting.shift(); member !== undefined; member = waiting.shift()) {
      const own = join(folder, member.name);
      if (hasFinished(own)) {
        end({ member, outcome: "before" });
        continue;
      }
      onNews({ type: "begins", member });
      const job: MemberJob = {
        file: plan.file,
        set: member.set,
        from: folderOf(plan.source),
        folder: own,
        workers,
        allowCode,
      };
      end(await runOne(member, job, folder, running, onNews));
    }
  };
  const ended = Promise.all(Array.from({ length: jobs }, next)).then(() => ends);
  return {
    ended,
    stop: () => {
      stops++;
      waiting.length = 0;
      for (const child of running) child.kill(stops === 1 ? "SIGTERM" : "SIGKILL");
    },
  };
}

/** Runs one member in a process; what that process prints is in `logs/`. */
async function runOne(
  member: SweepMember,
  job: MemberJob,
  folder: string,
  running: Set<ChildProcess>,
  onNews: (news: SweepNews) => void,
): Promise<MemberEnd> {
  const logs = join(folder, "logs");
  writing(logs, () => mkdirSync(logs, { recursive: true }));
  const path = join(logs, `${member.name}.log`);
  const log = writing(path, () => openOwn(path, "append"));
  const child = fork(memberProcess(), [], { stdio: ["ignore", log, log, "ipc"] });
  closeSync(log);
  running.add(child);
  child.send(job);
  let last: Extract<MemberMessage, { type: "ended" }> | undefined;
  child.on("message", (message: MemberMessage) => {
    if (message.type === "progress") onNews({ ...message, member });
    else last = message;
  });
  const [code, signal] = await new Promise<[number | null, NodeJS.Signals | null]>((resolve) => {
    child.once("exit", (...how) => resolve(how));
    child.once("error", () => resolve([null, null]));
  });
  running.delete(child);
  if (last !== undefined)
    return {
      member,
      outcome: last.outcome,
      ...(last.message === undefined ? {} : { message: last.message }),
    };
  return {
    member,
    outcome: "failed",
    message: `its process was ended ${howEnded(code, signal, "remedy")}; what it printed is in ${path}`,
  };
}

function memberProcess(): string {
  return fileURLToPath(moduleBeside("member-process", import.meta.url));
}

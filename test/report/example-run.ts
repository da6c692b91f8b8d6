import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import type { AgentResult, RecordedEvent, RunEvent } from "../../src/events/event.ts";
import { MetricsFile } from "../../src/events/metrics-file.ts";
import { sealedJson } from "../../src/formats/sealed-json.ts";
import { Random } from "../../src/random.ts";
import { meanEstimate } from "../../src/stats/intervals.ts";

/** An event of the example, emitted after so many seconds. */
export function timed(elapsed: number, event: RunEvent): RecordedEvent {
  return { ...event, time: new Date(Date.UTC(2026, 10, 21, 9, 30) + 1000 * elapsed).toISOString(), elapsed };
}

/** Games of an agent whose scores are spread about a mean as scores of 2048 are; the same luck for equal streams. */
export function agentResult(agent: string, games: number, mean: number, random: Random): AgentResult {
  const returns = Array.from({ length: games }, () => {
    const score = mean * Math.exp(0.55 * random.normal() - 0.15);
    return 4 * Math.round(score / 4);
  });
  const maxTile = returns.map((score) => 2 ** Math.max(1, Math.floor(Math.log2(score / 9.3))));
  const { value, interval } = meanEstimate(returns);
  return { agent, games, mean: value, interval, returns, facts: { maxTile } };
}

/** The events of a run that learns, is killed and resumed, and ends with a match of three agents. */
export function exampleEvents(): RecordedEvent[] {
  const random = Random.named("example run");
  const events: RecordedEvent[] = [];
  const start = {
    type: "run-started",
    name: "2048-example",
    seed: 7,
    workers: 2,
    compute: "onnx on cpu, 2 threads",
  } as const;
  events.push(timed(0, { ...start, resumed: false }));
  const total = 12_000;
  const skill = (games: number) => 52_000 * (1 - Math.exp(-games / 3500)) + 1100;
  for (let done = 100; done <= total; done += 100) {
    const seconds = done / 210;
    const sample = agentResult("", 100, skill(done), random);
    const [min, max] = [Math.min(...sample.returns), Math.max(...sample.returns)];
    events.push(
      timed(seconds, {
        type: "games",
        stage: "self-play",
        done,
        count: 100,
        mean: sample.mean,
        min,
        max,
        plies: (2 * skill(done)) / 22,
      }),
    );
    const step = done * 5;
    const value = 4.2 * Math.exp(-step / 9000) + 0.35 + 0.05 * random.normal() * Math.exp(-step / 30_000);
    const policy = 1.3 * Math.exp(-step / 20_000) + 0.2 + 0.01 * random.normal();
    events.push(
      timed(seconds + 0.2, {
        type: "training",
        stage: "weights",
        step,
        loss: value + policy,
        parts: { value, policy },
        rate: step < 40_000 ? 1e-3 : 1e-4,
      }),
    );
    const startValue = skill(done) * (0.55 + 0.45 * (1 - Math.exp(-done / 1500)) + 0.02 * random.normal());
    events.push(
      timed(seconds + 0.3, {
        type: "value-drift",
        stage: "weights",
        learned: done,
        startValue,
        meanReturn: sample.mean,
        ratio: startValue / sample.mean,
      }),
    );
    if (done % 1000 === 0) {
      const luck = ["match", done];
      const agents = [
        agentResult("greedy", 200, skill(done), Random.named(...luck)),
        agentResult("expectimax-1", 200, 1.6 * skill(done), Random.named(...luck, "e")),
      ];
      events.push(
        timed(seconds + 0.5, { type: "match", stage: "curve", learned: done, unit: "games", agents }),
      );
      events.push(
        timed(seconds + 0.6, {
          type: "checkpoint",
          stage: "weights",
          learned: done,
          unit: "games",
          path: `checkpoints/zero/${done}`,
        }),
      );
    }
    if (done === 7000) {
      events.push(timed(seconds + 2, { ...start, resumed: true }));
      events.push(
        timed(seconds + 2, {
          type: "note",
          level: "warning",
          message: "2 games in flight were lost at the kill and are played again",
          stage: "self-play",
        }),
      );
    }
  }
  const end = total / 210;
  for (let done = 50; done <= 1500; done += 50)
    events.push(
      timed(end + done / 60, {
        type: "progress",
        stage: "final",
        done,
        total: 1500,
        unit: "games",
        latest: "score 81,233",
      }),
    );
  const final = [
    agentResult("mc-softmax", 500, 1.9 * skill(total), Random.named("final", 1)),
    agentResult("expectimax-1", 500, 1.55 * skill(total), Random.named("final", 2)),
    agentResult("greedy", 500, skill(total), Random.named("final", 1)),
  ];
  events.push(
    timed(end + 26, { type: "match", stage: "final", learned: total, unit: "games", agents: final }),
  );
  events.push(timed(end + 26.5, { type: "note", level: "info", message: "the report is at report.html" }));
  events.push(timed(end + 27, { type: "run-ended", outcome: "finished" }));
  return events;
}

/** Writes a run's folder with these events, a manifest and an experiment file. */
export function writeRun(folder: string, events: readonly RecordedEvent[]): void {
  mkdirSync(folder, { recursive: true });
  const metrics = MetricsFile.open(join(folder, "metrics.jsonl"));
  for (const event of events) metrics.record(event);
  metrics.close();
  const manifest = {
    format: "ludoflow run 2",
    name: "2048-example",
    id: "20261121-093000-seed7",
    seed: 7,
    started: "2026-11-21T09:30:00.000Z",
    source: { file: "/experiments/2048-example.yaml", set: [] },
    reproducible: true,
    workers: 2,
    versions: { ludoflow: "0.1.0", node: "24.19.0", "onnxruntime-node": "1.30.0" },
    machine: { processor: "AMD EPYC", cores: 2, memoryGiB: 8, system: "linux 6.1 x64" },
    commit: "0123456789abcdef0123456789abcdef01234567",
  };
  writeFileSync(join(folder, "manifest.json"), sealedJson(manifest));
  writeFileSync(
    join(folder, "experiment.yaml"),
    "name: 2048-example\nseed: 7\ngame: { rules: 2048 }\nnets:\n  values: { use: n-tuple, tuples: 4x6 }\nagents:\n  greedy: { use: greedy, net: values }\ngraph:\n  self-play: { use: self-play, agent: greedy }\n  curve: { use: arena, after: weights, agents: [greedy], games: 200 }\n",
  );
}

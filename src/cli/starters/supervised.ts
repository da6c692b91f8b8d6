import { netFor, withoutPlanes } from "./players.ts";
import { gameLines, rounded, type Starter } from "./starter.ts";

/** A policy learns the moves of recorded games. */
export const supervisedLearning: Starter = {
  summary: "a policy learns the moves of recorded games",
  refusal: (facts, { records }) =>
    records === undefined
      ? `recorded games of ${facts.game.name} are needed: name a folder, an SGF file, a zip or an .h5 file with --records PATH (ludoflow convert RUN --to games.h5 makes one from the games of a run)`
      : withoutPlanes(facts),
  text: (facts, { records }, budget) => {
    const steps =
      budget === undefined
        ? 200
        : rounded((0.9 * budget.seconds) / (budget.speeds.stages.get("learned") ?? 0.02), 100);
    return `${gameLines(facts)}
nets:
  policy: ${netFor(facts, { policy: true }).replace(", values: win-share", "")}

agents:
  # Plays the move that the policy finds likeliest.
  policy: { use: policy, net: policy, temperature: 0 }

graph:
  # A twentieth of the games each is kept for validation and for the test: which ones follows from their moves.
  records: { use: sgf, sources: [${JSON.stringify(records)}], leastMoves: 5 }
  learned:
    use: supervised
    from: records
    net: policy
    batch: 128
    steps: ${steps}
    every: ${Math.max(1, Math.round(steps / 10))} # steps from one version of the weights to the next
    rate: [{ until: ${Math.round(0.7 * steps)}, value: 0.001 }, { value: 0.0002 }]
  saved: { use: checkpoint, from: learned, keep: 3 }
  # How many moves does it predict, of games that it has not learned from?
  curve: { use: policy-accuracy, from: records, after: learned, policies: [{ net: policy }], positions: 2000 }
  last: { use: policy-accuracy, from: records, part: test, policies: [{ net: policy }] }
`;
  },
};

/** Reads what a run has left: `node read-run.ts RUN`. Its games and events are read one by one, however many they are. */
import { LudoflowError } from "ludoflow";
import { recordedGames, recordedEvents, openRun } from "ludoflow/data";

try {
  const folder = process.argv[2] ?? "";
  const { checkpoints, finished, game, name, stages } = await openRun(folder);
  console.log(
    `${name}: ${game.name}, ${finished ? "finished" : "not finished"}, ${checkpoints.length} checkpoints`,
  );
  for (const stage of stages) {
    let games = 0;
    let plies = 0;
    const sums = new Float64Array(game.players);
    for await (const { actions, returns } of recordedGames(folder, { stage })) {
      games++;
      plies += actions.length;
      for (const [seat, score] of returns.entries()) sums[seat]! += score;
    }
    const means = Array.from(sums, (sum) => (sum / games).toFixed(2)).join(", ");
    console.log(`${stage}: ${games} games of ${(plies / games).toFixed(1)} plies, mean returns ${means}`);
  }
  for await (const event of recordedEvents(folder))
    if (event.type === "match")
      for (const { agent, mean } of event.agents)
        console.log(`after ${event.learned} ${event.unit}, ${agent} has ${mean.toFixed(3)}`);
} catch (error) {
  if (!(error instanceof LudoflowError)) throw error;
  console.error(`${error.code}: ${error.message}`);
  process.exitCode = 1;
}

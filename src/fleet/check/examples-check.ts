import type { StoredGame } from "../../formats/game-records.ts";
import { gameOf, type OpenExperiment } from "../../operators/experiment/open-experiment.ts";
import { participantNamed } from "../../operators/experiment/participant.ts";
import type { GameTask } from "../../operators/play/game-task.ts";
import { PacketInvalid } from "../wire/packet.ts";
import { GameExamplesCheck } from "./game-examples-check.ts";
import type { ExamplesCheck } from "./played-record.ts";
import { LambdaExamplesCheck, SampledExamplesCheck } from "./position-examples-check.ts";

/** The check of the examples of a game, of the kind that its task asks for. Throws PacketInvalid. */
export function examplesCheck(
  opened: OpenExperiment,
  task: GameTask,
  { actions }: StoredGame,
  samples: Uint8Array,
): ExamplesCheck {
  const { examples, learnedSeat, learner, seats } = task;
  const { agents } = opened.experiment;
  const { agent } = participantNamed(learner ?? seats[0]!);
  const game = gameOf(opened, agents[agent]!);
  const check = checkOf();
  return {
    decided: (decision) => {
      if (learnedSeat === undefined || decision.seat === learnedSeat) check.decided(decision);
    },
    ended: (state) => check.ended(state),
  };

  function checkOf(): ExamplesCheck {
    switch (examples?.use) {
      case "alphazero":
        return new GameExamplesCheck(game, examples, samples, actions);
      case "td":
        return new LambdaExamplesCheck(opened, game, examples, samples, actions);
      case "search-samples":
        return new SampledExamplesCheck(opened, samples);
      default:
        if (samples.length > 0) throw new PacketInvalid("it has examples, and was asked for none");
        return { decided: () => undefined, ended: () => undefined };
    }
  }
}

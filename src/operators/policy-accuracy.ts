import * as Effect from "effect/Effect";
import * as Scope from "effect/Scope";
import * as Stream from "effect/Stream";
import { AccuracyRounds } from "./measuring/accuracy/accuracy-rounds.ts";
import { type AccuracySettings, accuracySettings } from "./measuring/accuracy/accuracy-settings.ts";
import { abilitiesOf } from "./experiment/agent-net.ts";
import { rounds } from "./measuring/match/rounds.ts";
import { operator } from "./operator.ts";
import { type Complaint, complainUnknown } from "./run/complaint.ts";

/** Measures how well policies predict the moves of recorded games. */
export const policyAccuracy = operator({
  use: "policy-accuracy",
  description:
    "Measures how well policies predict the moves of recorded games that they have not learned from: how often the likeliest, or one of the five likeliest, was played, and the mean log-likelihood.",
  example: "accuracy: { use: policy-accuracy, from: records, after: policy, policies: [{ net: policy }] }",
  settings: accuracySettings,
  inputs: {
    from: { kind: "collection", description: "The recorded games" },
    after: {
      kind: "weights",
      description:
        "The learner whose versions are measured. If absent, one round is measured after all learning, with the final weights",
      optional: true,
    },
  },
  output: "results",
  resultEvent: "accuracy",
  check: ({ policies }: AccuracySettings, { inputs, offered, opened }) => {
    const { game, nets } = opened;
    const learned = inputs["after"] === undefined ? undefined : offered("after", "weights")?.net;
    const complaints: Complaint[] = [];
    for (const [i, { net, symmetries }] of policies.entries()) {
      const key = `policies/${i}/net`;
      complaints.push(...complainUnknown(key, "net", net, opened.experiment.nets));
      const open = nets.get(net);
      if (open === undefined) continue;
      if (!open.hasPolicy && !abilitiesOf(open).guides)
        complaints.push({ key, message: `"${net}" gives values only, and no policy to measure` });
      if (learned !== undefined && net !== learned)
        complaints.push({
          key,
          message: `this stage follows the versions of "${learned}"; measure "${net}" in a stage of its own, or leave \`after\` out`,
        });
      if (symmetries === "ensemble" && (open.kind === "tables" || game.symmetry === undefined))
        complaints.push({
          key: `policies/${i}/symmetries`,
          message:
            open.kind === "tables"
              ? `the features of "${net}" are the same under symmetries: leave this setting out`
              : `the game ${game.name} has no symmetries`,
        });
    }
    return complaints;
  },
  bounds: () => ["1 thread, which judges one policy after another"],
  playsMeanwhile: ({ every }: AccuracySettings) => every > 0,
  build: (settings: AccuracySettings, { from, after }, env) =>
    Effect.gen(function* () {
      const scope = yield* Effect.scope;
      const nets = [...new Set(settings.policies.map(({ net }) => net))];
      return from.pipe(
        Stream.take(1),
        Stream.mapEffect((collection) =>
          Scope.provide(AccuracyRounds.open(settings, collection, env), scope),
        ),
        Stream.flatMap((measured) =>
          rounds(after, settings.every, env, nets, (round) => measured.round(round)),
        ),
      );
    }),
});

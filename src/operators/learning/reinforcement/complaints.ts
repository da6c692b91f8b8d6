import { takesWeightsOf } from "../../../models/registry.ts";
import { policyMove } from "../../../search/one-ply/policy-move.ts";
import { ownerOf } from "../../experiment/open-experiment.ts";
import type { StageView } from "../../operator.ts";
import { type Complaint, complainUnknown } from "../../run/complaint.ts";
import { sameValue } from "../../../same-value.ts";
import { scheduleComplaint } from "../../../schedule.ts";
import type { ReinforcementSettings } from "./reinforcement-settings.ts";

/** Complaints about the settings of a reinforcement stage. */
export function reinforcementComplaints(settings: ReinforcementSettings, view: StageView): Complaint[] {
  const { game } = view.opened;
  const rate = scheduleComplaint(settings.rate);
  return [
    ...netComplaints(settings, view),
    ...agentComplaints(settings, view),
    ...startComplaints(settings, view),
    ...baselineComplaints(settings, view),
    ...(game.players > 1
      ? []
      : [{ key: "agent", message: `${game.name} is played alone: no seat is left for the pool` }]),
    ...(settings.symmetries && game.symmetry === undefined
      ? [{ key: "symmetries", message: `the game ${game.name} has no symmetries` }]
      : []),
    ...(rate === undefined ? [] : [{ key: "rate", message: rate }]),
  ];
}

function netComplaints({ net: name }: ReinforcementSettings, { opened }: StageView): Complaint[] {
  const net = opened.nets.get(name);
  if (net === undefined) return complainUnknown("net", "net", name, opened.experiment.nets);
  if (net.kind !== "network")
    return [
      { key: "net", message: `"${name}" is not a net for gradient descent; learn it with policy-gradient` },
    ];
  return net.hasPolicy ? [] : [{ key: "net", message: `"${name}" has no policy to learn` }];
}

function agentComplaints({ agent, net }: ReinforcementSettings, { opened }: StageView): Complaint[] {
  const { agents } = opened.experiment;
  const config = agents[agent];
  if (config === undefined) return complainUnknown("agent", "agent", agent, agents);
  if (config.use !== policyMove.name || (config["temperature"] ?? 1) !== 1)
    return [
      {
        key: "agent",
        message: `"${agent}" must draw its moves from the policy that is learned: { use: ${policyMove.name}, net: ${net}, temperature: 1 }`,
      },
    ];
  return config.net === net
    ? []
    : [{ key: "agent", message: `"${agent}" plays with "${config.net}", and this stage learns "${net}"` }];
}

function startComplaints({ net }: ReinforcementSettings, { opened, offered }: StageView): Complaint[] {
  const { experiment } = opened;
  const source = offered("from", "weights")?.net;
  if (source === undefined || experiment.nets[net] === undefined) return [];
  if (experiment.nets[net].weights !== undefined)
    return [
      {
        key: "from",
        message: `"${net}" starts from the checkpoint that its "weights" names; give one of the two`,
      },
    ];
  const own = ownerOf(experiment, net).net;
  const other = ownerOf(experiment, source).net;
  return sameValue(own, other) || takesWeightsOf(own, other)
    ? []
    : [
        {
          key: "from",
          message: `"${net}" cannot start from the weights of "${source}": give both nets the same settings`,
        },
      ];
}

function baselineComplaints({ baseline }: ReinforcementSettings, { opened }: StageView): Complaint[] {
  if (baseline.use !== "value-net") return [];
  const { nets } = opened.experiment;
  const key = "baseline/net";
  const net = opened.nets.get(baseline.net);
  if (net === undefined) return complainUnknown(key, "net", baseline.net, nets);
  if (net.kind !== "network") return [{ key, message: `"${baseline.net}" is not a net that is computed` }];
  if (net.values === "returns")
    return [
      {
        key,
        message: `"${baseline.net}" predicts returns; results are compared with values: win-loss or win-share`,
      },
    ];
  return nets[baseline.net]!.weights === undefined && net.net.model === undefined
    ? [{ key, message: `"${baseline.net}" has no weights of its own: name a checkpoint with "weights"` }]
    : [];
}

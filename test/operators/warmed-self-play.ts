/** Self-play of tic-tac-toe whose first games a player without a net plays. */
export const warmed = `
name: warmed
seed: 4
workers: 1
compute: { threads: 1 }
game: { rules: tic-tac-toe }
nets:
  zero: { use: mlp, hidden: [4], policy: true, values: win-loss }
agents:
  learner: { use: gumbel, net: zero, simulations: 4 }
  teacher: { use: mcts-max-n, simulations: 12, epsilon: 1 }
graph:
  games:
    use: self-play
    agent: learner
    games: 12
    generation: 12
    warmStart: { agent: teacher, games: 8 }
    examples: { use: alphazero, resultWeight: 0.5 }
`;

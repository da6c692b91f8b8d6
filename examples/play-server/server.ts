/**
 * An HTTP server that plays with a trained net: `node server.ts CHECKPOINT [PORT]`. A client keeps the moves of its game, chance
 * included, and asks what follows:
 *
 *     curl -d '{ "moves": [] }' http://localhost:8080/
 *
 * The answer has the plies that were added (chance, and a move of the net), and the board after them.
 */
import { createServer } from "node:http";
import { agent, CHANCE, openCheckpoint, OVER, Random } from "ludoflow";

// A net of a game of your own needs before: await loadPlugins("hex.ts")
const net = await openCheckpoint(process.argv[2] ?? "").catch((error: Error) => {
  console.error(error.message);
  process.exit(1);
});
const { game } = net;
const player = await agent(
  game,
  net.hasPolicy ? { use: "policy", net, temperature: 0 } : { use: "greedy", net },
);

/** The position after these moves. */
function positionAfter(moves: readonly string[]): unknown {
  const state = game.initial();
  for (const move of moves) {
    const action = game.toMove(state) === OVER ? undefined : game.notation.parse(state, move);
    if (action === undefined) throw new RangeError(`"${move}" is no legal move here`);
    game.play(state, action);
  }
  return state;
}

async function answer(body: string): Promise<object> {
  const { moves } = JSON.parse(body) as { moves?: unknown };
  if (!Array.isArray(moves) || !moves.every((move) => typeof move === "string"))
    throw new RangeError('send { "moves": ["...", ...] }');
  const state = positionAfter(moves);
  const random = Random.named(1, ...moves);
  const added: string[] = [];
  const add = (action: number) => {
    added.push(game.notation.format(state, action));
    game.play(state, action);
  };
  while (game.toMove(state) === CHANCE) add(game.chance!.sample(state, random));
  if (game.toMove(state) !== OVER) add((await player.think(state)).action);
  return { added, over: game.toMove(state) === OVER, board: game.drawing.text(state) };
}

const server = createServer((request, response) => {
  let body = "";
  request.setEncoding("utf8");
  request.on("data", (text: string) => (body += text));
  request.on("end", () => {
    answer(body).then(
      (found) => response.end(`${JSON.stringify(found)}\n`),
      (error: unknown) => {
        response.statusCode = 400;
        response.end(`${JSON.stringify({ error: (error as Error).message })}\n`);
      },
    );
  });
});
await new Promise<void>((ready) => server.listen(Number(process.argv[3] ?? 8080), ready));
const address = server.address();
console.log(`${game.name} at http://localhost:${typeof address === "object" ? address?.port : address}/`);
await new Promise((stopped) => process.once("SIGINT", stopped).once("SIGTERM", stopped));
server.close();

/**
 * An HTTP server that plays with a trained net: `node server.ts CHECKPOINT [PORT]`. A client keeps the moves of its game, and
 * asks for the next one:
 *
 *     curl -d '{ "moves": ["..."] }' http://localhost:8080/
 *
 * The answer has the move of the net, the values of the seats, and the board after it.
 */
import { createServer } from "node:http";
import { agent, openCheckpoint, OVER } from "ludoflow";

const net = await openCheckpoint(process.argv[2] ?? "");
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
  if (game.toMove(state) < 0) return { board: game.drawing.text(state) };
  const { action, move, values } = await player.think(state);
  game.play(state, action);
  return { move, values, board: game.drawing.text(state) };
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
console.log(
  `${net.rules.rules} at http://localhost:${typeof address === "object" ? address?.port : address}/`,
);
await new Promise((stopped) => process.once("SIGINT", stopped).once("SIGTERM", stopped));
server.close();

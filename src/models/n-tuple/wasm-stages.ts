import type { WasmFunction, WasmType } from "../../compute/wasm/module.ts";
import type { TupleLookup } from "./tuple-lookup.ts";
import { addressOf, Builder, lookupsAt, PROMOTED } from "./wasm-board.ts";
import type { Places } from "./wasm-memory.ts";
import { TOUCHED } from "./stages.ts";

/**
 * The first functions of modules for stages with promotion; other modules have none of them. `promoted` is the value of the
 * weight at an address; `sumPromoted` the sum of a board's weights if some are untouched; `promote` gives untouched weights
 * the values that they count as (see `Stages`).
 */
export function stageFunctions(lookup: TupleLookup, places: Places): WasmFunction[] {
  if (!lookup.stages.promotes) return [];
  return [promoted(lookup, places), sumPromoted(lookup, places), promote(lookup, places)];
}

function promoted(lookup: TupleLookup, places: Places): WasmFunction {
  const builder = new Builder(lookup, places, ["i32"]);
  const { code } = builder;
  const address = 0;
  const stageBytes = 4 * lookup.stages.size;
  code.block().loop();
  code.at("local.get", address).access("f32.load", 0).op("f64.promote_f32").f64(0).op("f64.eq");
  code.op("i32.eqz").at("br_if", 1);
  code.at("local.get", address).i32(stageBytes).op("i32.lt_u").at("br_if", 1);
  code.at("local.get", address).i32(stageBytes).op("i32.sub").at("local.set", address);
  code.at("br", 0).op("end").op("end");
  code.at("local.get", address).access("f32.load", 0).op("f64.promote_f32");
  return builder.function("promoted", "f64");
}

/** A function on the addresses of a board's weights. */
function onAddresses(lookup: TupleLookup, places: Places): { builder: Builder; weights: (() => void)[] } {
  const parameters = Array.from({ length: 4 * places.roles.pairs.length }, (): WasmType => "v128");
  const builder = new Builder(lookup, places, parameters);
  const { code } = builder;
  const weights = lookupsAt(builder, [...parameters.keys()]).flatMap((four) =>
    [0, 1, 2, 3].map((which) => () => {
      addressOf(code, four, which);
      if (four.base !== 0) code.i32(4 * four.base).op("i32.add");
    }),
  );
  return { builder, weights };
}

function sumPromoted(lookup: TupleLookup, places: Places): WasmFunction {
  const { builder, weights } = onAddresses(lookup, places);
  const { code } = builder;
  for (const lane of [0, 1, 2, 3]) {
    for (const [i, address] of weights.entries()) {
      if (i % 4 !== lane) continue;
      address();
      code.at("call", PROMOTED).op("f32.demote_f64");
      if (i >= 4) code.op("f32.add");
    }
    if (lane % 2 === 1) code.op("f32.add");
  }
  code.op("f32.add").op("f64.promote_f32");
  return builder.function("sumPromoted", "f64");
}

function promote(lookup: TupleLookup, places: Places): WasmFunction {
  const { builder, weights } = onAddresses(lookup, places);
  const { code } = builder;
  const [at, value] = [builder.local("i32"), builder.local("f64")];
  for (const address of weights) {
    address();
    code.at("local.tee", at).access("f32.load", 0).op("f64.promote_f32").f64(0).op("f64.eq").if();
    code.at("local.get", at).at("call", PROMOTED).at("local.set", value);
    code.at("local.get", at).at("local.get", value).f64(TOUCHED);
    code.at("local.get", value).f64(0).op("f64.eq").op("i32.eqz").op("select");
    code.op("f32.demote_f64").access("f32.store", 0).op("end");
  }
  code.i32(0);
  return builder.function("promote", "i32");
}

/** The style of charts, in reports and on pages. It takes the variables `--ink`, `--muted`, `--faint`, `--paper` and the palette's. */
export const chartStyle = `svg text { font: 12.5px system-ui, -apple-system, "Segoe UI", "Liberation Sans", Arial, sans-serif; fill: var(--ink); }
svg .tick { fill: var(--muted); font-variant-numeric: tabular-nums; } svg .label { fill: var(--muted); }
svg .series { font-size: 13px; font-weight: 550; } svg .series[style] { fill: color-mix(in oklab, var(--c) 70%, var(--ink)); } svg .strong { font-weight: 650; font-variant-numeric: tabular-nums; }
.grid { stroke: var(--faint); } .axis { stroke: var(--muted); }
.line { fill: none; stroke: var(--c); stroke-width: 2; stroke-linejoin: round; }
.quiet { fill: none; stroke: var(--muted); stroke-width: 1; opacity: .75; }
.band { fill: var(--c); opacity: .16; } .bar { fill: var(--c); opacity: .82; }
.mark { fill: var(--c); stroke: var(--paper); stroke-width: 1.2; }
.whisker { fill: none; stroke: var(--c); stroke-width: 2; } .interval { stroke: var(--ink); stroke-width: 1.2; }
.reference { stroke: var(--ink); stroke-width: 1; stroke-dasharray: 3 3; }
.landmark { stroke: var(--ink); stroke-width: 1.6; } .median { stroke-dasharray: 2 3; }
`;

/** The style of charts, in reports and on pages. It takes the variables `--ink`, `--muted`, `--faint`, `--paper` and the palette's. */
export const chartStyle = `:where(svg:not(.board)) text { font: 12.5px system-ui, -apple-system, "Segoe UI", "Liberation Sans", Arial, sans-serif; fill: var(--ink); }
svg .tick { fill: var(--muted); font-variant-numeric: tabular-nums; } svg .label { fill: var(--muted); }
svg .series { font-size: 13px; font-weight: 550; } svg .series[style] { fill: color-mix(in oklab, var(--c) 70%, var(--ink)); } svg .strong { font-weight: 650; font-variant-numeric: tabular-nums; }
svg .grid { stroke: var(--faint); } svg .axis { stroke: var(--muted); }
svg .line { fill: none; stroke: var(--c); stroke-width: 2; stroke-linejoin: round; }
svg .quiet { fill: none; stroke: var(--muted); stroke-width: 1; opacity: .75; }
svg .spread { fill: var(--c); opacity: .1; }
svg .band { fill: var(--c); opacity: .16; } svg .bar { fill: var(--c); opacity: .82; }
svg .mark { fill: var(--c); stroke: var(--paper); stroke-width: 1.2; }
svg .whisker { fill: none; stroke: var(--c); stroke-width: 2; } svg .interval { stroke: var(--ink); stroke-width: 1.2; }
svg .moment { fill: var(--ink); }
svg .reference { stroke: var(--ink); stroke-width: 1; stroke-dasharray: 3 3; }
svg .landmark { stroke: var(--ink); stroke-width: 1.6; } svg .median { stroke-dasharray: 2 3; }
`;

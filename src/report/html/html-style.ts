/** The report's style sheet: light and dark, one column on a phone. */

export const REPORT_STYLE = `
:root {
  color-scheme: light dark;
  --ground: #f6f7f9; --card: #fff; --ink: #14181f; --soft: #5b6472; --line: #e3e6eb; --hover: #f0f3f8;
  --accent: #3454d1; --band: rgba(52, 84, 209, .14); --gain: #0b7a4b; --loss: #c02b3a; --warn: #8a5a00; --warn-ground: #fff6e0;
  --shadow: 0 1px 2px rgba(20, 24, 31, .05), 0 4px 16px rgba(20, 24, 31, .04);
}
@media (prefers-color-scheme: dark) {
  :root {
    --ground: #0e1117; --card: #161b23; --ink: #e8ebf0; --soft: #98a2b3; --line: #262d38; --hover: #1c232e;
    --accent: #8aa2ff; --band: rgba(138, 162, 255, .18); --gain: #4ccb92; --loss: #ff7b86; --warn: #f0bf5f; --warn-ground: #2a2213;
    --shadow: none;
  }
}
* { box-sizing: border-box; }
html { -webkit-text-size-adjust: 100%; }
body {
  margin: 0; background: var(--ground); color: var(--ink);
  font: 15px/1.5 system-ui, -apple-system, "Segoe UI", Roboto, "Helvetica Neue", Arial, sans-serif;
}
main { max-width: 1120px; margin: 0 auto; padding: 32px 20px 64px; }
h1 { font-size: 26px; line-height: 1.2; margin: 0; letter-spacing: -.015em; overflow-wrap: anywhere; }
h2 { font-size: 16px; margin: 0; letter-spacing: -.005em; }
h3 { font-size: 13px; margin: 0 0 6px; color: var(--soft); font-weight: 600; }
p { margin: 0; }
code { font: 12.5px/1.5 ui-monospace, SFMono-Regular, Menlo, Consolas, monospace; overflow-wrap: anywhere; }
.eyebrow { color: var(--soft); font-size: 12px; font-weight: 600; letter-spacing: .08em; text-transform: uppercase; margin-bottom: 4px; }
.facts { color: var(--soft); margin-top: 6px; display: flex; flex-wrap: wrap; gap: 2px 14px; }
.card { background: var(--card); border: 1px solid var(--line); border-radius: 12px; box-shadow: var(--shadow); padding: 20px; margin-top: 16px; }
.note { background: var(--warn-ground); color: var(--warn); border: 1px solid color-mix(in srgb, var(--warn) 30%, transparent); border-radius: 10px; padding: 10px 14px; margin-top: 12px; overflow-wrap: anywhere; }
.head { display: flex; flex-wrap: wrap; align-items: center; justify-content: space-between; gap: 8px 16px; margin-bottom: 12px; }
.gain { color: var(--gain); } .loss { color: var(--loss); } .soft { color: var(--soft); }
.hero { display: grid; grid-template-columns: minmax(240px, 1fr) 2fr; gap: 20px 36px; align-items: center; }
.big { font-size: 42px; line-height: 1.1; font-weight: 680; letter-spacing: -.03em; font-variant-numeric: tabular-nums; }
.big small { font-size: 17px; font-weight: 500; color: var(--soft); letter-spacing: 0; }
.range { position: relative; height: 64px; margin: 4px 0 0; }
.range i { position: absolute; top: 26px; height: 8px; border-radius: 4px; }
.range .track { left: 0; right: 0; background: var(--line); }
.range .outer { background: var(--accent); opacity: .16; }
.range .span { background: var(--accent); opacity: .38; }
.range .mark { top: 20px; width: 4px; height: 20px; margin-left: -2px; border-radius: 2px; background: var(--accent); }
.range .zero { top: 16px; width: 1px; height: 28px; background: var(--soft); border-radius: 0; }
.range .zero::after { content: "0"; position: absolute; top: -18px; left: -4px; font: 600 12px/1 system-ui, sans-serif; color: var(--soft); font-style: normal; }
.ends { display: flex; justify-content: space-between; gap: 12px; font-variant-numeric: tabular-nums; margin-top: -8px; }
.ends div:last-child { text-align: right; } .ends div:not(:first-child, :last-child) { text-align: center; }
.ends b { display: block; font-weight: 620; } .ends span { display: block; color: var(--soft); font-size: 12.5px; line-height: 1.35; }
.refill { margin-top: 12px; font-size: 14px; color: var(--soft); }
.tiles { display: grid; grid-template-columns: repeat(6, minmax(0, 1fr)); gap: 12px; margin-top: 16px; }
@media (max-width: 1080px) { .tiles { grid-template-columns: repeat(3, minmax(0, 1fr)); } }
.tile { background: var(--card); border: 1px solid var(--line); border-radius: 12px; box-shadow: var(--shadow); padding: 14px 16px; }
.tile b { display: block; font-size: 21px; font-weight: 640; letter-spacing: -.02em; font-variant-numeric: tabular-nums; margin: 2px 0; }
.tile span { color: var(--soft); font-size: 12px; display: block; }
.legend { display: flex; flex-wrap: wrap; gap: 4px 16px; color: var(--soft); font-size: 13px; font-variant-numeric: tabular-nums; min-height: 20px; }
.legend b { color: var(--ink); font-weight: 600; }
.swatch { display: inline-block; width: 14px; height: 3px; border-radius: 2px; background: var(--accent); vertical-align: middle; margin-right: 6px; }
.swatch.wide { height: 11px; background: var(--band); } .swatch.dashed { height: 0; background: none; border-top: 2px dashed color-mix(in srgb, var(--accent) 55%, transparent); border-radius: 0; }
#chart { height: 320px; margin-top: 8px; }
.switch { display: inline-flex; border: 1px solid var(--line); border-radius: 8px; overflow: hidden; }
.switch button { border: 0; background: none; color: var(--soft); font: inherit; font-size: 13px; padding: 4px 12px; cursor: pointer; }
.switch button[aria-pressed="true"] { background: var(--hover); color: var(--ink); font-weight: 600; }
button:focus-visible, input:focus-visible, summary:focus-visible { outline: 2px solid var(--accent); outline-offset: -2px; }
.scroll { overflow: auto; max-height: min(1200px, 90vh); margin: 0 -20px -20px; border-top: 1px solid var(--line); border-radius: 0 0 12px 12px; }
table { border-collapse: collapse; width: 100%; font-variant-numeric: tabular-nums; font-size: 14px; }
th, td { text-align: right; padding: 8px 9px; white-space: nowrap; border-bottom: 1px solid var(--line); }
th:first-child, td:first-child { text-align: left; padding-left: 20px; } th:last-child, td:last-child { padding-right: 20px; }
td:first-child { white-space: normal; min-width: 200px; overflow-wrap: anywhere; line-height: 1.35; }
td small { display: block; color: var(--soft); }
thead th { position: sticky; top: 0; background: var(--card); padding-top: 0; padding-bottom: 0; box-shadow: inset 0 -1px var(--line); }
th button { position: relative; border: 0; background: none; font: inherit; font-size: 12.5px; font-weight: 600; color: var(--soft); padding: 10px 0; cursor: pointer; white-space: nowrap; }
th button::after { content: "↕"; opacity: 0; position: absolute; right: -11px; } th:first-child button::after { right: -14px; }
th button:hover::after { opacity: .5; }
th[aria-sort="ascending"] button::after { content: "↑"; opacity: 1; } th[aria-sort="descending"] button::after { content: "↓"; opacity: 1; }
th[aria-sort="ascending"] button, th[aria-sort="descending"] button { color: var(--ink); }
tbody tr:last-child td { border-bottom: 0; } tbody tr:hover td { background: var(--hover); }
summary { cursor: pointer; } summary h2 { display: inline; } details .soft { font-weight: 400; } details > p { margin: 8px 0 14px; }
.rows { font-size: 13px; } .rows td { padding-top: 5px; padding-bottom: 5px; } .rows .text { text-align: left; } .rows td:first-child { min-width: 0; white-space: nowrap; }
.rows th { font-weight: 600; color: var(--soft); } .rows thead th { padding-top: 10px; padding-bottom: 10px; white-space: normal; vertical-align: bottom; }
.rows tbody th { text-align: left; background: var(--hover); color: var(--ink); } .rows th span { position: sticky; left: 16px; } .rows th small { color: var(--soft); font-weight: 400; margin-left: 8px; }
input[type="search"] { border: 1px solid var(--line); border-radius: 8px; background: var(--ground); color: var(--ink); font: inherit; font-size: 14px; padding: 6px 12px; width: 220px; max-width: 100%; }
.figures { display: grid; grid-template-columns: repeat(2, minmax(0, 1fr)); gap: 14px 32px; margin-bottom: 14px; overflow-wrap: anywhere; }
.figures h3 { margin-bottom: 1px; } .figures summary { color: var(--soft); font-size: 12.5px; } .figures details p { color: var(--soft); font-size: 13px; margin: 4px 0 0; }
.statistics > h3 { margin-top: 20px; } .statistics > p { font-size: 13px; margin-top: 6px; }
details.card > p.soft { font-size: 13.5px; } details.card > h3 { margin: 14px 0 0; color: var(--ink); }
.wide { overflow-x: auto; margin: 0 -20px; } .plain { font-size: 13.5px; } .plain td, .plain th { padding-top: 5px; padding-bottom: 5px; } .plain thead th { position: static; padding: 6px 9px; font-size: 12.5px; font-weight: 600; color: var(--soft); }
.plain thead th:first-child { padding-left: 20px; } .plain thead th:last-child { padding-right: 20px; } td.why { color: var(--soft); white-space: normal; font-size: 12.5px; text-align: left; }
.flow { display: grid; gap: 10px; }
.flow div { display: grid; grid-template-columns: 132px 1fr 76px; gap: 12px; align-items: center; }
.flow u { display: block; height: 10px; border-radius: 5px; background: var(--line); overflow: hidden; text-decoration: none; }
.flow u i { display: block; height: 100%; border-radius: 5px; background: var(--accent); }
.flow u i.off { background: var(--loss); }
.flow b { text-align: right; font-weight: 600; font-variant-numeric: tabular-nums; }
.pair { display: grid; grid-template-columns: repeat(2, minmax(0, 1fr)); gap: 16px; }
.pair .card { min-width: 0; }
dl { display: grid; grid-template-columns: max-content minmax(0, 1fr); gap: 6px 18px; margin: 0; }
dt { color: var(--soft); } dd { margin: 0; overflow-wrap: anywhere; }
.reasons { list-style: none; margin: 14px 0 0; padding: 12px 0 0; border-top: 1px solid var(--line); display: grid; gap: 8px; font-size: 14px; }
.reasons li { display: grid; grid-template-columns: 1fr auto; gap: 2px 12px; } .reasons small { grid-column: 1 / -1; color: var(--soft); font-size: 13px; }
footer { color: var(--soft); font-size: 13px; margin-top: 28px; display: grid; gap: 4px; }
.empty { color: var(--soft); padding: 28px 0; text-align: center; }
@media (max-width: 760px) {
  main { padding: 20px 14px 48px; } .card { padding: 16px; } .hero, .pair { grid-template-columns: minmax(0, 1fr); } .pair { gap: 0; }
  .tiles { grid-template-columns: repeat(2, minmax(0, 1fr)); } .figures { grid-template-columns: minmax(0, 1fr); }
  .wide { margin: 0 -16px; } .plain td:first-child, .plain thead th:first-child { padding-left: 16px; min-width: 96px; } .plain { font-size: 13px; } .plain td, .plain thead th { padding-left: 5px; padding-right: 5px; } .plain td:last-child, .plain thead th:last-child { padding-right: 16px; }
  .ends { flex-direction: column; gap: 4px; } .ends div { display: flex; flex-direction: row-reverse; justify-content: space-between; gap: 12px; } .ends div:nth-child(n) { text-align: left; }
  .big { font-size: 36px; } #chart { height: 240px; } .scroll { margin: 0 -16px -16px; }
  th:first-child, td:first-child { padding-left: 16px; } td:first-child { min-width: 150px; } .flow div { grid-template-columns: 104px 1fr 60px; gap: 10px; }
  summary { cursor: pointer; } summary h2 { display: inline; } details .soft { font-weight: 400; } details > p { margin: 8px 0 14px; }
.rows { font-size: 13px; } .rows td { padding-top: 5px; padding-bottom: 5px; } .rows .text { text-align: left; } .rows td:first-child { min-width: 0; white-space: nowrap; }
.rows th { font-weight: 600; color: var(--soft); } .rows thead th { padding-top: 10px; padding-bottom: 10px; white-space: normal; vertical-align: bottom; }
.rows tbody th { text-align: left; background: var(--hover); color: var(--ink); } .rows th span { position: sticky; left: 16px; } .rows th small { color: var(--soft); font-weight: 400; margin-left: 8px; }
input[type="search"] { width: 100%; }
}
@media print { .scroll { max-height: none; } .card, .tile { box-shadow: none; break-inside: avoid; } input, .switch { display: none; } }
`;

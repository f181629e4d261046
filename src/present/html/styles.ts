/** The page's only style sheet; its hash stands in the page's content security policy. */
export const styles = `
:root {
  --paper: #ffffff; --ink: #1d2329; --soft: #5a6570; --rule: #d9dee3; --panel: #f6f8fa;
  --line-0: #0f6cbd; --line-1: #c2500a; --line-2: #117a5b; --line-3: #8a3ffc;
  --error: #b3261e; --warning: #8a5a00;
}
@media (prefers-color-scheme: dark) {
  :root {
    --paper: #14181c; --ink: #e4e8ec; --soft: #9aa5b1; --rule: #323a42; --panel: #1b2126;
    --line-0: #62b0f5; --line-1: #f39a4e; --line-2: #4fc79d; --line-3: #c3a0ff;
    --error: #ff8a80; --warning: #f0c04e;
  }
}
* { box-sizing: border-box; }
body {
  margin: 0 auto; max-width: 1240px; padding: 28px 20px 60px;
  background: var(--paper); color: var(--ink);
  font: 15px/1.5 system-ui, "Segoe UI", Roboto, "Helvetica Neue", sans-serif;
}
header p { margin: 0; color: var(--soft); }
h1 { margin: 0 0 4px; font-size: 26px; line-height: 1.25; }
h2 {
  margin: 38px 0 12px; padding-bottom: 6px; font-size: 18px;
  border-bottom: 1px solid var(--rule);
}
.charts { display: grid; grid-template-columns: repeat(auto-fit, minmax(min(100%, 500px), 1fr)); gap: 20px; }
figure {
  margin: 0; padding: 14px 16px; border: 1px solid var(--rule); border-radius: 8px;
  background: var(--panel);
}
figcaption { display: flex; flex-wrap: wrap; gap: 2px 16px; align-items: center; }
.definition { flex-basis: 100%; color: var(--soft); font-size: 13px; }
.legend { display: inline-flex; gap: 6px; align-items: center; font-size: 13px; }
.legend svg { width: 28px; height: 12px; }
figure > svg { display: block; width: 100%; height: auto; margin-top: 8px; }
.grid { stroke: var(--rule); stroke-width: 1; }
.tick { fill: var(--soft); font-size: 12px; font-variant-numeric: tabular-nums; }
.line { fill: none; stroke-width: 2; }
.mark { stroke: var(--panel); stroke-width: 1; }
.line-0 .line { stroke: var(--line-0); } .line-0 .mark { fill: var(--line-0); }
.line-1 .line { stroke: var(--line-1); stroke-dasharray: 6 3; } .line-1 .mark { fill: var(--line-1); }
.line-2 .line { stroke: var(--line-2); stroke-dasharray: 2 3; } .line-2 .mark { fill: var(--line-2); }
.line-3 .line { stroke: var(--line-3); stroke-dasharray: 9 3 2 3; } .line-3 .mark { fill: var(--line-3); }
details { margin-top: 6px; } summary { color: var(--soft); font-size: 13px; cursor: pointer; }
.scroll { overflow-x: auto; margin-bottom: 18px; }
table { border-collapse: collapse; font-variant-numeric: tabular-nums; font-size: 14px; }
caption { padding: 4px 0 6px; text-align: left; color: var(--soft); font-size: 13px; }
th, td { padding: 3px 12px 3px 0; white-space: pre; font-weight: inherit; vertical-align: top; }
td + th, th + th, td + td, th + td { padding-left: 12px; }
thead th { color: var(--soft); font-weight: 600; border-bottom: 1px solid var(--rule); }
th[scope="colgroup"] { text-align: center; }
tbody tr:hover { background: var(--panel); }
.left { text-align: left; } .right { text-align: right; }
.facts td, .notices td { white-space: normal; }
.code td, .code tbody th { font-family: ui-monospace, "Cascadia Mono", Menlo, Consolas, monospace; font-size: 13px; }
.dim { color: var(--soft); } .error { color: var(--error); font-weight: 600; } .warning { color: var(--warning); }
.empty { color: var(--soft); }
`;

/**
 * The style sheet of the reference page, with a light and a dark scheme. The contrast of text is at
 * least 4.5:1.
 *
 * @module
 */

export const REFERENCE_STYLE = `:root {
  color-scheme: light dark;
  --ground: light-dark(#f5f6f8, #0f141a);
  --surface: light-dark(#ffffff, #171e26);
  --raised: light-dark(#eef1f4, #202a34);
  --text: light-dark(#19222d, #e3e9f0);
  --muted: light-dark(#505c6a, #a2aebc);
  --line: light-dark(#d8dde3, #2c3743);
  --accent: light-dark(#0b5cad, #7db6f3);
  --good: light-dark(#17693a, #74d19b);
  --bad: light-dark(#a8221b, #ff9f95);
  --mono: ui-monospace, SFMono-Regular, Menlo, Consolas, "DejaVu Sans Mono", monospace;
}
*, *::before, *::after { box-sizing: border-box; }
html { font: 15px/1.5 system-ui, -apple-system, "Segoe UI", Roboto, "Noto Sans", sans-serif; }
body { margin: 0; background: var(--ground); color: var(--text); }
a { color: var(--accent); text-underline-offset: 0.15em; }
:focus-visible { outline: 2px solid var(--accent); outline-offset: 2px; }
main:focus { outline: none; }
code, pre { font-family: var(--mono); font-size: 0.9em; }
code { overflow-wrap: anywhere; }
pre {
  max-height: 24rem; margin: 8px 0 0; padding: 10px 12px; overflow: auto;
  background: var(--raised); border-radius: 6px;
}
p { margin: 6px 0; max-width: 75ch; }
p:empty { display: none; }
header { padding: 16px 24px; background: var(--surface); border-bottom: 1px solid var(--line); }
h1 { margin: 0; font-size: 1.3rem; }
h2 { margin: 0 0 8px; font-size: 1.5rem; }
h3 { margin: 32px 0 4px; font-size: 1.15rem; }
h4 { margin: 0 0 4px; font-size: 1rem; overflow-wrap: anywhere; }
h5 { margin: 0; font-size: 0.93rem; font-weight: 600; overflow-wrap: anywhere; }
.skip { position: absolute; left: -999px; padding: 8px 12px; background: var(--surface); }
.skip:focus { left: 8px; top: 8px; }
.columns { display: grid; grid-template-columns: 300px minmax(0, 1fr); }
nav {
  position: sticky; top: 0; height: 100vh; padding: 8px 16px 24px 24px; overflow-y: auto;
  border-right: 1px solid var(--line); font-size: 0.87rem;
}
nav h2 { margin: 16px 0 2px; font-size: 0.9rem; }
nav ul { margin: 0; padding: 0; list-style: none; }
nav li a { display: block; padding: 3px 0; color: inherit; text-decoration: none; overflow-wrap: anywhere; }
nav li a:hover { color: var(--accent); text-decoration: underline; }
main { padding: 24px; max-width: 1080px; }
main > section + section { margin-top: 48px; }
.operation, .schema {
  margin: 16px 0; padding: 16px; background: var(--surface);
  border: 1px solid var(--line); border-radius: 6px; scroll-margin-top: 12px;
}
.operation > h2, .operation > h3:first-child { margin-top: 0; }
.operation:target, .schema:target { border-color: var(--accent); }
.method {
  display: inline-block; min-width: 3.2em; color: var(--accent);
  font: 600 max(0.82em, 0.75rem)/1.4 var(--mono);
}
.summary { font-weight: 600; }
.note { color: var(--muted); font-size: 0.85em; font-weight: 400; }
.response { margin-top: 12px; padding-top: 10px; border-top: 1px solid var(--line); }
.status { display: inline-block; min-width: 2.6em; font-family: var(--mono); }
.status-2 { color: var(--good); }
.status-4, .status-5 { color: var(--bad); }
.wide { margin: 8px 0; }
table { width: 100%; border-collapse: collapse; font-size: 0.93em; }
th, td { padding: 5px 10px 5px 0; text-align: start; vertical-align: top; border-bottom: 1px solid var(--line); }
thead th { color: var(--muted); font-weight: 600; font-size: 0.87em; }
tbody th { font-weight: 400; overflow-wrap: anywhere; }
td { min-width: 6em; overflow-wrap: break-word; }
details { margin: 6px 0; }
.sample { display: inline-block; max-width: 100%; margin-right: 16px; vertical-align: top; }
.sample[open] { display: block; margin-right: 0; }
summary { cursor: pointer; color: var(--accent); }
.pattern { color: var(--muted); }
@media (max-width: 800px) {
  .columns { display: block; }
  nav { position: static; height: auto; padding: 8px 16px; border: 0; border-bottom: 1px solid var(--line); }
  nav ul { display: none; }
  nav h2 { display: inline-block; margin: 0 18px 0 0; font-size: 1rem; line-height: 2.4; }
  main { padding: 16px; }
  .operation, .schema { padding: 12px; }
  table, tbody, tr, th, td { display: block; }
  thead { display: none; }
  tr { padding: 6px 0; border-bottom: 1px solid var(--line); }
  th, td { padding: 1px 0; border: 0; }
  tbody th { white-space: normal; overflow-wrap: anywhere; }
  td:empty { display: none; }
}
`;

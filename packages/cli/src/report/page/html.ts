import { createHash } from "node:crypto"
import { clientScript } from "./client-script.ts" with { type: "macro" }
import type { PageData } from "./data.ts"
import style from "./page.css" with { type: "text" }

/** What says that a file is such a page, in its first characters. */
export const GENERATOR = '<meta name="generator" content="opencode-rulebook report">'

/**
 * The page: one file that needs no other. Its policy lets only its own script and style run, and nothing be loaded. The data is JSON in
 * which no `<` stands, so that no text in it can end its element.
 */
export function pageHtml(data: PageData): string {
  const script = clientScript()
  const policy = [
    "default-src 'none'",
    `script-src '${hashOf(script)}'`,
    `style-src '${hashOf(style)}'`,
    "base-uri 'none'",
    "form-action 'none'",
  ].join("; ")
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
${GENERATOR}
<meta http-equiv="Content-Security-Policy" content="${policy}">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<meta name="referrer" content="no-referrer">
<title>${escaped(`Rules of ${data.project}`)}</title>
<style>${style}</style>
</head>
<body>
<noscript>This page shows its figures with JavaScript, which is off.</noscript>
<main id="page"></main>
<script type="application/json" id="data">${JSON.stringify(data).replaceAll("<", "\\u003c")}</script>
<script>${script}</script>
</body>
</html>
`
}

/** As a policy names it. */
function hashOf(text: string): string {
  return `sha256-${createHash("sha256").update(text).digest("base64")}`
}

function escaped(text: string): string {
  return text.replaceAll("&", "&amp;").replaceAll("<", "&lt;")
}

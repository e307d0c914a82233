import { expect, test } from "bun:test"
import { createHash } from "node:crypto"
import { Window } from "happy-dom"
import { pageData, pageRule } from "../../../test/page/data.ts"
import { GENERATOR, pageHtml } from "./html.ts"

const HOSTILE = `</script><script>alert(1)</script></title><!--&lt;"'`

test("one file: its policy names its own script and style by their hashes, and lets nothing else run or be loaded", () => {
  const html = pageHtml(pageData())
  const [style = "", data = "", script = ""] = ["<style>", 'id="data">', "<script>"].map((start) => {
    const from = html.lastIndexOf(start) + start.length
    return html.slice(from, html.indexOf("</s", from))
  })
  const hash = (text: string) => createHash("sha256").update(text).digest("base64")
  expect(html.replace(style, "STYLE").replace(data, "DATA").replace(script, "SCRIPT")).toBe(`<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
${GENERATOR}
<meta http-equiv="Content-Security-Policy" content="default-src 'none'; script-src 'sha256-${hash(script)}'; style-src 'sha256-${hash(style)}'; base-uri 'none'; form-action 'none'">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<meta name="referrer" content="no-referrer">
<title>Rules of /home/dev/app</title>
<style>STYLE</style>
</head>
<body>
<noscript>This page shows its figures with JavaScript, which is off.</noscript>
<main id="page"></main>
<script type="application/json" id="data">DATA</script>
<script>SCRIPT</script>
</body>
</html>
`)
  expect(style).toContain(".timeline")
  expect(JSON.parse(data)).toEqual(JSON.parse(JSON.stringify(pageData())))
  // The page's code, bundled and minified.
  expect(script).toContain("Rule report")
  expect(script).not.toContain("import ")
})

test("no text of the data ends its element or the title", () => {
  const data = pageData({ project: HOSTILE, rules: [pageRule(HOSTILE)] })
  const { document } = new Window({ url: "https://localhost/" })
  document.write(pageHtml(data))
  expect(document.title).toBe(`Rules of ${HOSTILE}`)
  expect(document.querySelectorAll("script")).toHaveLength(2)
  expect(JSON.parse(document.getElementById("data")?.textContent ?? "")).toEqual(JSON.parse(JSON.stringify(data)))
})

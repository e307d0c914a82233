import { describe, expect, test } from "bun:test"
import { readFrame } from "./frame.ts"
import { frameToSvg } from "./frame-to-svg.ts"

const E = "\u001b["

/** Runs of one line as `text@column+columns style`. */
function shown(frame: string): string[] {
  return readFrame(frame).flatMap((runs, row) =>
    runs.map(({ text, column, columns, foreground, background, ...flags }) => {
      const set = Object.entries(flags).flatMap(([name, value]) => (value ? [name] : []))
      return [`${row}:${column}+${columns}`, text, foreground ?? "-", background ?? "-", ...set].join(" ")
    }),
  )
}

describe("a frame's runs", () => {
  const table: readonly [frame: string, runs: string[]][] = [
    ["plain\n", ["0:0+5 plain - -"]],
    [`${E}38;2;1;2;3mab${E}0mcd`, ["0:0+2 ab 1,2,3 -", "0:2+2 cd - -"]],
    [`${E}48;2;9;8;7;1mx${E}22;49my`, ["0:0+1 x - 9,8,7 bold", "0:1+1 y - -"]],
    [`${E}31ma${E}97mb${E}44mc`, ["0:0+1 a 205,49,49 -", "0:1+1 b 255,255,255 -", "0:2+1 c 255,255,255 36,114,200"]],
    [`${E}38;5;196ma${E}38;5;244mb${E}38;5;9mc`, ["0:0+1 a 255,0,0 -", "0:1+1 b 128,128,128 -", "0:2+1 c 241,76,76 -"]],
    [`${E}7mx${E}27my`, ["0:0+1 x 10,10,10 224,224,224", "0:1+1 y - -"]],
    [`${E}3;4;2mx${E}my`, ["0:0+1 x - - dim italic underline", "0:1+1 y - -"]],
    [`日本${E}1mx`, ["0:0+4 日本 - -", "0:4+1 x - - bold"]],
    [`${E}1ma\nb`, ["0:0+1 a - - bold", "1:0+1 b - - bold"]],
    ["", []],
  ]
  for (const [frame, runs] of table) test(JSON.stringify(frame), () => expect(shown(frame)).toEqual(runs))
})

test("the picture has every run in its place, and texts are data", () => {
  const svg = frameToSvg(`ab${E}48;2;0;0;255;38;2;255;0;0m<&"c>\n${E}0m  z`, { columns: 10, rows: 2 }, "A & B")
  expect(svg).toContain('width="108" height="60"')
  expect(svg).toContain("<title>A &amp; B</title>")
  expect(svg).toContain('<rect x="28.8" y="12" width="42" height="18" fill="#0000ff"/>')
  expect(svg).toContain('fill="#ff0000">&lt;&amp;&quot;c&gt;</text>')
  expect(svg).toMatch(/<text x="12" y="43.5"[^>]*> {2}z<\/text>/)
  expect(frameToSvg("a\nb\nc", { columns: 1, rows: 2 }, "")).not.toContain(">c<")
})

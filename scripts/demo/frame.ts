/** Red, green, blue, 0 to 255 each. */
export type Colour = readonly [red: number, green: number, blue: number]

export interface Style {
  readonly foreground: Colour | undefined
  readonly background: Colour | undefined
  readonly bold: boolean
  readonly dim: boolean
  readonly italic: boolean
  readonly underline: boolean
}

/** Text of one style, on one line of a terminal. */
export interface Run extends Style {
  readonly column: number
  /** How many columns it takes. */
  readonly columns: number
  readonly text: string
}

type Pen = Style & { readonly reverse: boolean }

const PLAIN: Pen = {
  foreground: undefined,
  background: undefined,
  bold: false,
  dim: false,
  italic: false,
  underline: false,
  reverse: false,
}
/** What reversed text without colours of its own has. */
const DEFAULTS = { foreground: [224, 224, 224], background: [10, 10, 10] } as const satisfies Record<string, Colour>

const ESCAPE = "\u001b["

/** Reads a terminal's frame, line by line; its only escape sequences are SGR ones, other sequences are left out. */
export function readFrame(frame: string): Run[][] {
  let pen = PLAIN
  return frame.replace(/\n$/, "").split("\n").map(readLine)

  function readLine(line: string): Run[] {
    const runs: Run[] = []
    let column = 0
    // Between two escape sequences there is text of one style.
    for (const [index, part] of line.split(ESCAPE).entries()) {
      const [whole = "", parameters = ""] = index > 0 ? (part.match(/^([\d;:]*)m/) ?? []) : []
      if (whole !== "") pen = applied(pen, parameters)
      const text = Bun.stripANSI(part.slice(whole.length))
      if (text === "") continue
      const columns = Bun.stringWidth(text)
      runs.push({ ...styleOf(pen), column, columns, text })
      column += columns
    }
    return runs
  }
}

function styleOf({ reverse, ...style }: Pen): Style {
  if (!reverse) return style
  const foreground = style.background ?? DEFAULTS.background
  return { ...style, foreground, background: style.foreground ?? DEFAULTS.foreground }
}

function applied(pen: Pen, parameters: string): Pen {
  const codes = parameters.split(/[;:]/).map(Number)
  let next = pen
  for (let index = 0; index < codes.length; index += 1) {
    const code = codes[index] ?? 0
    if (code === 38 || code === 48) {
      const { colour, used } = extendedColour(codes.slice(index + 1))
      next = { ...next, [code === 38 ? "foreground" : "background"]: colour }
      index += used
    } else next = { ...next, ...changeOf(code) }
  }
  return next
}

function changeOf(code: number): Partial<Pen> {
  if (code >= 30 && code <= 37) return { foreground: palette(code - 30) }
  if (code >= 40 && code <= 47) return { background: palette(code - 40) }
  if (code >= 90 && code <= 97) return { foreground: palette(code - 82) }
  if (code >= 100 && code <= 107) return { background: palette(code - 92) }
  return SWITCHES[code] ?? {}
}

const SWITCHES: Readonly<Record<number, Partial<Pen>>> = {
  0: PLAIN,
  1: { bold: true },
  2: { dim: true },
  3: { italic: true },
  4: { underline: true },
  7: { reverse: true },
  22: { bold: false, dim: false },
  23: { italic: false },
  24: { underline: false },
  27: { reverse: false },
  39: { foreground: undefined },
  49: { background: undefined },
}

/** The colour that follows a 38 or 48, and how many codes it takes. */
function extendedColour(codes: readonly number[]): { colour: Colour | undefined; used: number } {
  const [kind, a = 0, b = 0, c = 0] = codes
  if (kind === 2) return { colour: [a, b, c], used: 4 }
  return kind === 5 ? { colour: palette(a), used: 2 } : { colour: undefined, used: 0 }
}

const BASIC: readonly Colour[] = [
  [0, 0, 0],
  [205, 49, 49],
  [13, 188, 121],
  [229, 229, 16],
  [36, 114, 200],
  [188, 63, 188],
  [17, 168, 205],
  [229, 229, 229],
  [102, 102, 102],
  [241, 76, 76],
  [35, 209, 139],
  [245, 245, 67],
  [59, 142, 234],
  [214, 112, 214],
  [41, 184, 219],
  [255, 255, 255],
]

/** A colour of the 256: 16 basic ones, a cube of 6 × 6 × 6, 24 greys. */
function palette(index: number): Colour {
  const basic = BASIC[index]
  if (basic) return basic
  if (index >= 232) {
    const grey = 8 + (index - 232) * 10
    return [grey, grey, grey]
  }
  const level = (step: number) => (step === 0 ? 0 : 55 + step * 40)
  const cube = index - 16
  return [level(Math.floor(cube / 36)), level(Math.floor(cube / 6) % 6), level(cube % 6)]
}

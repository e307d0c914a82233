const NUMBER = new Intl.NumberFormat("en")
const SHORT = new Intl.NumberFormat("en", { notation: "compact", maximumFractionDigits: 1 })
const DAY = new Intl.DateTimeFormat("en-GB", { day: "numeric", month: "short", year: "numeric" })
const DAY_OF_YEAR = new Intl.DateTimeFormat("en-GB", { day: "numeric", month: "short" })
const TIME = new Intl.DateTimeFormat("en-GB", { hour: "2-digit", minute: "2-digit" })

export function number(value: number): string {
  return NUMBER.format(value)
}

/** `1.2K`. */
export function short(value: number): string {
  return SHORT.format(value)
}

/** Rounded down: 100 % is all. As a float, 57 hundredths are 56.99… percent. */
export function percent(share: number): string {
  return `${Math.floor(share * 100 + 1e-9)} %`
}

/** `30 Nov 2026`. */
export function day(at: number): string {
  return DAY.format(at)
}

/** `30 Nov`, of a day such as `2026-11-30`. */
export function dayOfYear(text: string): string {
  return DAY_OF_YEAR.format(new Date(`${text}T12:00`))
}

/** `14:02`. */
export function time(at: number): string {
  return TIME.format(at)
}

/** `1 rule`, `2 rules`. */
export function counted(count: number, noun: string): string {
  return `${number(count)} ${noun}${count === 1 ? "" : "s"}`
}

/** From the first day to the last. */
export function period(from: number, to: number): string {
  return day(from) === day(to) ? day(from) : `${day(from)} – ${day(to)}`
}

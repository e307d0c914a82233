import type { MatchedBy, Receipt, SessionReceipts } from "@opencode-rulebook/rule-schema"

/** Receipts in short, each with the number of its request first; what the files of a rule are called without their endings. */
export function receiptLines(session: Pick<SessionReceipts, "receipts"> | undefined): readonly string[] {
  return (session?.receipts ?? []).map((receipt) => `${receipt.request} ${said(receipt)}`)
}

function said(receipt: Receipt): string {
  switch (receipt.kind) {
    case "session": {
      const rules = receipt.rules.map(({ id }) => named(id)).join(" ")
      return `session ${receipt.begins ? "begins" : "grows"}: ${rules}${receipt.broken.length > 0 ? `, broken: ${receipt.broken.map(named).join(" ")}` : ""}`
    }
    case "request": {
      const did = receipt.did.map(({ tool, paths, stopped }) =>
        [tool, ...paths, ...(stopped ? ["stopped"] : [])].join(" "),
      )
      return ["request", ...(receipt.prompted ? ["prompted"] : []), ...did.map((call) => `(${call})`)].join(" ")
    }
    case "matched":
      return `matched ${named(receipt.rule)} by ${receipt.by.map(cause).join(" and ")}`
    case "found":
      return `found ${receipt.rules.map(named).join(" ")}`
    case "delivered":
      return `delivered ${named(receipt.rule)} ${receipt.how} ${receipt.reason} ${receipt.count}`
    case "transient":
      return `transient ${named(receipt.rule)} ${receipt.isOn ? "on" : "off"} ${receipt.reason}`
    case "hook":
      return `hook ${named(receipt.rule)} ${receipt.on} ${receipt.tool}`
    case "stopped":
      return [
        ...["stopped", named(receipt.rule), receipt.reason, receipt.tool, ...receipt.paths],
        ...(receipt.literal === undefined ? [] : [`literal ${receipt.literal}`]),
      ].join(" ")
    case "forbidden":
      return `forbidden ${named(receipt.rule)} ${receipt.path}:${receipt.line ?? "?"} literal ${receipt.literal}`
    case "followed":
      return `followed ${named(receipt.rule)} ${receipt.path}`
    case "store":
      return `store ${receipt.rules.map(named).join(" ")} ${receipt.outcome}`
    case "gone":
      return `gone ${named(receipt.rule)} ${receipt.reason}`
    case "verdicts": {
      const rules = Object.entries(receipt.rules).map(([id, verdicts]) => {
        const each = verdicts.map(
          ({ family, met, seen }) => `${met ? "+" : "-"}${family}${seen === undefined ? "" : `=${seen}`}`,
        )
        return `${named(id)}${each.join("")}`
      })
      return `verdicts ${rules.join(" ")}`
    }
    default:
      return receipt.kind
  }
}

function cause(by: MatchedBy): string {
  if (by.kind === "condition") return by.seen === undefined ? by.family : `${by.family} ${by.seen}`
  return by.kind === "hook" ? `hook ${by.tool}` : by.kind
}

function named(id: string): string {
  return id.replace(/^project:/, "").replace(/\.md$/, "")
}

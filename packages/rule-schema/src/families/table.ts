import type { FamilyName } from "../rule.ts"
import { agent } from "./agent.ts"
import { branch } from "./branch.ts"
import { ci } from "./ci.ts"
import { command } from "./command.ts"
import type { Family } from "./family.ts"
import { file } from "./file.ts"
import { keywords } from "./keywords.ts"
import { model } from "./model.ts"
import { os } from "./os.ts"
import { project } from "./project.ts"
import { tools } from "./tools.ts"

/** Every condition family by name, in the order in which conditions are listed. A new family is one file and one row here. */
export const FAMILIES = {
  file,
  keywords,
  command,
  project,
  os,
  ci,
  agent,
  model,
  branch,
  tools,
} as const satisfies { readonly [Name in FamilyName]: Family<Name> }

/** The families in their order. */
export const FAMILY_LIST: readonly Family<FamilyName>[] = Object.values(FAMILIES)

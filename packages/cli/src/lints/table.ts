import { alwaysOn } from "./always-on.ts"
import { alwaysTrueRegex } from "./always-true-regex.ts"
import { broadKeyword } from "./broad-keyword.ts"
import { broadLiteral } from "./broad-literal.ts"
import { costlyRemind } from "./costly-remind.ts"
import { duplicateName } from "./duplicate-name.ts"
import { forbiddenExample } from "./forbidden-example.ts"
import { globWithoutFile } from "./glob-without-file.ts"
import { idleHold } from "./idle-hold.ts"
import { idleRemind } from "./idle-remind.ts"
import { idleReminder } from "./idle-reminder.ts"
import { impossibleAll } from "./impossible-all.ts"
import { impossibleCondition } from "./impossible-condition.ts"
import { impossibleHook } from "./impossible-hook.ts"
import { largeBody } from "./large-body.ts"
import type { Lint } from "./lint.ts"
import { literalExpression } from "./literal-expression.ts"
import { nameCase } from "./name-case.ts"
import { noDescription } from "./no-description.ts"
import { redundantLiteral } from "./redundant-literal.ts"
import { requiredLiteral } from "./required-literal.ts"
import { splitLiteral } from "./split-literal.ts"
import { trimmedLiteral } from "./trimmed-literal.ts"
import { unknownName } from "./unknown-name.ts"

/** Every lint. A new one is one file and one row here. */
export const LINTS: readonly Lint[] = [
  broadKeyword,
  trimmedLiteral,
  literalExpression,
  splitLiteral,
  globWithoutFile,
  alwaysOn,
  noDescription,
  impossibleAll,
  impossibleCondition,
  impossibleHook,
  unknownName,
  nameCase,
  duplicateName,
  largeBody,
  alwaysTrueRegex,
  idleHold,
  idleRemind,
  costlyRemind,
  idleReminder,
  broadLiteral,
  redundantLiteral,
  requiredLiteral,
  forbiddenExample,
]

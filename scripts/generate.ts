import { writeFile } from "node:fs/promises"
import { join } from "node:path"
import { installDependencies, root } from "./install.ts"

await installDependencies()
// Only now are the packages there that the documents are made from.
const { compare, GENERATED } = await import("./docs/generated.ts")
for (const file of GENERATED) {
  const { is, shouldBe } = await compare(file)
  if (is === shouldBe) continue
  await writeFile(join(root, file.path), shouldBe)
  console.log(`wrote ${file.path}`)
}

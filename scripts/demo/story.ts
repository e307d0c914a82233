import { type Answer, call, type Project, say } from "@opencode-rulebook/host-lab"

/** One prompt of the demo's user and what the scripted model does about it. */
export interface Chapter {
  readonly prompt: string
  readonly script: (project: Project) => readonly Answer[]
}

export const story: readonly Chapter[] = [
  {
    prompt: "Make read_all in src/buffer.rs safer, then commit.",
    script: (project) => [
      call("read", { filePath: project.path("src/main.rs") }),
      call("read", { filePath: project.path("src/buffer.rs") }),
      call("edit", {
        filePath: project.path("src/buffer.rs"),
        oldString: "    unsafe {\n",
        newString: "    // SAFETY: both pointers are valid for `bytes.len()` bytes and don't overlap.\n    unsafe {\n",
      }),
      call("bash", { command: "git log --oneline -1", description: "Shows the last commit" }),
      say("Done: the unsafe block says why it is sound."),
    ],
  },
  {
    prompt: "Now the accent colour: a little darker.",
    script: (project) => [
      call("read", { filePath: project.path("web/app.css") }),
      call("edit", { filePath: project.path("web/app.css"), oldString: "#4463d8", newString: "#3450b8" }),
      say("Done."),
    ],
  },
]

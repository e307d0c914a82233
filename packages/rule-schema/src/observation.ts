/** One file of one successful tool event. `path` is verbatim; `content` is undefined when only the path is known. */
export interface FileObservation {
  readonly path: string
  readonly tool: string
  readonly content: string | undefined
}

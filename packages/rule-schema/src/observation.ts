/**
 * One file of one successful tool event. `path` is verbatim; `content` is undefined when only the path is known. A content that is not
 * there ready may be made when it is first asked for.
 */
export interface FileObservation {
  readonly path: string
  readonly tool: string
  readonly content: string | undefined
  /** Beside a content that is made when asked for: a text in which each of its lines stands in one piece. Most searches end there. */
  readonly source?: string | undefined
  /** Whether the content is known to be a part of the file's text only, as a Read with an offset gives it. */
  readonly isPart?: true | undefined
}

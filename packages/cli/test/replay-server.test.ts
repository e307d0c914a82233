import { describe, expect, test } from "bun:test"
import { join } from "node:path"
import { rule, type TestProject, testProject } from "./project.ts"
import { type ExportedSession, exportOf, NOON } from "./support/exports.ts"

const DAY = 86_400_000
const RULES = { "rules/deploy.md": rule("keywords: [deploy]"), "rules/look.md": rule("command: [look]") }

/** A session with a subagent's, one of another project, and what is no session. */
function sessionsOf(directory: string): readonly ExportedSession[] {
  const task = { tool: "task", input: { command: "look" }, metadata: { sessionId: "ses_child" } }
  const own = { directory, at: NOON }
  return [
    { ...own, id: "ses_old", at: NOON - DAY, turns: [{ prompt: "deploy it" }] },
    { ...own, id: "ses_parent", turns: [{ prompt: "go", steps: [[task]] }] },
    { ...own, id: "ses_child", at: NOON + DAY, parentID: "ses_parent", turns: [{ prompt: "deploy it" }] },
    { ...own, id: "ses_below", at: NOON - 2 * DAY, directory: join(directory, "sub"), turns: [] },
    { ...own, id: "ses_other", directory: "/elsewhere", at: NOON + 2 * DAY, turns: [] },
  ]
}

interface FakeServer extends Disposable {
  readonly url: string
  /** The paths that it was asked for, with the credentials. */
  readonly asked: readonly string[]
}

/** A server of OpenCode 1. Its answers to some paths can be others. */
function serve(directory: string, others: Readonly<Record<string, () => Response>> = {}): FakeServer {
  const sessions = sessionsOf(directory).map(exportOf)
  const asked: string[] = []
  const server = Bun.serve({
    port: 0,
    fetch({ url, headers }) {
      const { pathname, search } = new URL(url)
      asked.push([pathname + search, headers.get("authorization") ?? ""].join(" ").trim())
      const other = others[pathname]
      if (other) return other()
      if (pathname === "/session") {
        const infos: unknown[] = sessions.map(({ info }) => info)
        // What is not a session of OpenCode 1, and one whose time is not known.
        const odd = [
          null,
          "ses_x",
          { id: 1, directory },
          { id: "ses_nowhere", directory: 5 },
          { id: "ses_untimed", directory },
        ]
        return Response.json([...infos, ...odd])
      }
      const found = sessions.find(({ info }) => pathname.split("/")[2] === info.id)
      if (found === undefined) return new Response("", { status: 404 })
      return Response.json(pathname.endsWith("/message") ? found.messages : found.info)
    },
  })
  return { url: server.url.href, asked, [Symbol.dispose]: () => void server.stop(true) }
}

async function idsIn(project: TestProject, args: readonly string[], env: Record<string, string> = {}) {
  const { out, err } = await project.run(["replay", "--json", ...args], { env })
  const { sessions, failures } = JSON.parse(out === "" ? '{"sessions":[]}' : out) as {
    readonly sessions: readonly { readonly id: string }[]
    readonly failures?: readonly string[]
  }
  return { ids: sessions.map(({ id }) => id), ...(failures && { failures }), err }
}

describe("a running server", () => {
  test("is asked for the project's sessions, with those of subagents, the newest first", async () => {
    await using project = await testProject(RULES)
    using server = serve(project.directory)
    const failures = [`${server.url}session/ses_untimed: OpenCode answered 404`]
    expect(await idsIn(project, ["--server", server.url])).toEqual({
      ...{ ids: ["ses_parent", "ses_old", "ses_below", "ses_child"], failures, err: "" },
    })
    const query = `?directory=${encodeURIComponent(project.directory)}&limit=10000`
    expect(server.asked[0]).toBe(`/session${query}`)
    const read = ["ses_parent", "ses_child", "ses_old", "ses_below"].flatMap((id) => [id, `${id}/message`])
    expect(server.asked.slice(1).toSorted()).toEqual(
      [...read, "ses_untimed"].map((path) => `/session/${path}${query}`).toSorted(),
    )
    expect(await idsIn(project, ["--server", server.url, "--limit", "1"])).toEqual({
      ...{ ids: ["ses_parent", "ses_child"], failures: [], err: "" },
    })
  })

  test("of a folder below the root of a git repository is asked for all of that", async () => {
    await using project = await testProject({ ...RULES, "sub/x.txt": "" }, true)
    using server = serve(project.directory)
    const { ids } = await idsIn(project, ["-C", join(project.directory, "sub"), "--server", server.url])
    expect(ids).toEqual(["ses_parent", "ses_old", "ses_below", "ses_child"])
  })

  test("is asked for sessions by their ids", async () => {
    await using project = await testProject(RULES)
    using server = serve(project.directory)
    expect(await idsIn(project, ["ses_old", "ses_child", "--server", server.url])).toEqual({
      ...{ ids: ["ses_old", "ses_child"], failures: [], err: "" },
    })
    expect(await project.run(["replay", "ses_gone", "--server", server.url])).toEqual({
      ...{ code: 2, out: "", err: `error: ${server.url}session/ses_gone: OpenCode answered 404\n` },
    })
  })

  test.each<[env: Record<string, string>, credentials: string]>([
    [{}, ""],
    [{ OPENCODE_SERVER_USERNAME: "ada" }, ""],
    [{ OPENCODE_SERVER_PASSWORD: "secret" }, ` Basic ${btoa("opencode:secret")}`],
    [{ OPENCODE_SERVER_PASSWORD: "secret", OPENCODE_SERVER_USERNAME: "ada" }, ` Basic ${btoa("ada:secret")}`],
  ])("gets the credentials of its own environment variables: %p", async (env, credentials) => {
    await using project = await testProject(RULES)
    using server = serve(project.directory)
    await project.run(["replay", "ses_old", "--server", server.url], { env })
    const query = `?directory=${encodeURIComponent(project.directory)}&limit=10000`
    expect(server.asked).toEqual([
      ...[`/session/ses_old${query}${credentials}`, `/session/ses_old/message${query}${credentials}`],
    ])
  })

  const text = () => new Response("<html>")
  test.each<[what: string, others: Record<string, () => Response>, args: readonly string[], message: string]>([
    ["refuses", { "/session": () => new Response("", { status: 401 }) }, [], "URLsession: OpenCode answered 401"],
    [
      "answers with no JSON",
      { "/session": text },
      [],
      "URLsession: the answer is not JSON; is it an OpenCode server's address?",
    ],
    [
      "answers with no list",
      { "/session": () => Response.json({ data: [] }) },
      [],
      "URLsession: the answer is not a list of OpenCode 1's sessions",
    ],
    [
      "answers with no session",
      { "/session/ses_old": () => Response.json({}) },
      ["ses_old"],
      "URL: what it answers for ses_old is not a session of OpenCode 1",
    ],
  ])("that %s is an error", async (_what, others, args, message) => {
    await using project = await testProject(RULES)
    using server = serve(project.directory, others)
    expect(await project.run(["replay", ...args, "--server", server.url])).toEqual({
      ...{ code: 2, out: "", err: `error: ${message.replace("URL", server.url)}\n` },
    })
  })

  test("that isn't there, or whose address isn't one, is an error", async () => {
    await using project = await testProject(RULES)
    const closed = await project.run(["replay", "--server", "http://127.0.0.1:1"])
    expect(closed).toEqual({
      code: 2,
      out: "",
      err: expect.stringMatching(
        /^error: http:\/\/127\.0\.0\.1:1\/session: no answer \(.+\); is an OpenCode server running there\?\n$/,
      ),
    })
    expect(await project.run(["replay", "--server", "nothing"])).toEqual({
      code: 2,
      out: "",
      err: "error: --server nothing: not an address; write for example http://127.0.0.1:4096\n",
    })
  })

  test("without sessions of the project has nothing to replay", async () => {
    await using project = await testProject(RULES)
    using server = serve(project.directory, { "/session": () => Response.json([]) })
    expect(await project.run(["replay", "--server", server.url])).toEqual({
      ...{ code: 0, err: "", out: "OpenCode has no sessions of this project.\n" },
    })
  })
})

import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { http, httpDouble } from './http-double.js'
import { temporaryFolder } from './temporary-folder.js'

interface FakeComment {
  readonly id: number
  body: string
  /** Other members, such as the account of the author. */
  readonly [name: string]: unknown
}

interface Account {
  readonly id: number
  /** Only in responses of GitHub. */
  readonly type?: 'Bot' | 'User'
}

/** A comment in the REST API of GitHub (issues/comments). */
const showOnGitHub = (id: number, body: string, account: Account): FakeComment => ({
  url: `https://api.github.example.org/repos/acme/sites/issues/comments/${id}`,
  node_id: `IC_${id}`,
  id,
  user: {
    login: account.type === 'Bot' ? 'github-actions[bot]' : `user-${account.id}`,
    ...account,
    site_admin: false,
  },
  created_at: '2026-03-04T05:06:07Z',
  updated_at: '2026-03-04T05:06:07Z',
  body,
  author_association: 'NONE',
  performed_via_github_app: null,
})

/** A note in the REST API of GitLab (notes of merge requests). */
const showOnGitLab = (id: number, body: string, { id: author }: Account): FakeComment => ({
  id,
  type: null,
  body,
  attachment: null,
  author: {
    id: author,
    username: `project_1_bot_${author}`,
    name: 'landform',
    state: 'active',
    locked: false,
  },
  created_at: '2026-03-04T05:06:07.089Z',
  updated_at: '2026-03-04T05:06:07.089Z',
  system: false,
  noteable_id: 70,
  noteable_type: 'MergeRequest',
  project_id: 1,
  noteable_iid: 7,
  resolvable: false,
  confidential: false,
  internal: false,
  imported: false,
  imported_from: 'none',
})

/** An error with which the API responds to one request. */
export interface Refusal {
  readonly method: string
  readonly status: number
  readonly headers?: Readonly<Record<string, string>>
  readonly message?: string
  /** True if the request has its effect nevertheless. */
  readonly done?: boolean
}

/** Differences between the products: the paths, the method of an edit, and the responses. */
const products = {
  GitHub: {
    base: '/api/v3',
    list: '/api/v3/repos/acme/sites/issues/7/comments',
    one: /^\/api\/v3\/repos\/acme\/sites\/issues\/comments\/(\d+)$/,
    edit: 'PATCH',
    show: showOnGitHub,
    listed: (comments: readonly FakeComment[]) => comments,
    token: 'ghs_canary',
    asksWho: 0,
    limit: 65_536,
    tooLong: [
      422,
      { message: 'Validation Failed', errors: [{ code: 'unprocessable', field: 'body' }], status: '422' },
    ],
    notFound: { message: 'Not Found', documentation_url: 'https://docs.github.com/rest', status: '404' },
  },
  GitLab: {
    base: '/api/v4',
    list: '/api/v4/projects/1/merge_requests/7/notes',
    one: /^\/api\/v4\/projects\/1\/merge_requests\/7\/notes\/(\d+)$/,
    edit: 'PUT',
    show: showOnGitLab,
    // GitLab lists the newest first.
    listed: (comments: readonly FakeComment[]) => comments.toReversed(),
    token: 'glpat-canary',
    asksWho: 1,
    limit: 1_000_000,
    tooLong: [
      400,
      { message: '400 Bad request - Note {:note=>["is too long (maximum is 1000000 characters)"]}' },
    ],
    notFound: { message: '404 Not found' },
  },
} as const

export type Product = keyof typeof products

/** Serves the comments of one pull or merge request, in pages, as the REST API of the product does. */
export async function fakeReview(product: Product, refusals: readonly Refusal[] = []) {
  const { base, list, one, edit, token, asksWho, limit, show, listed, tooLong, notFound } = products[product]
  const comments: FakeComment[] = []
  const requests: string[] = []
  const headers: (readonly [authorization: string | undefined, agent: string | undefined])[] = []
  const due = [...refusals]
  const say = (body: string, account: Account = { id: 1, type: 'Bot' }) => {
    const comment = show(1000 + comments.length, body, account)
    comments.push(comment)
    return comment
  }
  const perform = (method: string, url: URL, text: string): readonly [number, unknown] => {
    const body: string = text === '' ? '' : JSON.parse(text).body
    if (body.length > limit) return [tooLong[0], tooLong[1]]
    const [, id] = one.exec(url.pathname) ?? []
    if (method === edit) {
      const comment = comments.find(written => `${written.id}` === id)
      if (comment === undefined) return [404, notFound]
      comment.body = body
      return [200, comment]
    }
    // The token of a workflow belongs to an app, which is not a user.
    if (url.pathname === `${base}/user`)
      return headers.at(-1)?.[0]?.startsWith('Bearer ghs_')
        ? [403, { message: 'Resource not accessible by integration', status: '403' }]
        : [200, { id: 1, username: 'project_1_bot_1', login: 'somebody', bot: true }]
    if (url.pathname !== list) return [404, notFound]
    if (method === 'POST') return [201, say(body)]
    const size = Number(url.searchParams.get('per_page'))
    const from = (Number(url.searchParams.get('page')) - 1) * size
    return method === 'GET' ? [200, listed(comments).slice(from, from + size)] : [405, {}]
  }
  const { host, close } = await httpDouble([
    {
      reply({ method, path, head, body }) {
        const read = (name: string) => new RegExp(`^${name}: (.*)$`, 'im').exec(head)?.[1]
        requests.push(`${method} ${path}`)
        headers.push([read('authorization'), read('user-agent')])
        const at = due.findIndex(refused => refused.method === method)
        const refusal = at === -1 ? undefined : due.splice(at, 1)[0]
        const text = Buffer.from(body, 'latin1').toString('utf8')
        const isDone = refusal === undefined || refusal.done === true
        const done = isDone ? perform(method, new URL(path, 'http://127.0.0.1'), text) : undefined
        const [status, answer] =
          refusal === undefined ? (done ?? [500, {}]) : [refusal.status, { message: refusal.message ?? 'no' }]
        const fields = Object.entries({ 'content-type': 'application/json', ...refusal?.headers })
        return http(status, JSON.stringify(answer), fields.map(field => `${field.join(': ')}\r\n`).join(''))
      },
    },
  ])
  const url = `http://${host}${base}`
  return {
    url,
    token,
    list,
    edit,
    asksWho,
    comments,
    requests,
    headers,
    say,
    environment: await environmentOf(product, url),
    bodies: () => comments.map(({ body }) => body),
    close,
  }
}

/** Returns the variables of a job for request 7, with its token. */
async function environmentOf(product: Product, url: string): Promise<Readonly<Record<string, string>>> {
  if (product === 'GitLab')
    return {
      CI: 'true',
      GITLAB_CI: 'true',
      CI_API_V4_URL: url,
      CI_MERGE_REQUEST_IID: '7',
      CI_MERGE_REQUEST_PROJECT_ID: '1',
      CI_MERGE_REQUEST_PROJECT_PATH: 'acme/sites',
      CI_COMMIT_SHA: '0123456789abcdef',
      CI_JOB_URL: 'https://gitlab.example.org/acme/sites/-/jobs/42',
      GITLAB_TOKEN: products.GitLab.token,
    }
  const file = join(await temporaryFolder(), 'event.json')
  writeFileSync(file, JSON.stringify({ pull_request: { number: 7, head: { sha: '0123456789abcdef' } } }))
  return {
    CI: 'true',
    GITHUB_ACTIONS: 'true',
    GITHUB_API_URL: url,
    GITHUB_EVENT_PATH: file,
    GITHUB_REPOSITORY: 'acme/sites',
    GITHUB_SERVER_URL: 'https://github.example.org',
    GITHUB_RUN_ID: '42',
    GH_TOKEN: products.GitHub.token,
  }
}

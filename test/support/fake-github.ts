import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'

interface FakeComment {
  readonly id: number
  body: string
  readonly user: { readonly type: string; readonly id: number }
}

/** What the API answers instead of doing what it was asked, as often as there are entries. */
export interface Refusal {
  readonly method: string
  readonly status: number
  readonly headers?: Readonly<Record<string, string>>
  readonly message?: string
  /** Does what it was asked all the same. */
  readonly done?: boolean
}

/** Comments of one pull request, as the REST API of GitHub serves them in pages. */
export async function fakeGitHub(refusals: readonly Refusal[] = []) {
  const comments: FakeComment[] = []
  const requests: { readonly line: string; readonly authorization: string | undefined }[] = []
  const due = [...refusals]
  const say = (body: string, type = 'Bot', account = 1) =>
    comments[comments.push({ id: 1000 + comments.length, body, user: { type, id: account } }) - 1]
  const perform = (method: string, url: URL, body: string): readonly [number, unknown] => {
    const [, id] = /\/issues\/comments\/(\d+)$/.exec(url.pathname) ?? []
    if (method === 'PATCH') {
      const comment = comments.find(one => `${one.id}` === id)
      if (comment === undefined) return [404, { message: 'Not Found' }]
      comment.body = JSON.parse(body).body
      return [200, comment]
    }
    if (url.pathname === '/api/v3/user') return [200, { id: 1, type: 'User' }]
    if (!url.pathname.endsWith('/repos/acme/sites/issues/7/comments')) return [404, { message: 'Not Found' }]
    if (method === 'POST') return [201, say(JSON.parse(body).body)]
    const size = Number(url.searchParams.get('per_page'))
    const from = (Number(url.searchParams.get('page')) - 1) * size
    return [200, comments.slice(from, from + size)]
  }
  const server = createServer((request, response) => {
    const chunks: Buffer[] = []
    request.on('data', chunk => chunks.push(chunk))
    request.on('end', () => {
      const { method = '', headers } = request
      // As GitHub does.
      if (!headers['user-agent']?.startsWith('landform/')) {
        response.writeHead(403).end()
        return
      }
      const url = new URL(request.url ?? '', 'http://127.0.0.1')
      requests.push({ line: `${method} ${url.pathname}${url.search}`, authorization: headers.authorization })
      const at = due.findIndex(one => one.method === method)
      const refusal = at === -1 ? undefined : due.splice(at, 1)[0]
      const done =
        refusal === undefined || refusal.done === true
          ? perform(method, url, Buffer.concat(chunks).toString('utf8'))
          : undefined
      const [status, body] =
        refusal === undefined ? (done ?? [500, {}]) : [refusal.status, { message: refusal.message ?? 'no' }]
      response.writeHead(status, { 'content-type': 'application/json', ...refusal?.headers })
      response.end(JSON.stringify(body))
    })
  })
  await new Promise<void>(resolve => server.listen(0, '127.0.0.1', resolve))
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/api/v3`,
    comments,
    requests,
    say,
    close: () => new Promise(resolve => server.close(resolve)),
  }
}

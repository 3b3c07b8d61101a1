import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { stageNames } from '../../../src/contract/responses.js'

/** A site that says one text wherever it says anything, in four ways, each below an address of its own. */
export async function hostileSite() {
  let text = ''
  const error = (code: number) =>
    [code, { error: { code, message: text, details: [text, { [text]: text }] } }] as const
  const root = (state: string) => ({
    fullVersion: text,
    resources: [text],
    currentVersion: 11.2,
    status: {
      state,
      message: text,
      warnings: [text, { [text]: text }],
      stages: [...stageNames, text].map(name => ({
        name,
        state: name === text ? text : 'in_progress',
        lastUpdated: 1,
        startTime: 1,
      })),
    },
    info: { build: text },
  })
  const answers: Readonly<Record<string, (method: string, path: string) => readonly [number, unknown]>> = {
    busy: (_, path) => (path === '' ? [200, root('in_progress')] : error(404)),
    ready: (_, path) => [200, path === '' ? root('ready') : { [text]: text, properties: { [text]: text } }],
    fresh: method =>
      method === 'GET'
        ? [200, { ...root('not_configured'), status: { state: 'not_configured', message: text, stages: [] } }]
        : error(500),
    broken: () => error(500),
  }
  const server = createServer((request, response) => {
    const [, way = '', rest = ''] = /^\/(\w+)\/admin\/?([^?]*)/.exec(request.url ?? '') ?? []
    request.resume().on('end', () => {
      const [status, body] = answers[way]?.(request.method ?? '', rest) ?? [404, {}]
      response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(body))
    })
  })
  await new Promise<void>(resolve => server.listen(0, '127.0.0.1', resolve))
  const { port } = server.address() as AddressInfo
  return {
    url: (way: 'busy' | 'ready' | 'fresh' | 'broken') => `http://127.0.0.1:${port}/${way}/admin`,
    say(said: string) {
      text = said
    },
    close: () => new Promise(resolve => server.close(resolve)),
  }
}

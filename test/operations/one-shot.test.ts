import { deleteAll, exportSite, type OneShotPorts } from '../../src/operations/one-shot.js'
import { secretSource } from '../../src/secrets/secret-source.js'
import { answeringSite, freePort, json } from '../support/http-double.js'
import { anExport, aToken, oneShotOptions, oneShotPorts } from '../support/one-shot.js'

/** A site that accepts only the new token, and a secret source whose variable has one token after the other. */
async function refusing(code: number, tokens: readonly string[]) {
  const done = json({ status: 'success', location: '/backups/a.portalsite' })
  const refusal = json({ error: { code, message: 'No.', details: null } })
  const site = await answeringSite(({ body }) => (body.includes('token=new') ? done : refusal))
  let reads = 0
  const secrets = secretSource({}, '.')
  const source = { ...secrets, variable: () => tokens[Math.min(reads++, tokens.length - 1)] }
  return { site, ports: { ...oneShotPorts(site.url), secrets: source } }
}

const deletion = { service: { name: 'Roads', type: 'FeatureServer' }, token: aToken } as const

test.each([
  ['498', 498, ['old', 'new'], 'done', 2],
  ['499', 499, ['old', 'new'], 'done', 2],
  ['498, without another token', 498, ['old'], 'not-taken', 1],
  ['498, and the other one as well', 498, ['old', 'older', 'new'], 'not-taken', 2],
  ['403, which is about the role', 403, ['old', 'new'], 'not-taken', 1],
  ['500, which does not mention it', 500, ['old', 'new'], 'not-taken', 1],
])(
  'after a token is rejected, the request is sent once more with another one: %s',
  async (_, code, tokens, kind, times) => {
    const exporting = await refusing(code, tokens)
    expect((await exportSite(anExport(), exporting.ports, oneShotOptions())).kind).toBe(kind)
    const deleting = await refusing(code, tokens)
    expect((await deleteAll(deletion, deleting.ports, oneShotOptions())).kind).toBe(kind)
    for (const { site } of [exporting, deleting]) expect(site.posts()).toHaveLength(times)
  },
)

// The command polls the site first, and therefore never sends this request.
describe('a deletion without the command sends nothing', () => {
  const deleting = (ports: OneShotPorts, options = oneShotOptions()) => deleteAll(deletion, ports, options)

  test('without its secrets, or if it was interrupted', async () => {
    const site = await answeringSite(json({ status: 'success' }))
    expect(await deleting(oneShotPorts(site.url, {}))).toMatchObject({
      kind: 'references',
      diagnostics: [{ code: 'secret/missing' }],
    })
    const stopped = oneShotOptions({ signal: AbortSignal.abort() })
    expect(await deleting(oneShotPorts(site.url), stopped)).toEqual({ kind: 'interrupted' })
    expect(site.received).toEqual([])
  })

  test('if no server listens', async () => {
    const ports = oneShotPorts(`http://127.0.0.1:${await freePort()}/admin`)
    expect(await deleting(ports)).toMatchObject({ kind: 'not-taken', failure: { kind: 'not-sent' } })
  })
})

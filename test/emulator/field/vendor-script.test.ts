import type { Emulator } from '../../../src/emulator/emulated-site.js'
import { startEmulator } from '../../../src/emulator/server.js'
import { begin, configureValues, volumes } from '../service/builders.js'

const running: Emulator[] = []
afterEach(async () => {
  await Promise.all(running.splice(0).map(emulator => emulator.close()))
})

interface Answer {
  readonly error?: { readonly code: number; readonly message?: string }
  readonly status?: { readonly state: string }
  readonly token?: string
}

/** The requests of a client that works like the vendor's script; `pass` lets time pass on the service. */
async function aScript(basePath: string) {
  let now = begin
  const emulator = await startEmulator({ now: () => now, basePath, fidelity: 'field', stageMs: 1000 })
  running.push(emulator)
  const tokenService = emulator.url.replace(/\/admin$/, '/sharing/rest/generateToken')
  const asked = async (response: Promise<Response>) => (await (await response).json()) as Answer
  return {
    emulator,
    pass: (ms: number) => {
      now += ms
    },
    root: (token?: string) =>
      asked(fetch(`${emulator.url}?f=json${token === undefined ? '' : `&token=${token}`}`)),
    post: (path: string, body: FormData | URLSearchParams) =>
      asked(fetch(emulator.url + path, { method: 'POST', body })),
    /** The token as the script reads it: the word "null" if the response has none. */
    token: async (password = 'correct-horse-1') => {
      const body = new URLSearchParams({
        username: 'siteadmin',
        password,
        client: 'referer',
        referer: emulator.url,
        expiration: '60',
        f: 'json',
      })
      const answer = await asked(fetch(tokenService, { method: 'POST', body }))
      return String(answer.token ?? null)
    },
  }
}

function aForm(values: Readonly<Record<string, string | Uint8Array>>) {
  const form = new FormData()
  for (const [name, value] of Object.entries(values))
    form.append(name, typeof value === 'string' ? value : new File([value], 'license.json'))
  return form
}

test.each(['/arcgis/admin', '/admin'])(
  'the whole configuration of a site at %s, with the requests of the script',
  async path => {
    const script = await aScript(path)
    expect(await script.root()).toMatchObject({ status: { state: 'not_configured' } })

    const license = new TextEncoder().encode('{}')
    const checked = aForm({ file: license, listAdministratorUserTypes: 'true', f: 'pjson' })
    const validated = await script.post('/orgs/0123456789ABCDEF/license/validateLicense', checked)
    expect(validated.error?.message).toBeUndefined()

    const settings = {
      systemArchitectureProfile: '{"name":"development"}',
      folderPathsToRegister: '{"paths":[]}',
      logSettings: '{"logLevel":""}',
      userManagedStores: '[]',
      f: 'pjson',
    }
    const volumesConfig = JSON.stringify({ volumesConfig: volumes() })
    const begun = await script.post('/configure', aForm({ ...configureValues(), ...settings, volumesConfig }))
    expect(begun.status?.state).toBe('in_progress')

    const seen: string[] = []
    let token: string | undefined
    for (let poll = 0; poll < 40; poll++) {
      let answer = await script.root(token)
      if (answer.error !== undefined) {
        seen.push(`${answer.error.code}`)
        token = await script.token()
        seen.push(token === 'null' ? 'no token' : 'token')
        answer = await script.root(token)
      }
      seen.push(answer.status?.state ?? `${answer.error?.code}`)
      if (answer.status?.state === 'ready') break
      script.pass(500)
    }
    expect(seen.filter((word, index) => word !== seen[index - 1])).toEqual([
      'in_progress',
      '499',
      'no token',
      '498',
      'no token',
      '498',
      'token',
      'in_progress',
      'configured',
      'ready',
    ])
    expect(await script.token('wrong-horse-1')).toBe('null')
  },
)

test('a bearer token is read from its header', async () => {
  const script = await aScript('/arcgis/admin')
  await script.post('/configure', aForm(configureValues()))
  script.pass(20_000)
  const { url } = script.emulator
  const authorization = `Bearer ${await script.token()}`
  const answer = await fetch(`${url}/logs/settings`, { headers: { authorization } })
  expect(await answer.json()).toMatchObject({ logLevel: 'INFO' })
  const basic = await fetch(`${url}/logs/settings`, { headers: { authorization: 'Basic eDp5' } })
  expect(await basic.json()).toMatchObject({ error: { code: 499 } })
})

test('each of several sites has its own token service, and a token is valid only for its site', async () => {
  const emulator = await startEmulator({ sites: 2, fidelity: 'field', stageMs: 0 })
  running.push(emulator)
  const [one, other] = emulator.sites.map(site => site.url)
  for (const url of [one, other])
    await fetch(`${url}/configure`, { method: 'POST', body: aForm(configureValues()) })
  const body = new URLSearchParams({ username: 'siteadmin', password: 'correct-horse-1' })
  const service = `${one}`.replace(/\/admin$/, '/sharing/rest/generateToken')
  const { token } = (await (await fetch(service, { method: 'POST', body })).json()) as Answer
  const state = async (url: string | undefined) => {
    const answer = (await (await fetch(`${url}?token=${token}`)).json()) as Answer
    return answer.status?.state ?? answer.error?.code
  }
  expect(await state(one)).toBe('ready')
  expect(await state(other)).toBe(498)
  expect(emulator.sites[0]?.requests.map(request => request.path)).toContain(new URL(service).pathname)
})

test('the tokens of two emulators differ by default', async () => {
  const tokens = new Set<string>()
  for (let round = 0; round < 2; round++) {
    const script = await aScript('/arcgis/admin')
    await script.post('/configure', aForm(configureValues()))
    script.pass(20_000)
    tokens.add(await script.token())
  }
  expect(tokens.size).toBe(2)
})

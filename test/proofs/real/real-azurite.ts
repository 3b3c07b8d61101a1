import { openAzure } from '../../../src/library/open-azure.js'
import type { StateBackend } from '../../../src/state/series.js'
import { type AskedContainer, askContainer, azureQuestions } from '../../support/answers/azure-questions.js'
import { normalizeAnswer } from '../../support/answers/recorded.js'
import { httpDouble, json } from '../../support/http-double.js'
import { placeOnServer } from '../processes/place.js'
import { versionsOf } from '../processes/state-server.js'
import {
  azureToken,
  azuriteAccount,
  azuritePackages,
  hasAzurite,
  type RealAzurite,
  realAzurite,
} from './azurite.js'
import {
  addedWhile,
  commonSituations,
  outcome,
  type RealServer,
  type Situation,
  site,
} from './real-backend.js'

const container = 'state-of-tests'

/** The environment of a service principal, which gets its tokens from an address. */
const environmentOf = (authority: string) => ({
  AZURE_AUTHORITY_HOST: authority,
  AZURE_TENANT_ID: 'tenant-of-tests',
  AZURE_CLIENT_ID: 'client-of-tests',
  AZURE_CLIENT_SECRET: 'secret-of-tests',
})

/** Microsoft's own emulator of Azure Blob Storage, with tokens over TLS. */
export const azurite: RealServer = {
  recording: 'azurite',
  packages: azuritePackages,
  isHere: hasAzurite,
  async start(folder) {
    const storage = await realAzurite(folder)
    const asked: AskedContainer = {
      ...storage,
      ca: storage.authority,
      account: azuriteAccount,
      container,
      token: azureToken(),
      formerToken: azureToken({ exp: 1 }),
      foreignToken: azureToken({ aud: 'https://graph.microsoft.com' }),
    }
    await askContainer(asked, '?restype=container', { method: 'PUT' })
    const entra = await tokenService(() => azureToken())
    const environment = {
      ...environmentOf(entra.at('http://127.0.0.1')),
      AZURE_STORAGE_SERVICE_ENDPOINT: storage.url,
      NODE_EXTRA_CA_CERTS: storage.ca,
    }
    const location = `azblob:${azuriteAccount}/${container}/sites/production?endpoint=${storage.url}`
    const textsOf = async (url: string) => versionsOf(await readTexts(asked), url)
    return {
      server: 'Azurite',
      version: storage.version,
      place: (at, url) => placeOnServer(at, { kind: 'azblob', location, environment, textsOf }, url),
      situations: situationsOf(storage, entra.at('http://127.0.0.1')),
      without: {
        'list in pages': 'a page has 5,000 names; pages of one are recorded',
        'no permission (403)': 'every token may do everything',
        'too many requests (429)': 'it limits nothing',
        'unavailable (503)': 'it limits nothing',
        'expired (410)': 'a token that has ended is answered by 403',
        'too large (413, 422)': 'its limit is far from the size of a version',
        full: 'it has no quota',
      },
      async *answers() {
        for (const [name, ask] of Object.entries(azureQuestions))
          yield [name, normalizeAnswer(await ask(asked))]
      },
      async stop() {
        await entra.close()
        await storage.stop()
      },
    }
  },
}

/** Starts a token service that grants a token to every client. */
function tokenService(token: () => string) {
  return httpDouble([
    { reply: () => json({ token_type: 'Bearer', expires_in: 3599, access_token: token() }) },
  ])
}

async function readTexts(asked: AskedContainer): Promise<readonly string[]> {
  const { body } = await askContainer(asked, '?restype=container&comp=list')
  const texts: string[] = []
  for (const [, name = ''] of body.matchAll(/<Name>([^<]+)</g))
    texts.push((await askContainer(asked, `/${name}`)).body)
  return texts
}

function situationsOf({ plainUrl: endpoint, restart }: RealAzurite, authority: string): readonly Situation[] {
  const open = (place = container, environment = environmentOf(authority)): StateBackend =>
    openAzure(
      { kind: 'azblob', account: azuriteAccount, container: place, prefix: 'other', endpoint },
      environment,
    )
  const newest = async (backend: StateBackend) => outcome(await backend.series(site).newest())
  const newestWith = async (claims: Readonly<Record<string, unknown>>) => {
    const entra = await tokenService(() => azureToken(claims))
    const came = await newest(open(container, environmentOf(entra.at('http://127.0.0.1'))))
    await entra.close()
    return came
  }
  return [
    ...commonSituations(open),
    {
      row: 'place missing (404)',
      expected: 'unwritable: no-container',
      come: async () =>
        outcome(await open('missing').series(`${site}/refused`).add({ serial: 1, text: '{}' })),
    },
    {
      row: 'place missing (404)',
      expected: 'unreadable: no-container',
      come: () => newest(open('missing')),
    },
    {
      row: 'wrong credentials (401)',
      expected: 'unreadable: wrong-credentials',
      come: () => newestWith({ exp: 1 }),
    },
    {
      row: 'wrong credentials (401)',
      expected: 'unreadable: wrong-credentials',
      come: () => newestWith({ aud: 'https://graph.microsoft.com' }),
    },
    {
      row: 'server killed and started again',
      expected: 'true 5',
      come: () => addedWhile(open(), 'killed', { meanwhile: restart }),
    },
  ]
}

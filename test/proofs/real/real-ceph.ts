import { openS3 } from '../../../src/library/open-s3.js'
import type { StateBackend } from '../../../src/state/series.js'
import { normalizeAnswer } from '../../support/answers/recorded.js'
import { type AskedStorage, askStorage, s3Questions } from '../../support/answers/s3-questions.js'
import { cephPackages, hasCeph, type RealCeph, realCeph } from '../../support/real/ceph.js'
import type { SigningKeys } from '../../support/real/signed.js'
import { placeOnServer } from '../processes/place.js'
import { versionsOf } from '../processes/state-server.js'
import {
  addedUnderLoad,
  addedWhile,
  commonSituations,
  outcome,
  type RealServer,
  type Situation,
  site,
} from './real-backend.js'
import { s3Refusals } from './s3-refusals.js'

/** More than one page of a listing, with the options of this gateway. */
const manyVersions = 210
const bucket = 'state-of-tests'

const environmentOf = ({ accessKeyId, secretAccessKey }: SigningKeys) => ({
  AWS_REGION: 'us-east-1',
  AWS_ACCESS_KEY_ID: accessKeyId,
  AWS_SECRET_ACCESS_KEY: secretAccessKey,
})

/** The object storage of Ceph. */
export const ceph: RealServer = {
  recording: 'ceph',
  packages: cephPackages,
  isHere: hasCeph,
  async start(folder) {
    const storage = await realCeph(folder)
    const asked = { ...storage, bucket }
    for (const name of [bucket, 'full']) await askStorage({ ...asked, bucket: name }, '', { method: 'PUT' })
    await askStorage({ ...asked, bucket: 'forbidden', keys: storage.stranger }, '', { method: 'PUT' })
    // Some checks run a client whose clock is ahead, and Ceph tolerates a quarter of an hour.
    const environment = {
      ...environmentOf(storage.keys),
      AWS_ENDPOINT_URL_S3: storage.url,
      TEST_CLOCK_AHEAD_MS: '600000',
    }
    const location = `s3:${bucket}/sites/production?endpoint=${storage.url}`
    const textsOf = async (url: string) => versionsOf(await readTexts(asked), url)
    return {
      server: 'Ceph object gateway',
      version: storage.version,
      place: (at, url) => placeOnServer(at, { kind: 's3', location, environment, textsOf }, url),
      situations: situationsOf(storage),
      without: {
        'too many requests (429)': 'it answers 503, without Retry-After',
        'expired (410)':
          'a session lasts 15 minutes at least; tried by hand, its end is answered by AccessDenied',
      },
      async *answers() {
        for (const [name, ask] of Object.entries({ ...s3Questions, ...s3Refusals }))
          yield [name, normalizeAnswer(await ask(asked))]
      },
      stop: storage.stop,
    }
  },
}

async function readTexts(storage: AskedStorage): Promise<readonly string[]> {
  const texts: string[] = []
  for (let page = ''; ; ) {
    const { body } = await askStorage(storage, `?list-type=2${page}`)
    for (const [, key = ''] of body.matchAll(/<Key>([^<]+)</g))
      texts.push((await askStorage(storage, `/${key}`)).body)
    const [, next] = /<NextContinuationToken>([^<]+)</.exec(body) ?? []
    if (next === undefined) return texts
    page = `&continuation-token=${encodeURIComponent(next)}`
  }
}

function situationsOf(storage: RealCeph): readonly Situation[] {
  const openAs = (keys: SigningKeys, place = bucket): StateBackend =>
    openS3({ kind: 's3', bucket: place, prefix: 'other', endpoint: storage.url }, environmentOf(keys))
  const open = (place = bucket) => openAs(storage.keys, place)
  const newest = async (backend: StateBackend) => outcome(await backend.series(site).newest())
  const added = async (place: string, text = '{}') =>
    outcome(await open(place).series(`${site}/refused`).add({ serial: 1, text }))
  return [
    ...commonSituations(open),
    {
      row: 'list in pages',
      expected: `true ${manyVersions}`,
      come: () => addedWhile(open(), 'many', { versions: manyVersions }),
    },
    { row: 'place missing (404)', expected: 'unwritable: no-bucket', come: () => added('missing') },
    { row: 'place missing (404)', expected: 'unreadable: no-bucket', come: () => newest(open('missing')) },
    {
      row: 'wrong credentials (401)',
      expected: 'unreadable: wrong-credentials',
      come: () => newest(openAs({ ...storage.keys, accessKeyId: 'KEYOFNOBODY' })),
    },
    {
      row: 'wrong credentials (401)',
      expected: 'unreadable: wrong-credentials',
      come: () => newest(openAs({ ...storage.keys, secretAccessKey: 'another' })),
    },
    {
      row: 'no permission (403)',
      expected: 'unreadable: access-denied',
      come: () => newest(open('forbidden')),
    },
    { row: 'no permission (403)', expected: 'unwritable: access-denied', come: () => added('forbidden') },
    {
      row: 'too large (413, 422)',
      expected: 'unwritable: too-large',
      come: () => added(bucket, 'x'.repeat(1_100_000)),
    },
    { row: 'full', expected: 'unwritable: full', come: () => addedBeyondQuota(storage, () => added('full')) },
    { row: 'unavailable (503)', expected: 'true 5', come: () => addedUnderLoad(open(), crowdAt(storage)) },
    {
      row: 'server killed and started again',
      expected: 'true 5',
      come: () => addedWhile(open(), 'killed', { meanwhile: () => storage.restart() }),
    },
  ]
}

async function addedBeyondQuota(storage: RealCeph, add: () => Promise<string>): Promise<string> {
  const quota = ['--quota-scope=bucket', '--uid=landform']
  await storage.admin('quota', 'set', '--max-objects=1', ...quota)
  await storage.admin('quota', 'enable', ...quota)
  const came = await add()
  await storage.admin('quota', 'disable', ...quota)
  return came
}

function crowdAt(storage: RealCeph) {
  return {
    askers: 3,
    pauseMs: 30,
    options: ['--rgw-max-concurrent-requests=1'],
    restart: storage.restart,
    ask: async () => (await askStorage({ ...storage, bucket }, '?list-type=2')).status === 503,
  }
}

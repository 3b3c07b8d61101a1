import type { Found } from '../../proofs/fleet/course.js'
import { cutOff, halfOpen } from '../../proofs/fleet/courses/half-open.js'
import { killed } from '../../proofs/fleet/courses/killed.js'
import { withoutDatabase } from '../../proofs/fleet/courses/without-database.js'
import { wrongCertificate, wrongCertificates } from '../../proofs/fleet/courses/wrong-certificate.js'
import { postgresIsHere, postgresPackages } from '../../support/postgres.js'
import { describeWhere } from '../../support/test-where.js'

/*
 * Short forms of the courses of `npm run verify -- fleet`, with real processes. Each course plants a site that is asked twice,
 * and ends once every site has an end: `mostMs` is only for what never comes.
 */
const size = { sites: 8, limit: 8, mostMs: 120_000 }

const courses: readonly (readonly [string, () => Promise<Found>])[] = [
  ['a database that is killed and comes back', () => withoutDatabase(size, 1000)],
  ...(Object.keys(wrongCertificates) as (keyof typeof wrongCertificates)[]).map(
    wrong => [`a server whose certificate is ${wrong}`, () => wrongCertificate(size, wrong)] as const,
  ),
  ['connections that fall silent without an end', () => halfOpen(size, 4000)],
  ['a worker that is cut off from the database and does not hear of it', () => cutOff(size, 4000)],
  [
    'a worker that is killed at a slow service, whose sites are touched within 15 s',
    () =>
      killed({
        size,
        service: { stageMs: 1000, unseenMs: 1500, answerMs: [500, 3000] },
        touchMs: 15_000,
        pollInterval: '1s',
      }),
  ],
]

describeWhere(postgresIsHere, postgresPackages)('no site is configured twice, and none is left alone', () => {
  test.each(courses)('with %s', async (_, play) => {
    const { complaints, isPlantedFound, configured, ambiguous } = await play()
    expect([complaints, isPlantedFound]).toEqual([[], true])
    expect(configured + ambiguous).toBeGreaterThanOrEqual(size.sites)
  })
})

import { type AskedStorage, listVersions, putVersion } from '../../support/answers/s3-questions.js'
import type { Answer } from '../../support/real/ask.js'
import type { RealCeph } from '../../support/real/ceph.js'

/** Ceph, and a bucket in it. */
export type AskedCeph = RealCeph & AskedStorage

/** Failures that only real object storage can produce, in this order, after `s3Questions`. */
export const s3Refusals: Readonly<Record<string, (ceph: AskedCeph) => Promise<Answer>>> = {
  'a version that is too large': ceph => putVersion(ceph, 3, 'x'.repeat(1_048_577)),
  async 'a new version beyond the quota'(ceph) {
    const quota = ['--quota-scope=bucket', '--uid=landform']
    await ceph.admin('quota', 'set', '--max-objects=1', ...quota)
    await ceph.admin('quota', 'enable', ...quota)
    const answer = await putVersion(ceph, 3)
    await ceph.admin('quota', 'disable', ...quota)
    return answer
  },
  async 'an account that is suspended'(ceph) {
    await ceph.admin('user', 'suspend', '--uid=landform')
    const answer = await listVersions(ceph)
    await ceph.admin('user', 'enable', '--uid=landform')
    return answer
  },
  async 'too many requests'(ceph) {
    await ceph.restart('--rgw-max-concurrent-requests=1')
    const answers = await Promise.all(Array.from({ length: 60 }, () => listVersions(ceph)))
    await ceph.restart()
    const found = answers.find(({ status }) => status === 503)
    if (found === undefined) throw new Error('the server took all requests at once')
    return found
  },
}

import { execFileSync } from 'node:child_process'
import { generateKeyPairSync } from 'node:crypto'
import { readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { aReviewedPlan, type ReviewedPlan } from '../../support/a-reviewed-plan.js'
import { temporaryFolder } from '../../support/temporary-folder.js'

/** Writes a key pair, and the public key of somebody else. */
async function keys(type: 'ed25519' | 'ec' = 'ed25519') {
  const folder = await temporaryFolder()
  const pair = () =>
    type === 'ec' ? generateKeyPairSync('ec', { namedCurve: 'P-256' }) : generateKeyPairSync('ed25519')
  const [ours, others] = [pair(), pair()]
  const file = (name: string, pem: string | Buffer) => {
    writeFileSync(join(folder, name), pem)
    return join(folder, name)
  }
  return {
    secret: file('key.pem', ours.privateKey.export({ type: 'pkcs8', format: 'pem' })),
    shared: file('key.pub', ours.publicKey.export({ type: 'spki', format: 'pem' })),
    foreign: file('other.pub', others.publicKey.export({ type: 'spki', format: 'pem' })),
  }
}

test('a signed plan is performed if its signature is required', async () => {
  const { secret, shared } = await keys()
  const reviewed = await aReviewedPlan(['--sign-key', `file:${secret}`])
  expect(readFileSync(`${reviewed.plan}.sig`, 'latin1')).toMatch(/^[A-Za-z0-9+/]{86}==\n$/)
  expect(await reviewed.applied('--require-signature', shared)).toMatchObject({ exitCode: 0 })
})

describe('if a signature is required, nothing is polled for a plan', () => {
  const refusals: readonly (readonly [string, (reviewed: ReviewedPlan) => unknown])[] = [
    ['without one', r => rmSync(`${r.plan}.sig`)],
    [
      'with a pipe instead, which must not block',
      r => {
        rmSync(`${r.plan}.sig`)
        execFileSync('mkfifo', [`${r.plan}.sig`])
      },
    ],
    ['with something else instead', r => writeFileSync(`${r.plan}.sig`, 'no signature')],
    [
      'with a forged one',
      r => r.forge(plan => Object.assign(plan, { expiresAt: '2099-01-01T00:00:00.000Z' })),
    ],
    [
      'with the signature of another plan',
      async r => {
        const signature = readFileSync(`${r.plan}.sig`)
        const manifest = join(r.folder, 'production/site.yaml')
        await r.landform('plan', manifest, '--out', r.plan, '--expires', '1h')
        writeFileSync(`${r.plan}.sig`, signature)
      },
    ],
  ]

  test.each(refusals)('%s', async (_what, change) => {
    const { secret, shared } = await keys()
    const reviewed = await aReviewedPlan(['--sign-key', `file:${secret}`])
    await change(reviewed)
    const before = reviewed.emulator().requests.length
    for (const command of ['apply', 'show'])
      expect(await reviewed.landform(command, reviewed.plan, '--require-signature', shared)).toMatchObject({
        exitCode: 78,
        err: expect.stringMatching(/signature|signed/),
      })
    expect(reviewed.emulator().requests.length).toBe(before)
  })

  test('signed by somebody else', async () => {
    const { secret, foreign } = await keys()
    const reviewed = await aReviewedPlan(['--sign-key', `file:${secret}`])
    expect(await reviewed.applied('--require-signature', foreign)).toMatchObject({ exitCode: 78 })
  })
})

test('a manifest cannot be given where a signature is required', async () => {
  const { shared } = await keys()
  const reviewed = await aReviewedPlan()
  const manifest = join(reviewed.folder, 'production/site.yaml')
  const { exitCode } = await reviewed.landform('apply', manifest, '--yes', '--require-signature', shared)
  expect(exitCode).toBe(64)
})

test('an unsigned plan removes the signature of an earlier one', async () => {
  const { secret, shared } = await keys()
  const reviewed = await aReviewedPlan(['--sign-key', `file:${secret}`])
  await reviewed.landform('plan', join(reviewed.folder, 'production/site.yaml'), '--out', reviewed.plan)
  const { exitCode, err } = await reviewed.applied('--require-signature', shared)
  expect(exitCode).toBe(78)
  expect(err).toContain('has no signature')
})

describe('an invalid key is a usage error, and never quoted', () => {
  const plan = async (where: string) => {
    const reviewed = await aReviewedPlan()
    const manifest = join(reviewed.folder, 'production/site.yaml')
    return reviewed.landform('plan', manifest, '--out', reviewed.plan, '--sign-key', where)
  }

  test.each([
    ['the key itself', '-----BEGIN PRIVATE KEY-----MC4CAQAwBQYDK2Vw'],
    ['a variable of another kind', 'env:HOME'],
    ['a variable that is not set', 'env:LANDFORM_NO_SUCH_KEY'],
    ['a missing file', 'file:no-such-file.pem'],
    ['a file without a key', 'file:package.json'],
  ])('%s', async (_what, where) => {
    const { exitCode, err } = await plan(where)
    expect(exitCode).toBe(64)
    expect(err).not.toContain('MC4CAQ')
  })

  test('a key of another kind', async () => {
    const { secret } = await keys('ec')
    expect(await plan(`file:${secret}`)).toMatchObject({ exitCode: 64 })
  })

  test('a private key instead of a public one', async () => {
    const { secret } = await keys()
    const reviewed = await aReviewedPlan(['--sign-key', `file:${secret}`])
    const { exitCode } = await reviewed.landform('apply', reviewed.plan, '--require-signature', secret)
    expect(exitCode).toBe(64)
  })
})

import { createPrivateKey, generateKeyPairSync } from 'node:crypto'
import { cpSync, mkdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { run } from '../../../src/cli/run.js'
import type { Emulator } from '../../../src/emulator/emulated-site.js'
import { applySite } from '../../../src/library/apply-site.js'
import { planSite } from '../../../src/library/plan-site.js'
import { buildPlanDocument, signPlan } from '../../../src/plan/saved/plan-document.js'
import { formatSavedPlan, parsePlan } from '../../../src/plan/saved/saved-plan.js'
import { anEmulator } from '../../support/emulator.js'
import { fakeHost } from '../../support/fake-host.js'
import { landform } from '../../support/landform.js'
import { someSecrets } from '../../support/some-secrets.js'
import { temporaryFolder } from '../../support/temporary-folder.js'

let emulator: Emulator
beforeEach(async () => {
  emulator = await anEmulator({ stageMs: 1 })
})
const createKeys = () => {
  const { privateKey, publicKey } = generateKeyPairSync('ed25519')
  return {
    privateKey: privateKey.export({ type: 'pkcs8', format: 'pem' }).toString(),
    publicKey: publicKey.export({ type: 'spki', format: 'pem' }).toString(),
  }
}
const ours = createKeys()
const foreign = createKeys()

const anyTime = {
  days: ['Mon', 'Tue', 'Wed', 'Thu', 'Fri', 'Sat', 'Sun'],
  start: '00:00',
  end: '23:59',
  timeZone: 'UTC',
}
const policy = (plans: object) =>
  JSON.stringify({
    apiVersion: 'landform.dev/v1',
    kind: 'SitePolicy',
    plans,
  })
const signed = { signedBy: [ours.publicKey] }

/** A copy of an example, below a policy, for a new emulator. */
async function startSite(plans: object = signed) {
  const folder = await temporaryFolder()
  const inside = join(folder, 'sites')
  for (const name of ['quickstart.yaml', 'licenses'])
    cpSync(join('examples', name), join(inside, name), { recursive: true })
  mkdirSync(join(folder, '.git'))
  const at = (name: string) => join(folder, name)
  writeFileSync(at('landform.policy.yaml'), policy(plans))
  writeFileSync(at('key.pem'), ours.privateKey)
  writeFileSync(at('foreign.pem'), foreign.privateKey)
  const file = at('sites/quickstart.yaml')
  writeFileSync(file, readFileSync(file, 'utf8').replace(/https:\/\/gis[^ ]*\/admin/, emulator.url))
  const runHere = (args: readonly string[], environment: Readonly<Record<string, string>> = {}) =>
    landform(args, { environment: { ...someSecrets, ...environment } })
  const save = async (...args: readonly string[]) => {
    const saved = await runHere(['plan', file, '--out', at('plan.json'), ...args])
    expect({ ...saved, out: '' }).toMatchObject({ exitCode: 0 })
  }
  const sign = () => save('--sign-key', `file:${at('key.pem')}`)
  return { file, at, run: runHere, save, sign, plan: at('plan.json') }
}

type Started = Awaited<ReturnType<typeof startSite>>

const configured = () => emulator.world().counters.configure

test('a plan signed by one of the keys is applied', async () => {
  const { run, sign, plan } = await startSite()
  await sign()
  expect((await run(['apply', plan])).exitCode).toBe(0)
  expect(configured()).toMatchObject({ received: 1, accepted: 1 })
})

test('a rejection names the policy and the command for a person to run', async () => {
  const { run, file } = await startSite()
  const { err } = await run(['apply', file, '--yes'])
  expect(err.replace(/\s+/g, ' ')).toMatch(/the policy \S*landform.policy.yaml does not permit this plan/)
  expect(err).toMatch(/`landform plan \S*quickstart.yaml --out plan.json --sign-key file:KEY`/)
})

const apply =
  (...args: readonly string[]) =>
  ({ run, file }: Started) =>
    run(['apply', file, '--yes', ...args])
const edit = (file: string, change: (text: string) => string) =>
  writeFileSync(file, change(readFileSync(file, 'utf8')))

/** Attempts to apply without the signature; each ends with 78. */
const refused: Readonly<Record<string, (site: Started) => Promise<{ readonly exitCode: number }>>> = {
  'every flag that gives consent': apply(
    '--no-input',
    '--accept-local-state',
    '--resubmit-after-rejection',
    '--no-license-check',
  ),
  'an address on this machine': site => site.run(['apply', site.file, '--yes', '--url', emulator.url]),
  'another state': site => site.run(['apply', site.file, '--yes', '--state', `file:${site.at('other')}`]),
  'variables of CI systems, agents and policies': ({ run, file }) =>
    run(['apply', file, '--yes', '--accept-local-state'], {
      CI: 'true',
      CLAUDECODE: '1',
      AI_AGENT: 'some-agent',
      CURSOR_AGENT: '1',
      LANDFORM_POLICY: '/dev/null',
      LANDFORM_YES: '1',
    }),
  'a link to the manifest': ({ at, run, file }) => {
    symlinkSync(file, at('sites/link.yaml'))
    return run(['apply', at('sites/link.yaml'), '--yes'])
  },
  'a policy of its own with another key': ({ at, run, file }) => {
    writeFileSync(at('mine.yaml'), policy({ signedBy: [foreign.publicKey] }))
    return run(['apply', file, '--yes', '--policy', at('mine.yaml')])
  },
  'a nearer policy without requirements': ({ at, run, file }) => {
    writeFileSync(at('sites/landform.policy.yaml'), policy({ maxAge: '9h' }))
    return run(['apply', file, '--yes'])
  },
  'a farther policy without requirements': ({ at, run, file }) => {
    writeFileSync(at('sites/landform.policy.yaml'), policy(signed))
    writeFileSync(at('landform.policy.yaml'), policy({ maxAge: '9h' }))
    return run(['apply', file, '--yes'])
  },
  'an overlay of the manifest': ({ at, run }) => {
    const overlay = 'apiVersion: landform.dev/v1\nkind: SiteDeployment\nextends: ../quickstart.yaml\n'
    mkdirSync(at('sites/mine'))
    writeFileSync(at('sites/mine/site.yaml'), overlay)
    return run(['apply', at('sites/mine/site.yaml'), '--yes'])
  },
  'many sites at once': ({ at, run, file }) => {
    cpSync(file, at('sites/licenses/../only/site.yaml'), { recursive: true })
    cpSync(at('sites/licenses'), at('sites/only/licenses'), { recursive: true })
    return run(['apply', at('sites/only'), '--yes'])
  },
  'a plan without a signature': async ({ save, run, plan }) => {
    await save()
    return run(['apply', plan, '--yes'])
  },
  'a plan that another key signed': async ({ save, run, plan, at }) => {
    await save('--sign-key', `file:${at('foreign.pem')}`)
    return run(['apply', plan, '--yes'])
  },
  'a foreign signature and its own key': async ({ save, run, plan, at }) => {
    await save('--sign-key', `file:${at('foreign.pem')}`)
    writeFileSync(at('foreign.pub'), foreign.publicKey)
    return run(['apply', plan, '--yes', '--require-signature', at('foreign.pub')])
  },
  'an edited signature': async ({ sign, run, plan }) => {
    await sign()
    edit(`${plan}.sig`, text => (text.startsWith('A') ? `B${text.slice(1)}` : `A${text.slice(1)}`))
    return run(['apply', plan, '--yes'])
  },
  ...refusedAfterSigning({
    'an edited plan': ({ plan }) => edit(plan, text => text.replace('siteadmin', 'otheradmin')),
    'a policy that was removed': ({ at }) => rmSync(at('landform.policy.yaml')),
    'a policy that was changed': ({ at }) =>
      writeFileSync(at('landform.policy.yaml'), policy({ maxAge: '9h' })),
  }),
}

function refusedAfterSigning(changes: Readonly<Record<string, (site: Started) => void>>): typeof refused {
  const attempts = Object.entries(changes).map(([what, change]) => [
    `${what} after the signature`,
    async (site: Started) => {
      await site.sign()
      change(site)
      return site.run(['apply', site.plan, '--yes'])
    },
  ])
  return Object.fromEntries(attempts)
}

test.each(Object.entries(refused))('%s does not replace the signature', async (_way, attempt) => {
  const site = await startSite()
  const { exitCode } = await attempt(site)
  expect([exitCode, configured().received]).toEqual([78, 0])
})

test('an edited manifest makes a signed plan stale', async () => {
  const { file, sign, run, plan } = await startSite()
  await sign()
  edit(file, text => text.replace('size: 16Gi', 'size: 17Gi'))
  expect([(await run(['apply', plan, '--yes'])).exitCode, configured().received]).toEqual([6, 0])
})

test('a plan made with an additional policy requires it again', async () => {
  const { at, run, sign, save, plan } = await startSite()
  writeFileSync(at('more.yaml'), policy(signed))
  await sign()
  await save('--policy', at('more.yaml'), '--sign-key', `file:${at('key.pem')}`)
  expect([(await run(['apply', plan])).exitCode, configured().received]).toEqual([6, 0])
})

test('a program needs the signature as well', async () => {
  const { file } = await startSite()
  const request = { file, environment: someSecrets }
  const unsigned = await planSite(request)
  expect(unsigned).toMatchObject({
    ok: false,
    error: { kind: 'not-permitted', violation: { kind: 'unsigned' } },
  })
  if (unsigned.ok || unsigned.error.kind !== 'not-permitted') return
  const read = parsePlan(formatSavedPlan(buildPlanDocument(unsigned.error.plan)))
  if (!read.ok) throw new Error(read.error)
  const saved = read.value
  expect(await planSite({ ...request, saved })).toMatchObject({ ok: false, error: { kind: 'not-permitted' } })
  const signature = signPlan(saved.id, createPrivateKey(ours.privateKey))
  const planned = await planSite({ ...request, saved, signature })
  if (!planned.ok) throw new Error(planned.error.kind)
  for await (const _event of applySite(planned.value, { pollMs: 10 }));
  expect(configured()).toMatchObject({ received: 1, accepted: 1 })
})

test('outside the hours nothing is sent, and within them a plan is applied', async () => {
  const closed = await startSite({
    hours: { ...anyTime, end: '00:01', days: ['Mon'], timeZone: 'Europe/Zurich' },
  })
  const { exitCode, err } = await closed.run(['apply', closed.file, '--yes'])
  expect([exitCode, configured().received]).toEqual([78, 0])
  expect(err.replace(/\s+/g, ' ')).toContain(
    'changes are permitted on Mon from 00:00 to 00:01 (Europe/Zurich)',
  )
  const open = await startSite({ hours: anyTime })
  expect((await open.run(['apply', open.file, '--yes'])).exitCode).toBe(0)
})

test('a plan that is too old is not applied', async () => {
  const { save, plan } = await startSite({ maxAge: '1h' })
  await save()
  const host = fakeHost({ environment: someSecrets })
  await host.clock.sleep(2 * 3_600_000, new AbortController().signal)
  expect([await run(['apply', plan], host), configured().received]).toEqual([78, 0])
  expect(host.err()).toContain('it is older than 1h')
})

test('a rehearsal needs no permission: it changes no site', async () => {
  const { run, file } = await startSite()
  expect((await run(['apply', file, '--emulate', '--yes'])).exitCode).toBe(0)
})

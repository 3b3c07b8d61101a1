import { execFileSync } from 'node:child_process'
import { cpSync, readFileSync, renameSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { run } from '../../src/cli/run.js'
import { aReviewedPlan, type ReviewedPlan } from '../support/a-reviewed-plan.js'
import { isAtLength } from '../support/cases.js'
import { fakeHost } from '../support/fake-host.js'
import { listSchemaErrors } from '../support/schema-errors.js'
import { someSecrets } from '../support/some-secrets.js'
import { temporaryFolder } from '../support/temporary-folder.js'

const received = (reviewed: ReviewedPlan) => reviewed.emulator().world().counters.configure.received
const sent = (reviewed: ReviewedPlan) => {
  const { configure, update } = reviewed.emulator().world().counters
  return [configure.received, update.received]
}

test('a saved plan is applied as it was reviewed, without a question', async () => {
  const reviewed = await aReviewedPlan()
  const { exitCode, moved, err } = await reviewed.applied()
  expect({ exitCode, moved }).toEqual({ exitCode: 0, moved: [] })
  expect(err).not.toContain('Only "yes"')
  expect(reviewed.emulator().world().counters).toMatchObject({
    configure: { accepted: 1 },
    update: { accepted: 1 },
  })
})

/** Another manifest in the repository, for a site of its own, and the manifest of the plan. */
function manifestsOf({ folder }: ReviewedPlan) {
  const [mine, other] = ['production/site.yaml', 'production/other.yaml'].map(one => join(folder, one))
  cpSync(mine ?? '', other ?? '')
  return { mine: mine ?? '', other: other ?? '' }
}

test('a saved plan is applied if --manifest names its manifest, in any spelling', async () => {
  const reviewed = await aReviewedPlan()
  const { mine } = manifestsOf(reviewed)
  symlinkSync('site.yaml', join(reviewed.folder, 'production/link.yaml'))
  const spelled = join(reviewed.folder, 'production/../production/link.yaml')
  expect(await reviewed.applied('--manifest', spelled)).toMatchObject({ exitCode: 0 })
  expect((await reviewed.applied('--manifest', mine)).exitCode).toBe(0)
  expect(received(reviewed)).toBe(1)
})

test('a saved plan of another manifest than --manifest is rejected, and nothing is sent', async () => {
  const reviewed = await aReviewedPlan()
  const { mine, other } = manifestsOf(reviewed)
  const { exitCode, moved } = await reviewed.applied('--manifest', other)
  expect({ exitCode, moved }).toEqual({
    exitCode: 6,
    moved: [`it was made from ${mine}, not from ${other}`],
  })
  expect(await reviewed.applied('--manifest', `${other}.gone`)).toMatchObject({ exitCode: 66 })
  expect(received(reviewed)).toBe(0)
})

test.each([
  ['a manifest', ['production/site.yaml'], 65],
  ['a plan that no longer exists', ['gone.json'], 66],
  ['several files', ['plan.json', 'production/site.yaml'], 64],
])('--manifest needs one saved plan, not %s', async (_, files, exitCode) => {
  const reviewed = await aReviewedPlan()
  const named = files.map(file => join(reviewed.folder, file))
  const { mine } = manifestsOf(reviewed)
  expect((await reviewed.landform('apply', ...named, '--manifest', mine, '--yes')).exitCode).toBe(exitCode)
})

describe('a saved plan that names a manifest', () => {
  /** Moves the plan to another folder, so that no folder contains both. */
  async function apart(reviewed: ReviewedPlan): Promise<string> {
    const plan = join(await temporaryFolder(), 'plan.json')
    renameSync(reviewed.plan, plan)
    return plan
  }

  test('in another folder opens it only with --manifest', async () => {
    const reviewed = await aReviewedPlan()
    const { mine } = manifestsOf(reviewed)
    const plan = await apart(reviewed)
    const refused = await reviewed.landform('apply', plan)
    expect(refused.exitCode).toBe(6)
    expect(refused.err).toContain(`${mine} is in neither this folder nor the folder of the plan`)
    expect(refused.err).toContain(`landform apply ${plan} --manifest ${mine}`)
    expect((await reviewed.landform('apply', plan, '--manifest', mine)).exitCode).toBe(0)
  })

  test('by a link out of its folder does not follow it', async () => {
    const reviewed = await aReviewedPlan()
    const { mine } = manifestsOf(reviewed)
    const outside = join(await temporaryFolder(), 'site.yaml')
    renameSync(mine, outside)
    symlinkSync(outside, mine)
    const { exitCode, moved } = await reviewed.applied()
    expect({ exitCode, moved }).toEqual({ exitCode: 6, moved: [expect.stringContaining('is in neither')] })
  })

  test.each(['/proc/kmsg', '/proc/self/environ', '/dev/zero'])(
    'that is %s is rejected, and the run does not hang, also with --manifest',
    async name => {
      const reviewed = await aReviewedPlan()
      reviewed.forge(plan => Object.assign(plan, { manifest: name }))
      expect(await reviewed.applied()).toMatchObject({ exitCode: 6 })
      expect([6, 66]).toContain((await reviewed.applied('--manifest', name)).exitCode)
      expect(received(reviewed)).toBe(0)
    },
  )
})

test('a saved plan that was applied is applied again without a request if the site has not changed', async () => {
  const reviewed = await aReviewedPlan()
  await reviewed.applied()
  expect(await reviewed.applied()).toMatchObject({ exitCode: 0, moved: [] })
  reviewed.pass(48 * 3_600_000)
  expect(await reviewed.applied()).toMatchObject({ exitCode: 0, moved: [] })
  expect(sent(reviewed)).toEqual([1, 1])
})

test.each([
  ['the site is as it was before it', (r: ReviewedPlan) => r.replaceSite({}), []],
  [
    'another apply changed the policy since',
    async (r: ReviewedPlan) => {
      r.edit('production/site.yaml', 'value: maintenance', 'value: nights')
      await r.landform('apply', join(r.folder, 'production/site.yaml'), '--yes')
      expect(sent(r)).toEqual([1, 2])
      r.edit('production/site.yaml', 'value: nights', 'value: maintenance')
    },
    [expect.stringMatching(/^it was already applied at 2026-/)],
  ],
] as const)('a saved plan is used up if %s', async (_, change, expected) => {
  const reviewed = await aReviewedPlan()
  await reviewed.applied()
  await change(reviewed)
  const before = sent(reviewed)
  const { exitCode, moved } = await reviewed.applied()
  expect({ exitCode, moved, sent: sent(reviewed) }).toEqual({ exitCode: 6, moved: expected, sent: before })
})

test('saving a plan prints the command that applies it to the same site with the same state', async () => {
  const reviewed = await aReviewedPlan()
  const origin = new URL(reviewed.emulator().url).origin
  const options = ['--state', `file:${reviewed.folder}/kept`, '--allow-origin', origin]
  const saved = await reviewed.landform(
    'plan',
    join(reviewed.folder, 'production/site.yaml'),
    ...options,
    '--out',
    reviewed.plan,
  )
  const manifest = join(reviewed.folder, 'production/site.yaml')
  expect(saved.err).toContain(
    `: landform apply ${reviewed.plan} --manifest ${manifest} ${options.join(' ')}\n`,
  )
})

test('a saved plan whose configuration is in progress resumes it, and sends the remaining update', async () => {
  const reviewed = await aReviewedPlan()
  expect(await reviewed.applied('--detach')).toMatchObject({ exitCode: 3 })
  expect(await reviewed.applied()).toMatchObject({ exitCode: 0, moved: [] })
  expect(reviewed.emulator().world().counters).toMatchObject({
    configure: { received: 1 },
    update: { received: 1 },
  })
})

test('a saved plan whose configuration is in progress is stale after a change of its manifest', async () => {
  const reviewed = await aReviewedPlan()
  expect(await reviewed.applied('--detach')).toMatchObject({ exitCode: 3 })
  reviewed.edit('production/site.yaml', /$/, '\n# later\n')
  expect(await reviewed.applied()).toMatchObject({
    exitCode: 6,
    moved: ['the manifest changed since it was made'],
  })
  expect(received(reviewed)).toBe(1)
})

test('a saved plan that was not used because a secret was missing can be applied again', async () => {
  const reviewed = await aReviewedPlan()
  const { LANDFORM_SECURITY_ANSWER: _, ...environment } = someSecrets
  const host = fakeHost({ environment })
  expect(await run(['apply', reviewed.plan], host)).toBe(66)
  expect(host.err()).toContain(
    `next: provide what is missing, then run \`landform apply ${reviewed.plan} --manifest ${join(reviewed.folder, 'production/site.yaml')}\`\n`,
  )
  expect(await reviewed.applied()).toMatchObject({ exitCode: 0 })
})

test('of several concurrent runs, one applies a saved plan, and a later one has nothing to do', async () => {
  for (let round = 0; round < 3; round += 1) {
    const reviewed = await aReviewedPlan()
    const all = await Promise.all(Array.from({ length: 6 }, () => reviewed.applied()))
    const codes = all.map(({ exitCode }) => exitCode)
    expect(codes.filter(code => ![0, 6, 7].includes(code))).toEqual([])
    expect(codes).toContain(0)
    expect(reviewed.emulator().world().counters).toMatchObject({
      configure: { received: 1 },
      update: { received: 1 },
    })
  }
})

test('a saved plan without changes can be applied any number of times', async () => {
  const reviewed = await aReviewedPlan()
  await reviewed.applied()
  await reviewed.landform('plan', join(reviewed.folder, 'production/site.yaml'), '--out', reviewed.plan)
  expect(await reviewed.applied()).toMatchObject({ exitCode: 0 })
  expect(await reviewed.applied()).toMatchObject({ exitCode: 0 })
  expect(received(reviewed)).toBe(1)
})

describe('a saved plan is stale after a change of', () => {
  const site = 'production/site.yaml'
  const changed = (what: string) => [`the ${what} changed since it was made`]
  const expired: unknown = expect.stringMatching(/^it expired at 2026-/)
  const tool = { tool: 'landform/0.0.9' }
  type Fact = readonly [what: string, change: (reviewed: ReviewedPlan) => unknown, moved: readonly unknown[]]
  const facts: readonly Fact[] = [
    ['the manifest', r => r.edit(site, /$/, '\n# later\n'), changed('manifest')],
    [
      'the manifest, to one that is not valid',
      r => r.edit(site, 'metadata', 'metadate'),
      changed('manifest'),
    ],
    ['the manifest, which no longer exists', r => rmSync(join(r.folder, site)), changed('manifest')],
    ['a base', r => r.edit('base.yaml', /$/, '\n# later\n'), changed('file ../base.yaml')],
    ['a license', r => r.edit('licenses/site.json', /$/, ' '), changed('file ../licenses/site.json')],
    [
      'a license, which no longer exists',
      r => rmSync(join(r.folder, 'licenses/site.json')),
      changed('file ../licenses/site.json'),
    ],
    [
      'the state of the site',
      r => r.replaceSite({ configured: true }),
      ['the state of the site changed from not-configured to ready'],
    ],
    ['the time', r => r.pass(24 * 3_600_000), [expired]],
    [
      'the version of Landform',
      r => r.forge(plan => Object.assign(plan['binds'] as object, tool)),
      ['the version of Landform changed from landform/0.0.9 to landform/0.1.0'],
    ],
  ]

  test.each(facts)('%s', async (_what, change, moved) => {
    const reviewed = await aReviewedPlan()
    await change(reviewed)
    const { exitCode, moved: found, err } = await reviewed.applied()
    expect({ exitCode, moved: found, err: exitCode === 6 ? '' : err }).toEqual({
      exitCode: 6,
      moved,
      err: '',
    })
    expect(received(reviewed)).toBe(0)
  })

  test('the address, and the other one is not polled', async () => {
    const reviewed = await aReviewedPlan()
    const { url } = reviewed.emulator()
    const before = reviewed.emulator().requests.length
    const other = url.replace('127.0.0.1', 'localhost')
    const applied = await reviewed.applied('--url', other)
    expect(applied).toMatchObject({
      exitCode: 6,
      moved: [`it was made for ${url}, but this run is for ${other}`],
    })
    expect(applied.err.replaceAll(/\s+/g, ' ')).toContain(`to apply it to ${url}: pass \`--url ${url}\``)
    expect(reviewed.emulator().requests.length).toBe(before)
  })
})

describe('an altered plan', () => {
  const places = (value: unknown): readonly (readonly (string | number)[])[] =>
    typeof value === 'object' && value !== null && Object.keys(value).length > 0
      ? Object.entries(value).flatMap(([key, member]) => places(member).map(rest => [key, ...rest]))
      : [[]]

  test('is rejected whichever value changed, and the site is not polled', async () => {
    const reviewed = await aReviewedPlan()
    const text = readFileSync(reviewed.plan, 'utf8')
    const before = reviewed.emulator().requests.length
    const all = places(JSON.parse(text)).filter(([name]) => name !== 'formatVersion')
    expect(all.length).toBeGreaterThan(200)
    const accepted: string[] = []
    // The short form checks every fourth value.
    for (const path of all.filter((_, at) => isAtLength || at % 4 === 0)) {
      const plan = JSON.parse(text) as Record<string, unknown>
      const owner = path
        .slice(0, -1)
        .reduce<Record<string, unknown>>((value, key) => value[key] as Record<string, unknown>, plan)
      owner[String(path.at(-1))] = 'altered'
      writeFileSync(reviewed.plan, JSON.stringify(plan))
      if ((await reviewed.applied()).exitCode !== 6) accepted.push(path.join('.'))
    }
    expect(accepted).toEqual([])
    expect(reviewed.emulator().requests.length).toBe(before)
  })

  test.each<[string, (plan: Record<string, unknown>) => void]>([
    ['its name', plan => Object.assign(plan, { name: 'other' })],
    [
      'an action',
      plan => {
        const [configure] = plan['actions'] as [Record<string, Record<string, unknown>>]
        Object.assign(configure['organization'] ?? {}, { profile: 'development' })
      },
    ],
    [
      'the source of the token',
      plan => {
        const [, update] = plan['actions'] as [unknown, Record<string, unknown>]
        update['token'] = { env: 'LANDFORM_ADMIN_PASSWORD' }
      },
    ],
    ['a removed action', plan => (plan['actions'] as unknown[]).pop()],
    ['its counts', plan => Object.assign(plan, { summary: { create: 0, update: 0, resume: 0, noOp: 2 } })],
  ])('is rejected with a matching id as well: %s', async (_what, change) => {
    const reviewed = await aReviewedPlan()
    reviewed.forge(change)
    expect(await reviewed.applied()).toMatchObject({ exitCode: 6 })
    expect(received(reviewed)).toBe(0)
  })

  test.each([
    ['no time at all', 'nonsense'],
    ['a day that no calendar has', '2999-02-31T00:00:00.000Z'],
    ['another spelling', '2999-01-01'],
  ])('that expires at %s is invalid, though its id matches', async (_what, expiresAt) => {
    const reviewed = await aReviewedPlan()
    reviewed.forge(plan => Object.assign(plan, { expiresAt }))
    expect(await reviewed.applied()).toMatchObject({ exitCode: 65 })
    expect(received(reviewed)).toBe(0)
  })

  test('that was made tomorrow is rejected, unless the clock is only slightly ahead', async () => {
    const reviewed = await aReviewedPlan()
    reviewed.pass(-60_000)
    reviewed.forge(plan => Object.assign(plan, { expiresAt: '2999-01-01T00:00:00.000Z' }))
    reviewed.pass(-24 * 3_600_000)
    const { exitCode, moved } = await reviewed.applied()
    expect({ exitCode, moved }).toEqual({
      exitCode: 6,
      moved: [expect.stringMatching(/^it was made at 2026-.*, which is in the future$/)],
    })
    reviewed.pass(24 * 3_600_000)
    expect(await reviewed.applied()).toMatchObject({ exitCode: 0 })
  })

  test.each([
    ['/dev/zero', ''],
    ['pipe', 'pipe'],
    ['a\0b', ''],
  ])('that names an endless file is rejected, and the run does not hang: %j', async (name, pipe) => {
    const reviewed = await aReviewedPlan()
    if (pipe !== '') execFileSync('mkfifo', [join(reviewed.folder, pipe)])
    reviewed.forge(plan =>
      Object.assign(plan, { manifest: pipe === '' ? name : join(reviewed.folder, name) }),
    )
    expect((await reviewed.applied()).moved).toContainEqual(expect.stringMatching(/manifest/))
    expect(received(reviewed)).toBe(0)
  })

  test('that is bound to a device is rejected also if the manifest cannot be read', async () => {
    const reviewed = await aReviewedPlan()
    reviewed.edit('production/site.yaml', 'metadata', 'metadate')
    const file = '../../../../../../dev/zero'
    reviewed.forge(plan =>
      Object.assign((plan['binds'] as { files: object }).files, { [file]: `sha256:${'0'.repeat(64)}` }),
    )
    expect((await reviewed.applied()).moved).toEqual([
      'the manifest changed since it was made',
      `the file ${file} changed since it was made`,
    ])
  })

  test('that is nested 100,000 levels deep is invalid', async () => {
    const reviewed = await aReviewedPlan()
    const deep = `${'['.repeat(100_000)}${']'.repeat(100_000)}`
    writeFileSync(reviewed.plan, readFileSync(reviewed.plan, 'utf8').replace('{', `{"x":${deep},`))
    expect(await reviewed.applied()).toMatchObject({ exitCode: 65 })
  })

  test.each([
    ['with a byte order mark', (text: string) => `\ufeff${text}`],
    ['as UTF-16', (text: string) => Buffer.from(`\ufeff${text}`, 'utf16le')],
  ])('is still valid if a shell writes it %s', async (_what, spelt) => {
    const reviewed = await aReviewedPlan()
    writeFileSync(reviewed.plan, spelt(readFileSync(reviewed.plan, 'utf8')))
    expect(await reviewed.applied()).toMatchObject({ exitCode: 0 })
  })

  test('is still valid if only its layout differs', async () => {
    const reviewed = await aReviewedPlan()
    const plan = JSON.parse(readFileSync(reviewed.plan, 'utf8')) as Record<string, unknown>
    const turned = Object.fromEntries(Object.entries(plan).reverse())
    writeFileSync(reviewed.plan, JSON.stringify(turned, null, 4))
    expect(await reviewed.applied()).toMatchObject({ exitCode: 0 })
  })
})

describe('a file that is not a saved plan', () => {
  test.each([
    ['of a newer Landform', '{"formatVersion":2}', 65, 'was written by a newer Landform'],
    ['of no format', '{"formatVersion":0}', 65, 'is not a saved plan'],
    ['without its members', '{"formatVersion":1,"id":5}', 65, 'is not a saved plan'],
    ['that is not JSON', '{"formatVersion":1', 65, 'is not JSON'],
  ])('is rejected by show: %s', async (_what, text, exitCode, words) => {
    const reviewed = await aReviewedPlan()
    writeFileSync(reviewed.plan, text)
    const shown = await reviewed.landform('show', reviewed.plan)
    expect(shown.exitCode).toBe(exitCode)
    expect(shown.err).toContain(words)
  })
})

test('show prints what plan printed, in text and in JSON', async () => {
  const reviewed = await aReviewedPlan()
  const manifest = join(reviewed.folder, 'production/site.yaml')
  const planned = await reviewed.landform('plan', manifest, '--out', reviewed.plan)
  expect((await reviewed.landform('show', reviewed.plan)).out).toBe(planned.out)
  const { out } = await reviewed.landform('show', reviewed.plan, '--format', 'json')
  expect(JSON.parse(out)).toEqual(JSON.parse(readFileSync(reviewed.plan, 'utf8')))
  expect(listSchemaErrors('plan', JSON.parse(out))).toEqual([])
})

test('equal plans are equal files', async () => {
  const reviewed = await aReviewedPlan()
  const first = readFileSync(reviewed.plan, 'utf8')
  const manifest = join(reviewed.folder, 'production/site.yaml')
  await reviewed.landform('plan', manifest, '--out', reviewed.plan)
  expect(readFileSync(reviewed.plan, 'utf8')).toBe(first)
  expect(first).toMatch(/^[^\n]+\n$/)
})

test('a plan expires after --expires', async () => {
  const reviewed = await aReviewedPlan(['--expires', '10m'])
  reviewed.pass(10 * 60_000 - 1000)
  expect(await reviewed.applied()).toMatchObject({ exitCode: 0 })
})

import { readFileSync } from 'node:fs'
import { loadManifest } from '../../src/manifest/load-manifest.js'
import type { Manifest } from '../../src/manifest/manifest.js'
import { noSettings, type Observation } from '../../src/plan/observation.js'
import { type Action, hasChanges, summarizePlan } from '../../src/plan/plan.js'
import { diagnoseVersion, plan } from '../../src/plan/planner.js'
import { type ApplyRecord, emptyRecord, type Situation } from '../../src/plan/situation.js'
import type { JsonObject } from '../../src/schema/json-schema.js'
import { aManifest, aPolicy, lineOf } from '../support/a-manifest.js'
import { aPlan, aSituation, inProgress, notConfigured, ready, siteFacts } from '../support/a-plan.js'
import { anOrganization } from '../support/an-organization.js'
import { boundFacts } from '../support/bound-facts.js'

const site = 'https://gis.example.org/arcgis/admin'
const empty = emptyRecord
const created: ApplyRecord = {
  ...empty,
  serial: 1,
  organization: { appliedAt: '2026-03-04T05:06:07.089Z', manifest: `sha256:${'c'.repeat(64)}`, value: {} },
}
const applied = (policy = aPolicy()): ApplyRecord => ({
  ...empty,
  serial: 2,
  policy: { appliedAt: '2026-03-04T05:06:07.089Z', value: policy },
})
const readable = (policy = aPolicy()) => ({
  observed: ready,
  settings: {
    ...noSettings('not-offered'),
    upgradeConfig: { kind: 'read', value: { podPlacementPolicy: policy as unknown as JsonObject } },
  } as const,
})

const stepsOf = (actions: readonly Action[]) =>
  actions.map(({ operation, change, reason }) => `${operation}: ${change} (${reason})`)

describe('without a policy in the manifest, the plan has one action', () => {
  test.each<[string, Partial<Situation>, string]>([
    ['not configured', { observed: notConfigured }, 'configure: create (not-configured)'],
    ['being configured', { observed: inProgress }, 'configure: resume (configuration-in-progress)'],
    ['ready', { observed: ready }, 'configure: no-op (already-configured)'],
    ['ready, and reports its policy', readable(), 'configure: no-op (already-configured)'],
  ])('for a site that is %s', (_what, told, step) => {
    for (const record of [empty, created, applied()])
      expect(stepsOf(aPlan({ ...told, record }).actions)).toEqual([step])
  })
})

describe('with a policy in the manifest, the second action', () => {
  const desired = aManifest({ policy: aPolicy() })
  const other = aPolicy('other')

  test.each<[string, Partial<Situation>, ApplyRecord, string]>([
    ['never applied to a new site', { observed: notConfigured }, empty, 'update: update (never-applied)'],
    [
      'never applied to a new site, whatever the record',
      { observed: notConfigured },
      applied(),
      'update: update (never-applied)',
    ],
    [
      'never applied to a site being configured',
      { observed: inProgress },
      empty,
      'update: update (never-applied)',
    ],
    [
      'never applied to one being configured, whatever the record',
      { observed: inProgress },
      applied(),
      'update: update (never-applied)',
    ],
    [
      'not readable, on a site that others configured',
      { observed: ready },
      empty,
      'update: update (cannot-be-read)',
    ],
    [
      'never applied to a site that Landform created',
      { observed: ready },
      created,
      'update: update (never-applied)',
    ],
    ['equal to the last applied one', { observed: ready }, applied(), 'update: no-op (policy-unchanged)'],
    [
      'different from the last applied one',
      { observed: ready },
      applied(other),
      'update: update (policy-changed)',
    ],
    ['equal to that of the site', readable(), empty, 'update: no-op (policy-unchanged)'],
    [
      'equal to that of the site, whatever the record',
      readable(),
      applied(other),
      'update: no-op (policy-unchanged)',
    ],
    ['different from that of the site', readable(other), empty, 'update: update (policy-changed)'],
    [
      'different from that of the site, whatever the record',
      readable(other),
      applied(),
      'update: update (policy-changed)',
    ],
  ])('for a policy that is %s', (_what, told, record, step) => {
    const { actions } = aPlan({ desired, ...told, record })
    expect(actions.length).toBe(2)
    expect(stepsOf(actions)[1]).toBe(step)
  })

  test('has the policy and the source of the token', () => {
    const [, update] = aPlan({ desired }).actions
    expect(update).toMatchObject({ policy: aPolicy(), token: { env: 'LANDFORM_TOKEN' } })
  })

  test('has no token if the manifest has none', () => {
    const tokenless = aManifest({ policy: aPolicy(), site: { url: site, version: '11.2' } })
    const [, update] = aPlan({ desired: tokenless }).actions
    expect(update?.change).toBe('update')
    expect(update).not.toHaveProperty('token')
  })

  test('does not depend on the order of keys', () => {
    const turned = {
      tolerations: [{ effect: 'NoSchedule', value: 'upgrades', operator: 'Equal', key: 'dedicated' }],
      nodeAffinity: {},
    } as const
    const { actions } = aPlan({ desired, observed: ready, record: applied(turned) })
    expect(stepsOf(actions)[1]).toBe('update: no-op (policy-unchanged)')
  })

  test('does not depend on the order of tolerations', () => {
    const [one, two] = [aPolicy('one').tolerations, aPolicy('two').tolerations]
    const policy = { nodeAffinity: {}, tolerations: [...one, ...two] }
    const turned = { nodeAffinity: {}, tolerations: [...two, ...one] }
    const { actions } = aPlan({ desired: aManifest({ policy }), observed: ready, record: applied(turned) })
    expect(stepsOf(actions)[1]).toBe('update: no-op (policy-unchanged)')
  })
})

describe('a plan', () => {
  test('that creates an organization is marked irreversible, and has the organization with its references', () => {
    const [configure] = aPlan().actions
    expect(configure).toMatchObject({ irreversible: true, organization: anOrganization() })
  })

  test('has the facts that it was made from', () => {
    const { createdAt, expiresAt, name, url, binds } = aPlan({ record: created })
    expect({ createdAt, expiresAt, name, url, binds }).toEqual({
      createdAt: '2026-03-04T05:06:07.089Z',
      expiresAt: '2026-03-05T05:06:07.089Z',
      name: 'production',
      url: 'https://gis.example.org/arcgis/admin',
      binds: boundFacts(1),
    })
  })

  test('has no version if the site reports none', () => {
    const observed: Observation = { kind: 'not-configured', warnings: [], stages: [] }
    expect(aPlan({ observed }).binds.site).toMatchObject({ state: 'not-configured', version: null })
  })

  test('has the port in its origin', () => {
    expect(aPlan({ url: 'http://127.0.0.1:7443/x/admin' }).binds.origin).toBe('http://127.0.0.1:7443')
  })

  test('is the same for the same situation, and is unchanged as JSON', () => {
    const situation = { desired: aManifest({ policy: aPolicy() }) }
    expect(aPlan(situation)).toEqual(aPlan(situation))
    expect(JSON.parse(JSON.stringify(aPlan(situation)))).toEqual(aPlan(situation))
  })

  test('does not change its input', () => {
    const situation = aSituation({ desired: aManifest({ policy: aPolicy() }), record: applied(aPolicy('x')) })
    const before = JSON.stringify(situation)
    plan(situation)
    expect(JSON.stringify(situation)).toBe(before)
  })
})

describe('there is no plan', () => {
  const failed: Observation = { kind: 'failed', ...siteFacts({ message: 'Stage 3 failed' }) }
  const unrecognized: Observation = { kind: 'unrecognized', state: 'upgrading', ...siteFacts() }

  test.each<[string, Observation]>([
    ['site-failed', failed],
    ['site-unrecognized', unrecognized],
  ])('%s: the site needs manual repair', (kind, observed) => {
    for (const policy of [undefined, aPolicy()]) {
      const desired = aManifest(policy === undefined ? {} : { policy })
      const planned = plan(aSituation({ desired, observed, record: applied() }))
      expect(planned).toEqual({ ok: false, error: { kind, observed }, diagnostics: [] })
    }
  })

  test('for a failed site that is also too old, because it failed', () => {
    const observed: Observation = { ...failed, version: '10.9' }
    const planned = plan(aSituation({ desired: aManifest({ policy: aPolicy() }), observed }))
    expect(planned).toMatchObject({ ok: false, error: { kind: 'site-failed' } })
  })
})

describe('the version of the site', () => {
  const found = (desired: Manifest, version: string | undefined) => {
    const { version: _, ...facts } = siteFacts()
    const observed: Observation = {
      kind: 'not-configured',
      ...facts,
      ...(version !== undefined && { version }),
    }
    const planned = plan(aSituation({ desired, observed }))
    return {
      obstacle: planned.ok ? 'none' : planned.error.kind,
      codes: planned.diagnostics.map(({ code, severity, pointer }) => `${severity} ${code} ${pointer}`),
      places: planned.diagnostics.map(({ place }) => place?.start.line),
    }
  }

  test.each([
    '11.2',
    '11.2.0',
    '11.2.0.43210',
    '11.2.0-beta',
    undefined,
    '',
    'eleven',
    'v11.2',
    '11',
    '999999.1',
  ])('%j needs no diagnostic with 11.2', version => {
    expect(found(aManifest({ policy: aPolicy() }), version)).toMatchObject({ obstacle: 'none', codes: [] })
  })

  test.each(['11.3', '12.0.1', '11.2.1', '11.1', '10.9.1'])(
    '%s causes a warning if every field exists in it',
    version => {
      expect(found(aManifest(), version)).toEqual({
        obstacle: 'none',
        codes: ['warning site/version-differs /spec/site/version'],
        places: [lineOf('/spec/site/version')],
      })
    },
  )

  test('the warning has the declared and the reported version in the right places', () => {
    const [warning] = diagnoseVersion(aManifest(), { ...ready, version: '11.1' })
    expect(warning?.message).toBe('`spec.site.version` is 11.2, but the site reports 11.1')
    expect(warning?.help).toBe('set it to 11.1 to check the right fields')
    const [, older] = diagnoseVersion(aManifest({ policy: aPolicy() }), { ...ready, version: '10.9' })
    expect(older?.message).toMatch(/requires service version 1[01]\.[0-9.]+, but the site reports 10\.9$/)
  })

  const stores = {
    dataStores: [
      {
        clientPath: '/a',
        type: 'folder',
        info: { fileServerHost: 'h', fileServerType: 'NFS', fileServerPath: '/b' },
      },
    ],
  }
  const all = aManifest({ policy: aPolicy(), organization: anOrganization({ ...stores, cloudStorage: [] }) })

  const connection = '/spec/cloudStorage/0/cloudServices/0/connection'
  const identity = aManifest({
    site: { url: site, version: '11.5' },
    organization: anOrganization({
      cloudStorage: [
        {
          name: 'AZURE',
          credential: { type: 'SYSTEM-ASSIGNED-IDENTITY', secret: { storageAccountName: 'a' } },
          cloudServices: [
            { name: 'S', connection: { containerName: 'c', accountEndpointUrl: 'https://a.example.org' } },
          ],
        },
      ],
    }),
  })

  test.each<[string, Manifest, readonly string[]]>([
    ['11.1', all, ['/spec/cloudStorage', '/spec/upgrade']],
    ['10.9.1', all, ['/spec/cloudStorage', '/spec/upgrade']],
    ['10.9', all, ['/spec/cloudStorage', '/spec/dataStores', '/spec/upgrade']],
    ['10.9', aManifest({ organization: anOrganization(stores) }), ['/spec/dataStores']],
    ['11.1.5', aManifest({ policy: aPolicy() }), ['/spec/upgrade']],
  ])('%s is too old for some fields, and each of them is reported', (version, desired, pointers) => {
    expect(found(desired, version)).toEqual({
      obstacle: 'site-too-old',
      codes: [
        'warning site/version-differs /spec/site/version',
        ...pointers.map(pointer => `error site/too-old ${pointer}`),
      ],
      places: [lineOf('/spec/site/version'), ...pointers.map(() => 3)],
    })
  })

  test('11.2 is too old for cloud storage fields that were reported for 11.3', () => {
    const { codes } = found(identity, '11.2')
    expect(codes).toEqual([
      'warning site/version-differs /spec/site/version',
      'error site/too-old /spec/cloudStorage/0/credential/type',
      `error site/too-old ${connection}/accountEndpointUrl`,
    ])
  })

  test.each(['10.8', '10.8.1', '10.4.0.123'])('%s is too old for configure', version => {
    expect(found(aManifest({ site: { url: site, version: '10.9' } }), version)).toMatchObject({
      obstacle: 'site-too-old',
      codes: [
        'warning site/version-differs /spec/site/version',
        'error site/without-configure /spec/site/version',
      ],
    })
  })

  test('a site that is too old for configure blocks nothing if its organization exists', () => {
    const observed: Observation = { ...ready, version: '10.8' }
    expect(plan(aSituation({ observed })).ok).toBe(true)
  })

  test('a newer site than the manifest declares has every field of it', () => {
    const old = aManifest({ site: { url: site, version: '10.9' } })
    expect(found(old, '11.2.0')).toMatchObject({
      obstacle: 'none',
      codes: ['warning site/version-differs /spec/site/version'],
    })
  })
})

describe('a half of the policy that the manifest omits', () => {
  const desired = aManifest({ policy: aPolicy(), policyDefaults: ['nodeAffinity'] })
  const emptiedBy = (told: Partial<Situation>) =>
    aPlan({ desired, ...told }).actions.flatMap(action => ('emptied' in action ? (action.emptied ?? []) : []))

  test('is noted as sent empty to a ready site that does not report its configuration', () => {
    const pointer = '/spec/upgrade/podPlacementPolicy/nodeAffinity'
    expect(emptiedBy({ observed: ready })).toEqual([pointer])
    expect(emptiedBy({ observed: ready, record: created })).toEqual([pointer])
    expect(emptiedBy({ observed: ready, record: applied(aPolicy('other')) })).toEqual([pointer])
  })

  test.each<[string, Partial<Situation>]>([
    ['a site without an organization', { observed: notConfigured }],
    ['a site that is being configured', { observed: inProgress }],
    ['a site that reports its configuration', readable(aPolicy('other'))],
    ['a site to which nothing is sent', { observed: ready, record: applied() }],
    ['a manifest with both halves', { observed: ready, desired: aManifest({ policy: aPolicy() }) }],
  ])('needs no note for %s', (_what, told) => {
    expect(emptiedBy(told)).toEqual([])
  })
})

describe('the fields that a creation sets', () => {
  const fieldsOf = (desired: Manifest) => {
    const [configure] = aPlan({ desired }).actions
    if (configure?.change !== 'create') throw new Error('nothing is created')
    return configure.fields
  }

  test('each have a pointer, a parameter, a value and a position, with references for secrets', () => {
    const volume = { size: '16Gi', storageClass: 'gp3', labels: { tier: 'storage', app: 'gis' } }
    const volumes = Object.keys(anOrganization().volumes).flatMap(component => [
      [`/spec/volumes/${component}/size`, 'volumesConfig', volume.size],
      [`/spec/volumes/${component}/storageClass`, 'volumesConfig', volume.storageClass],
      [`/spec/volumes/${component}/labels`, 'volumesConfig', volume.labels],
    ])
    const seen = fieldsOf(aManifest()).map(({ pointer, parameter, after }) => [pointer, parameter, after])
    expect(seen).toEqual([
      ['/spec/license/file', 'licenseFile', 'licenses/site.json'],
      ['/spec/administrator/username', 'username', 'siteadmin'],
      ['/spec/administrator/password', 'password', { env: 'LANDFORM_ADMIN_PASSWORD' }],
      ['/spec/administrator/email', 'email', 'admin@example.org'],
      ['/spec/administrator/fullName', 'fullName', 'Site Administrator'],
      ['/spec/administrator/userType', 'userLicenseTypeId', 'creatorUT'],
      ['/spec/administrator/securityQuestion/index', 'securityQuestionIdx', 13],
      [
        '/spec/administrator/securityQuestion/answer',
        'securityQuestionAns',
        { env: 'LANDFORM_SECURITY_ANSWER' },
      ],
      ...volumes,
    ])
  })

  test('have no previous value, and the position in the manifest', () => {
    for (const field of fieldsOf(aManifest())) {
      expect(field).not.toHaveProperty('before')
      expect(field).toMatchObject({ file: 'site.yaml', line: lineOf(field.pointer) })
    }
  })

  test.each([
    [
      '/spec/license/serverFile',
      'serverLicenseFile',
      { license: { file: 'a', serverFile: 'b.ecp' } },
      'b.ecp',
    ],
    ['/spec/profile', 'systemArchitectureProfile', { profile: 'development' }, 'development'],
    ['/spec/logLevel', 'logSettings', { logLevel: 'FINE' }, 'FINE'],
    ['/spec/folders', 'folderPathsToRegister', { folders: ['/a', '/b'] }, ['/a', '/b']],
    ['/spec/folders', 'folderPathsToRegister', { folders: '/a' }, '/a'],
    ['/spec/cloudStorage', 'cloudConfig', { cloudStorage: [] }, []],
    ['/spec/systemProperties/a~1b', 'systemProperties', { systemProperties: { 'a/b': 1 } }, 1],
    ['/spec/systemProperties', 'systemProperties', { systemProperties: {} }, {}],
    ['/spec/dataStores/0/info/fileServerHost', 'userManagedStores', { dataStores: [store('h')] }, 'h'],
    ['/spec/extra/newParameter', 'newParameter', { extra: { newParameter: true } }, true],
    ['/spec/extra/newParameter/deep', 'newParameter', { extra: { newParameter: { deep: 1 } } }, 1],
    ['/spec/extra/a~1b', 'a/b', { extra: { 'a/b': 'x' } }, 'x'],
  ] as const)('include %s in the parameter %s', (pointer, parameter, changes, after) => {
    const fields = fieldsOf(aManifest({ organization: anOrganization(changes) }))
    expect(fields.find(field => field.pointer === pointer)).toEqual({
      pointer,
      parameter,
      after,
      file: 'site.yaml',
      line: lineOf(pointer),
    })
  })

  test('have their lines in the real file', () => {
    const file = new URL('../../../examples/quickstart.yaml', import.meta.url)
    const bytes = readFileSync(file)
    const loaded = loadManifest({ name: 'quickstart.yaml', bytes })
    if (!loaded.ok) throw new Error('the example is no manifest')
    const lines = bytes.toString().split('\n')
    const fields = aPlan({ desired: loaded.value }).actions.flatMap(action => action.fields)
    expect(fields.length).toBeGreaterThan(30)
    for (const { pointer, line, file: name } of fields) {
      const key = pointer.split('/').findLast(segment => !/^\d+$/.test(segment)) ?? 'no key'
      expect(name).toBe('quickstart.yaml')
      expect(lines[line - 1]).toContain(key)
    }
  })
})

describe('the fields that an update changes', () => {
  const at = '/spec/upgrade/podPlacementPolicy'
  const fieldsOf = (changes: Partial<Situation>) => {
    const [, update] = aPlan({ observed: ready, ...changes }).actions
    if (update?.change !== 'update') throw new Error('nothing is updated')
    return update.fields.map(({ pointer, before, after }) => [pointer, before, after])
  }
  const desired = aManifest({ policy: aPolicy('new') })

  test('are all fields if nothing is known', () => {
    expect(fieldsOf({ desired })).toEqual([
      [`${at}/nodeAffinity`, undefined, {}],
      [`${at}/tolerations/0/key`, undefined, 'new'],
      [`${at}/tolerations/0/operator`, undefined, 'Equal'],
      [`${at}/tolerations/0/value`, undefined, 'upgrades'],
      [`${at}/tolerations/0/effect`, undefined, 'NoSchedule'],
    ])
  })

  test('are only those that differ from known values, with both values', () => {
    expect(fieldsOf({ desired, record: applied(aPolicy('old')) })).toEqual([
      [`${at}/tolerations/0/key`, 'old', 'new'],
    ])
  })

  test('are compared with the report of the site, rather than with the record', () => {
    expect(fieldsOf({ desired, ...readable(aPolicy('told')), record: applied(aPolicy('old')) })).toEqual([
      [`${at}/tolerations/0/key`, 'told', 'new'],
    ])
  })

  test('include removed values', () => {
    const two = { nodeAffinity: {}, tolerations: [...aPolicy('new').tolerations, { key: 'gone' }] } as const
    expect(fieldsOf({ desired, record: applied(two) })).toEqual([
      [`${at}/tolerations/1/key`, 'gone', undefined],
    ])
  })

  test('include a list that becomes empty', () => {
    const none = aManifest({ policy: { nodeAffinity: {}, tolerations: [] } })
    const fields = fieldsOf({
      desired: none,
      record: applied({ nodeAffinity: {}, tolerations: [{ key: 'gone' }] }),
    })
    expect(fields).toEqual([[`${at}/tolerations/0/key`, 'gone', undefined]])
  })

  test('are in the parameter upgradeConfig, with their positions in the manifest', () => {
    const [, update] = aPlan({ desired }).actions
    if (update?.change !== 'update') throw new Error('nothing is updated')
    for (const { parameter, file, line, pointer } of update.fields)
      expect([parameter, file, line]).toEqual(['upgradeConfig', 'site.yaml', lineOf(pointer)])
  })
})

describe('the summary of a plan has', () => {
  const desired = aManifest({ policy: aPolicy() })

  test.each<[string, Partial<Situation>, readonly [number, number, number, number], boolean]>([
    ['a creation', {}, [1, 0, 0, 0], true],
    ['a creation and an update', { desired }, [1, 1, 0, 0], true],
    ['a resume', { observed: inProgress }, [0, 0, 1, 0], true],
    ['a resume and an update', { observed: inProgress, desired }, [0, 1, 1, 0], true],
    ['no changes', { observed: ready }, [0, 0, 0, 1], false],
    ['an update of a ready site', { observed: ready, desired }, [0, 1, 0, 1], true],
    ['no changes at all', { observed: ready, desired, record: applied() }, [0, 0, 0, 2], false],
  ])('%s', (_what, changes, [create, update, resume, noOp], changed) => {
    const made = aPlan(changes)
    expect(summarizePlan(made)).toEqual({ create, update, resume, noOp })
    expect(hasChanges(made)).toBe(changed)
  })
})

function store(fileServerHost: string) {
  return {
    clientPath: '/a',
    type: 'folder',
    info: { fileServerHost, fileServerType: 'NFS', fileServerPath: '/b' },
  }
}

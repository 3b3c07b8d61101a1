import { catalog } from '../../src/diagnostics/diagnostic.js'
import { listFieldPointers } from '../../src/schema/field-schema.js'
import { formatDotted } from '../../src/schema/pointer.js'
import { landform } from '../support/landform.js'

const explain = (subject: string) => landform(['explain', subject])
/** Missing words in a sentence, values that became text by accident, and traces of formatting. */
const unknownNames = /undefined|\[object|NaN|\*\*|``|\s$/m

describe('the page of', () => {
  test.each(Object.entries(catalog))(
    'the code %s has an explanation',
    async (code, { title, severity, phase }) => {
      const { exitCode, out } = await explain(code)
      expect(exitCode).toBe(0)
      expect(out.startsWith(`${code}  ${severity}\n\n${title}\n\n`)).toBe(true)
      expect(out).toMatch(/^Source: \S/m)
      expect(out.includes('# landform-ignore-next-line')).toBe(
        (severity !== 'error' && phase === 'manifest') || code.startsWith('ignore/'),
      )
      expect(out.replaceAll(/^ {2}.*$/gm, '')).not.toMatch(/undefined|\[object|NaN/)
    },
  )

  test('every field is described, with its request parameter', async () => {
    for (const pointer of listFieldPointers()) {
      const name = formatDotted(pointer)
      const { exitCode, out } = await explain(name)
      expect([name, exitCode]).toEqual([name, 0])
      expect(out.startsWith(`${name}\n\n`)).toBe(true)
      expect([name, unknownNames.exec(out.trimEnd().replaceAll(/^$/gm, '-'))?.[0]]).toEqual([name, undefined])
      expect([name, /^ {2}type {6}\S/m.test(out)]).toEqual([name, true])
    }
  })

  test.each([
    ['spec.volumes.BLOB.size', /^ {2}sent as +`volumesConfig` of `configure`$/m],
    ['spec.upgrade.podPlacementPolicy', /^ {2}since +11\.2$/m],
    ['spec.dataStores[].clientPath', /^ {2}since +10\.9\.1$/m],
    ['spec.cloudStorage[].cloudServices[].connection.accountEndpointUrl', /^ {2}since +11\.3$/m],
    ['spec.cloudStorage[].credential.managedIdentityClientId', /^ {2}since +11\.3$/m],
    ['spec.cloudStorage[].cloudServices[].connection.rootDir', /^ {2}since +11\.2$/m],
    ['spec.deploymentProfiles.performance.name', /^ {2}since +12\.1$/m],
    ['spec.site.token', /^ {2}sent as +`token` of `update`$/m],
    ['spec.administrator.username', /^ {2}required +yes$/m],
    ['spec.administrator.password', /^ {2}type +reference: \{ env: LANDFORM_… \}/m],
    ['spec.profile', /^ {2}standard-availability {2}\S/m],
    ['spec.administrator', /^ {2}fields +username, password,/m],
  ])('%s has its facts', async (name, fact) => {
    expect((await explain(name)).out).toMatch(fact)
  })
})

describe('a field', () => {
  test.each([
    'spec.cloudStorage.0.name',
    'spec.cloudStorage[0].name',
    'spec.cloudStorage[].name',
    'spec.cloudStorage[*].name',
    'cloudStorage[0].name',
    '/spec/cloudStorage/0/name',
    '/cloudStorage/3/name',
  ])('may be written as %s', async name => {
    const { exitCode, out } = await explain(name)
    expect(exitCode).toBe(0)
    expect(out).toMatch(/^spec\.cloudStorage\[\d\]\.name\n/)
  })
})

describe('an unknown name', () => {
  test.each([
    ['volume/sise', 'did you mean volume/size?'],
    ['spec.porfile', 'did you mean spec.profile?'],
    ['porfile', 'did you mean spec.profile?'],
    ['administrator.passwrod', 'did you mean spec.administrator.password?'],
    ['spec.volumes.BLOB.sise', 'did you mean spec.volumes.BLOB.size?'],
    ['spce', 'did you mean spec?'],
    ['spec.cloudStorage.bogus', 'spec.cloudStorage[0] has the fields name, credential, cloudServices'],
    ['spec.cloudStorage.nam', 'did you mean spec.cloudStorage[0].name?'],
    ['spec.cloudStorage[0].credential.bogus.type', 'spec.cloudStorage[0].credential has the fields'],
    ['nonsense', 'name a code such as volume/size or a field such as spec.profile'],
    ['nonsense/nonsense', 'name a code'],
    ['constructor', 'name a code'],
    ['__proto__', 'name a code'],
    ['spec.administrator.username.x', 'name a code'],
  ])('such as %j ends with 64 and a hint', async (subject, hint) => {
    const { exitCode, out, err } = await explain(subject)
    expect([exitCode, out]).toEqual([64, ''])
    expect(err).toContain(`unknown code or field ${JSON.stringify(subject)}`)
    expect(err).toContain(hint)
  })
})

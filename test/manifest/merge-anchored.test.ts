import { loadManifest } from '../../src/manifest/load-manifest.js'
import { redactText } from '../../src/manifest/redacted-text.js'
import { aSource } from '../support/changed-manifest.js'
import { exampleTexts } from '../support/text-mutants.js'

const users = [
  'RELATIONAL_SECONDARY',
  'BLOB',
  'IN_MEM_CACHE',
  'QUEUE',
  'INDEXER',
  'SHARING',
  'REST_METRICS_API',
]

/** A manifest whose volumes share one anchored value. */
function withDisk(disk: string, aliases = users.map(name => `    ${name}: *disk\n`).join('')): string {
  const [head = ''] = (exampleTexts.find(text => /^ {2}volumes:$/m.test(text)) ?? '').split(/^ {2}volumes:$/m)
  return `${head}  volumes:\n    RELATIONAL_PRIMARY: &disk ${disk}\n${aliases}`
}

const diagnosticsOf = (text: string) => loadManifest(aSource(text)).diagnostics

describe('a mistake in an anchored value', () => {
  test("is one diagnostic at the anchor, which names every alias's field", () => {
    const [found, ...others] = diagnosticsOf(
      withDisk('{ size: 64GB, storageClass: gp3, labels: { x/tier: storage, x/app: y } }'),
    )
    expect(others).toEqual([])
    expect(found).toMatchObject({ code: 'volume/size', pointer: '/spec/volumes/RELATIONAL_PRIMARY/size' })
    for (const name of ['RELATIONAL_PRIMARY', ...users]) expect(found?.message).toContain(`\`${name}\``)
  })

  test('names each field by as much of its path as is needed to distinguish them', () => {
    const volume = (name: string, storageClass: string) =>
      `    ${name}: { size: 64Gi, storageClass: ${storageClass} }\n`
    const aliases = users.map(name => volume(name, '*class')).join('')
    const found = diagnosticsOf(withDisk('{ size: 64Gi, storageClass: &class CHANGE-ME }', aliases))
    const told = found.filter(({ code }) => code === 'manifest/placeholder')
    expect(told).toHaveLength(1)
    expect(told[0]?.message).toContain(
      'used by `RELATIONAL_PRIMARY.storageClass`, `RELATIONAL_SECONDARY.storage',
    )
  })

  test('leads to several diagnostics if the fields with the value differ', () => {
    const found = diagnosticsOf(
      withDisk('{ size: 1Gi, storageClass: gp3, labels: { x/tier: storage, x/app: y } }'),
    )
    expect(new Set(found.map(({ message }) => message)).size).toBe(found.length)
    expect(found.length).toBeGreaterThan(1)
  })

  test('is not merged with mistakes outside the same anchor', () => {
    const aliases = users.map(name => `    ${name}: { size: 64GB, storageClass: gp3 }\n`).join('')
    const found = diagnosticsOf(withDisk('{ size: 64Gi, storageClass: gp3 }', aliases))
    expect(found.filter(({ code }) => code === 'volume/size')).toHaveLength(users.length)
  })
})

describe('an alias without an anchor', () => {
  test('is named and shown, and comes with the nearest anchor', () => {
    const text = 'a: &disk { size: 1 }\nb: *dsk\n'
    const [found] = diagnosticsOf(text)
    expect(found).toMatchObject({ message: expect.stringContaining('`*dsk`'), help: 'did you mean `*disk`?' })
    expect(redactText(aSource(text))).toBe(text)
  })

  test('may be a secret if its field is one, and is hidden there', () => {
    const text = 'a: &disk { size: 1 }\npassword: *hunter2\n'
    expect(JSON.stringify(diagnosticsOf(text))).not.toContain('hunter2')
    expect(redactText(aSource(text))).not.toContain('hunter2')
  })
})

describe('a duplicate key', () => {
  test('is shown with its value, and the message names the first one', () => {
    const text = 'profile: development\nname: x\nprofile: standard-availability\n'
    const [found] = diagnosticsOf(text)
    expect(found?.related).toMatchObject([{ place: { start: { line: 1, column: 1 } } }])
    expect(redactText(aSource(text))).toBe(text)
  })

  test('hides its secrets at any depth', () => {
    const text = 'a: 1\na: [{ b: { token: hunter2, note: shown } }, { secret: { hunter2: 1 } }]\n'
    const shown = redactText(aSource(text))
    expect(shown).not.toContain('hunter2')
    expect(shown).toContain('note: shown')
  })
})

import { once } from 'node:events'
import { mkdir, symlink, truncate, writeFile } from 'node:fs/promises'
import { createServer } from 'node:net'
import { join } from 'node:path'
import type { Diagnostic } from '../../src/diagnostics/diagnostic.js'
import type { JsonPointer } from '../../src/schema/pointer.js'
import type { FileReply } from '../../src/secrets/file-jail.js'
import {
  listConfigureReferences,
  listLicenseFiles,
  listUpdateReferences,
  type NeededReference,
} from '../../src/secrets/needed-references.js'
import { type Resolved, resolve, resolveToSend, wipeAll } from '../../src/secrets/resolve.js'
import { Secret, SecretFile } from '../../src/secrets/secret.js'
import {
  type FileAt,
  rehearsalSource,
  type SecretSource,
  secretSource,
} from '../../src/secrets/secret-source.js'
import { anOrganization } from '../support/an-organization.js'
import { removeTemporaryFolders, temporaryFolder } from '../support/temporary-folder.js'

afterEach(removeTemporaryFolders)

const at: JsonPointer = '/spec/site/token'
const passwordAt: JsonPointer = '/spec/administrator/password'
const licenseAt: JsonPointer = '/spec/license/file'
const env = (name: string, pointer = at): NeededReference => ({
  kind: 'secret',
  pointer,
  reference: { env: name },
})
const file = (path: string, pointer = at): NeededReference => ({
  kind: 'secret',
  pointer,
  reference: { file: path },
})
const license = (path: string): NeededReference => ({ kind: 'file', pointer: licenseAt, path })

type Environment = Readonly<Record<string, string>>

function fromEnvironment(environment: Environment): SecretSource {
  return secretSource(environment, '/nowhere')
}

function textAt(resolved: Resolved, pointer = at): string | undefined {
  return resolved.ok ? resolved.value.secrets.get(pointer)?.bytes.toString('latin1') : undefined
}

function codesOf(resolved: Resolved): readonly string[] {
  return resolved.ok ? [] : resolved.error.map(({ code, pointer }) => `${code} ${pointer}`)
}

describe('an environment variable', () => {
  test.each([
    ['S3cret', 'S3cret'],
    [' with spaces ', ' with spaces '],
    ['tab\there', 'tab\there'],
    ['ends with a line end\n', 'ends with a line end'],
    ['ends with a line end\r\n', 'ends with a line end'],
    ['"quoted"\\', '"quoted"\\'],
  ])('with the value %j is the secret %j', async (value, secret) => {
    const resolved = await resolve([env('LANDFORM_TOKEN')], fromEnvironment({ LANDFORM_TOKEN: value }))
    expect(textAt(resolved)).toBe(secret)
  })

  test.each<[string, Environment, string]>([
    ['is not set', {}, 'secret/missing'],
    ['is not set, but a similar one is', { LANDFORM_TOKENS: 'x' }, 'secret/missing'],
    ['is empty', { LANDFORM_TOKEN: '' }, 'secret/missing'],
    ['is a line break', { LANDFORM_TOKEN: '\n' }, 'secret/malformed'],
    ['is a Windows line break', { LANDFORM_TOKEN: '\r\n' }, 'secret/malformed'],
    ['has a line break inside', { LANDFORM_TOKEN: 'a\nb' }, 'secret/malformed'],
    ['has two line breaks at the end', { LANDFORM_TOKEN: 'a\n\n' }, 'secret/malformed'],
    ['ends with a lone CR', { LANDFORM_TOKEN: 'a\r' }, 'secret/malformed'],
    ['has a NUL', { LANDFORM_TOKEN: 'a\0b' }, 'secret/malformed'],
    ['is far too long', { LANDFORM_TOKEN: 'x'.repeat(64 * 1024 + 1) }, 'secret/malformed'],
  ])('that %s is a problem', async (_what, environment, code) => {
    const resolved = await resolve([env('LANDFORM_TOKEN')], fromEnvironment(environment))
    expect(codesOf(resolved)).toEqual([`${code} ${at}`])
  })

  test('is read as UTF-8', async () => {
    const resolved = await resolve([env('LANDFORM_TOKEN')], fromEnvironment({ LANDFORM_TOKEN: 'ä🗺' }))
    expect(textAt(resolved)).toBe('\xc3\xa4\xf0\x9f\x97\xba')
  })
})

describe('a file', () => {
  test.each([
    ['bytes that are not UTF-8', new Uint8Array([0x61, 0xff, 0x31])],
    ['a byte order mark, which editors hide', new Uint8Array([0xef, 0xbb, 0xbf, 0x61, 0x31])],
  ])('with %s is rejected, since no one could sign in with it', async (_what, content) => {
    const source = {
      ...secretSource({}, '/nowhere'),
      file: async () => ({ kind: 'read', bytes: Buffer.from(content) }) as const,
    }
    const wanted = {
      kind: 'secret',
      pointer: '/spec/site/token',
      reference: { file: 'secrets/token' },
    } as const
    expect(codesOf(await resolve([wanted], source))).toEqual(['secret/malformed /spec/site/token'])
  })

  test.each<[string, string | Uint8Array, string]>([
    ['no line break', 'S3cret', 'S3cret'],
    ['a line break at the end', 'S3cret\n', 'S3cret'],
    ['a Windows line break at the end', 'S3cret\r\n', 'S3cret'],
    ['the maximum size', 'x'.repeat(64 * 1024), 'x'.repeat(64 * 1024)],
  ])('with %s is the secret', async (_what, content, secret) => {
    const folder = await temporaryFolder()
    await mkdir(join(folder, 'secrets'))
    await writeFile(join(folder, 'secrets', 'token'), content)
    const resolved = await resolve([file('secrets/token')], secretSource({}, folder))
    expect(textAt(resolved)).toBe(secret)
  })

  test.each<[string, string]>([
    ['two line breaks', 'S3cret\n\n'],
    ['a line break inside', 'S3\ncret'],
    ['a lone CR', 'S3\rcret'],
    ['a NUL', 'S3\0cret'],
    ['only a line break', '\n'],
    ['nothing', ''],
    ['more than the maximum', 'x'.repeat(64 * 1024 + 1)],
  ])('with %s cannot be used', async (_what, content) => {
    const folder = await temporaryFolder()
    await writeFile(join(folder, 'token'), content)
    const resolved = await resolve([file('token')], secretSource({}, folder))
    expect(codesOf(resolved)).toEqual([`secret/malformed ${at}`])
  })

  test.each<[string, (folder: string) => Promise<unknown>, string, string]>([
    ['does not exist', async () => undefined, 'token', 'missing'],
    ['is in a folder that does not exist', async () => undefined, 'secrets/token', 'missing'],
    ['is below a file', folder => writeFile(join(folder, 'a'), 'x'), 'a/token', 'missing'],
    ['is a broken link', folder => symlink('nothing', join(folder, 'token')), 'token', 'missing'],
    ['is a folder', folder => mkdir(join(folder, 'token')), 'token', 'unusable'],
    ['is the folder itself', async () => undefined, '.', 'unusable'],
    ['is a link to itself', folder => symlink('token', join(folder, 'token')), 'token', 'unusable'],
    ['is a link to a device', folder => symlink('/dev/zero', join(folder, 'token')), 'token', 'unusable'],
    ['is outside', folder => writeFile(join(folder, '..', 'outside'), 'x'), '../outside', 'unusable'],
    ['is a link that leads outside', linkOut('../outside'), 'token', 'unusable'],
    ['is behind a folder that is a link to outside', folderLinkOut, 'linked/outside', 'unusable'],
    [
      'is in a folder whose name begins with the same text',
      async folder => {
        await mkdir(`${folder}-other`)
        await writeFile(join(`${folder}-other`, 'token'), 'x')
      },
      '../inner-other/token',
      'unusable',
    ],
    ['has a name that is too long', async () => undefined, 'x'.repeat(300), 'missing or unusable'],
  ])('that %s is rejected as a secret and as a license', async (_what, prepare, path, kind) => {
    const folder = join(await temporaryFolder(), 'inner')
    await mkdir(folder)
    await prepare(folder)
    const source = secretSource({}, folder)
    const [secret] = codesOf(await resolve([file(path)], source))
    const [licensed] = codesOf(await resolve([license(path)], source))
    const wanted = {
      missing: ['secret/missing', 'file/missing'],
      unusable: ['secret/malformed', 'file/unusable'],
      'missing or unusable': [
        expect.stringMatching(/^secret\/(?:missing|malformed)/),
        expect.stringMatching(/^file\/(?:missing|unusable)/),
      ],
    }[kind]
    expect([secret, licensed].map(text => text?.split(' ')[0])).toEqual(wanted)
  })

  test('that is a socket is not read', async () => {
    const folder = await temporaryFolder()
    const server = createServer()
    server.listen(join(folder, 'token'))
    await once(server, 'listening')
    const resolved = await resolve([file('token')], secretSource({}, folder))
    server.close()
    await once(server, 'close')
    expect(codesOf(resolved)).toEqual([`secret/malformed ${at}`])
  })

  test('with an absolute path is looked for only below the folder', async () => {
    const folder = await temporaryFolder()
    await writeFile(join(folder, 'token'), 'S3cret')
    const resolved = await resolve([file(join(folder, 'token'))], secretSource({}, folder))
    expect(codesOf(resolved)).toEqual([`secret/missing ${at}`])
  })

  test("may be a link, and so may its folder, as long as everything is below the manifest's folder", async () => {
    const outer = await temporaryFolder()
    await mkdir(join(outer, 'real', 'secrets', '..data'), { recursive: true })
    await writeFile(join(outer, 'real', 'secrets', '..data', 'token'), 'S3cret\n')
    await symlink('..data/token', join(outer, 'real', 'secrets', 'token'))
    await symlink('real', join(outer, 'linked'))
    const resolved = await resolve([file('secrets/token')], secretSource({}, join(outer, 'linked')))
    expect(textAt(resolved)).toBe('S3cret')
  })

  test('in a missing folder is missing', async () => {
    const folder = join(await temporaryFolder(), 'nothing')
    expect(codesOf(await resolve([file('token')], secretSource({}, folder)))).toEqual([
      `secret/missing ${at}`,
    ])
  })
})

describe('a license file', () => {
  test('is read byte for byte, including line breaks and NULs', async () => {
    const folder = await temporaryFolder()
    await writeFile(join(folder, 'site.json'), Buffer.from('a\0b\r\n\n'))
    const resolved = await resolve([license('site.json')], secretSource({}, folder))
    expect(textAt(resolved, licenseAt)).toBe('a\0b\r\n\n')
  })

  test('may be larger than a secret, but has a limit', async () => {
    const folder = await temporaryFolder()
    const source = secretSource({}, folder)
    await writeFile(join(folder, 'site.json'), 'x'.repeat(64 * 1024 + 1))
    expect((await resolve([license('site.json')], source)).ok).toBe(true)
    // A sparse file of that size: it takes no space.
    await truncate(join(folder, 'site.json'), 64 * 1024 * 1024 + 1)
    expect(codesOf(await resolve([license('site.json')], source))).toEqual([`file/unusable ${licenseAt}`])
  })

  test('that is empty cannot be used', async () => {
    const folder = await temporaryFolder()
    await writeFile(join(folder, 'site.json'), '')
    const resolved = await resolve([license('site.json')], secretSource({}, folder))
    expect(codesOf(resolved)).toEqual([`file/unusable ${licenseAt}`])
  })
})

describe('the password', () => {
  const given = (password: string) =>
    resolve([env('LANDFORM_P', passwordAt)], fromEnvironment({ LANDFORM_P: password }))

  test.each([
    'abcdefg1',
    'A1      ',
    '1234567Z',
    'pässwörd1',
    'ä🗺🗺🗺🗺🗺a1',
    '1@#$%^&*()aB',
    'a'.repeat(999).concat('9'),
  ])('%j follows the rules', async password => {
    expect((await given(password)).ok).toBe(true)
  })

  test.each([
    ['abcde1', 'the 8 characters'],
    ['abcdef1', 'the 8 characters'],
    // Seven characters, but more than eight bytes.
    ['äöüäöa1', 'the 8 characters'],
    ['🗺🗺🗺🗺🗺a1', 'the 8 characters'],
    ['12345678', 'a letter'],
    ['ÄÖÜäöü12', 'a letter'],
    ['ａｂｃｄ１２３1', 'a letter'],
    ['@[`{1111', 'a letter'],
    ['abcdefgh', 'a digit'],
    ['abcdefg１', 'a digit'],
    ['abcdefg/:', 'a digit'],
  ])('%j lacks %s', async (password, lack) => {
    const resolved = await given(password)
    expect(codesOf(resolved)).toEqual([`administrator/password ${passwordAt}`])
    expect(resolved.ok ? '' : resolved.error[0]?.message).toContain(lack)
  })

  test.each([
    ['Correcthorse1', ['administrator/password-plain']],
    ['Correct-horse1', []],
    ['Correct horse1', []],
    ['Kœnigin1', ['administrator/password-not-ascii']],
  ])('%j causes a warning that a server may reject or change it', async (password, codes) => {
    const resolved = await given(password)
    expect(resolved.ok && resolved.value.warnings.map(({ code }) => code)).toEqual(codes)
  })

  test('that lacks everything is reported once', async () => {
    const resolved = await given('...')
    const message = resolved.ok ? '' : resolved.error[0]?.message
    expect(message).toMatch(/8 characters.*a letter.*a digit/)
  })

  test('is the only secret with these rules: a token may be short', async () => {
    expect((await resolve([env('LANDFORM_T')], fromEnvironment({ LANDFORM_T: 'x' }))).ok).toBe(true)
  })
})

test('the URL of a database may be a secret, but a placeholder may not', async () => {
  const wanted = { ...env('LANDFORM_DATABASE_URL', '/--database'), form: 'address' } as NeededReference
  const codesWith = async (text: string) =>
    codesOf(await resolve([wanted], secretSource({ LANDFORM_DATABASE_URL: text }, '.')))
  expect(await codesWith('postgres://gis:sunflower@127.0.0.1:5432/gis')).toEqual([])
  expect(await codesWith('{{ databaseUrl }}')).toEqual(['secret/malformed /--database'])
})

describe('a license', () => {
  test.each([
    ['{"a":1}', []],
    ['\ufeff \r\n{}\n', []],
    ['#Features\nINCREMENT x', ['license/not-json']],
    ['<!doctype html>', ['file/unusable']],
    ['{"error": {"code": 498}}', ['file/unusable']],
    ['{"data": "ENC[AES256_GCM,data:YQ==]", "sops": {}}', ['file/unusable']],
    ['version https://git-lfs.github.com/spec/v1', ['file/unusable']],
    ['{"cut":', ['license/not-json']],
    ['[1]', ['license/not-json']],
    ['}', ['license/not-json']],
    ['\n', ['license/not-json']],
  ])(
    '%j causes a warning if it is not a JSON object, and is rejected if it is foreign content',
    async (text, codes) => {
      const folder = await temporaryFolder()
      await writeFile(join(folder, 'site.json'), text)
      const resolved = await resolve([license('site.json')], secretSource({}, folder))
      const found = resolved.ok ? resolved.value.warnings : resolved.error
      expect(found.map(({ code }) => code)).toEqual(codes)
      expect(resolved.ok).toBe(!codes.includes('file/unusable'))
    },
  )
})

describe('all problems', () => {
  test('are reported together, in the order of the references, the password last', async () => {
    const folder = await temporaryFolder()
    await writeFile(join(folder, 'two-lines'), 'a\nb')
    const wanted = [
      env('LANDFORM_P', passwordAt),
      env('LANDFORM_GONE', '/spec/administrator/securityQuestion/answer'),
      file('two-lines', '/spec/cloudStorage/0/credential/secret/secretKey'),
      file('gone', '/spec/cloudStorage/0/credential/secret/accessKey'),
      license('site.json'),
    ]
    const resolved = await resolve(wanted, secretSource({ LANDFORM_P: 'short' }, folder))
    expect(codesOf(resolved)).toEqual([
      'secret/missing /spec/administrator/securityQuestion/answer',
      'secret/malformed /spec/cloudStorage/0/credential/secret/secretKey',
      'secret/missing /spec/cloudStorage/0/credential/secret/accessKey',
      'file/missing /spec/license/file',
      'administrator/password /spec/administrator/password',
    ])
  })

  test('name the variable or the file, but neither a value nor its length', async () => {
    const folder = await temporaryFolder()
    const value = `V4lue${'q'.repeat(4711)}`
    await writeFile(join(folder, 'two-lines'), `${value}\nb`)
    await writeFile(join(folder, 'large'), `${value}${'q'.repeat(66_999)}`)
    const wanted = [
      env('LANDFORM_P', passwordAt),
      env('LANDFORM_B'),
      file('two-lines', '/spec/cloudStorage/0/credential/secret/secretKey'),
      file('large', '/spec/cloudStorage/0/credential/secret/accessKey'),
    ]
    const source = secretSource({ LANDFORM_P: `V4lue${'!'.repeat(2)}`, LANDFORM_B: `${value}\0` }, folder)
    const resolved = await resolve(wanted, source)
    const diagnostics: readonly Diagnostic[] = resolved.ok ? [] : resolved.error
    expect(diagnostics.length).toBe(4)
    const text = JSON.stringify(diagnostics)
    expect(text).toContain('LANDFORM_B')
    expect(text).toContain('two-lines')
    expect(text).not.toMatch(/V4lue|qq|!!|4716|4717|4718|71715/)
    expect(diagnostics.find(({ code }) => code === 'administrator/password')?.message).not.toMatch(/\b7\b/)
  })
})

describe('a resolution', () => {
  /** A source that keeps its buffers, so that the test can check that they are wiped. */
  function watched(contents: Readonly<Record<string, string>>): {
    readonly source: SecretSource
    readonly buffers: readonly Buffer[]
  } {
    const buffers: Buffer[] = []
    const read = async ({ path }: FileAt): Promise<FileReply> => {
      const content = contents[path]
      if (content === undefined) return { kind: 'missing' }
      const bytes = Buffer.from(content)
      buffers.push(bytes)
      return { kind: 'read', bytes }
    }
    return { source: { ...secretSource({}, '/nowhere'), file: read }, buffers }
  }

  const isWiped = (bytes: Buffer) => bytes.every(byte => byte === 0 || byte === 0x0a)

  test('that fails wipes everything that it read, valid or not', async () => {
    const { source, buffers } = watched({
      good: 'S3cret\n',
      bad: 'two\nlines',
      password: 'short',
      license: 'L',
    })
    const resolved = await resolve(
      [
        file('good'),
        file('bad', '/spec/administrator/securityQuestion/answer'),
        file('password', passwordAt),
        license('license'),
        file('gone', '/spec/cloudStorage/0/credential/secret/accessKey'),
      ],
      source,
    )
    expect(resolved.ok).toBe(false)
    expect(buffers.length).toBe(4)
    expect(buffers.filter(bytes => !isWiped(bytes))).toEqual([])
  })

  test('that succeeds keeps its secrets until they are wiped', async () => {
    const { source, buffers } = watched({ good: 'S3cret', license: 'L' })
    const resolved = await resolve([file('good'), license('license')], source)
    if (!resolved.ok) throw new Error('not resolved')
    expect(buffers.map(String)).toEqual(['S3cret', 'L'])
    wipeAll(resolved.value.secrets)
    expect(buffers.filter(bytes => !isWiped(bytes))).toEqual([])
  })

  test('of no references is empty', async () => {
    expect(await resolve([], fromEnvironment({}))).toEqual({
      ok: true,
      value: { secrets: new Map(), warnings: [] },
    })
  })
})

describe('a rehearsal', () => {
  const counting = () => {
    let count = 0
    return () => {
      count += 1
      return `x${count}`
    }
  }

  test('has substitutes for everything that is missing, which follow the password rules', async () => {
    const wanted = listConfigureReferences(
      anOrganization({ license: { file: 'gone.json', serverFile: 'gone.ecp' } }),
    )
    const source = rehearsalSource(secretSource({ LANDFORM_ADMIN_PASSWORD: '' }, '/nowhere'), counting())
    const resolved = await resolve([...wanted, ...listUpdateReferences({ file: 'gone' })], source)
    if (!resolved.ok) throw new Error('not resolved')
    const texts = [...resolved.value.secrets.values()].map(({ bytes }) => bytes.toString())
    expect(texts.length).toBe(5)
    expect(new Set(texts).size).toBe(5)
    for (const text of texts) expect(text).toMatch(/^(?=.*[A-Za-z])(?=.*\d).{8,}$/)
  })

  test('uses existing secrets', async () => {
    const source = rehearsalSource(fromEnvironment({ LANDFORM_TOKEN: 'real' }), counting())
    expect(textAt(await resolve([env('LANDFORM_TOKEN')], source))).toBe('real')
  })

  test('still rejects existing files and variables that are unusable', async () => {
    const folder = await temporaryFolder()
    await mkdir(join(folder, 'license'))
    const source = rehearsalSource(secretSource({ LANDFORM_TOKEN: 'a\nb' }, folder), counting())
    const resolved = await resolve([env('LANDFORM_TOKEN'), license('license')], source)
    expect(codesOf(resolved)).toEqual([`secret/malformed ${at}`, `file/unusable ${licenseAt}`])
  })
})

describe('the references', () => {
  test('for configure are all of the organization, and its license files', () => {
    const organization = anOrganization({
      license: { file: 'a.json', serverFile: 'b.ecp' },
      cloudStorage: [
        {
          name: 'one',
          credential: { type: 'MANAGED-IDENTITY', secret: { storageAccountName: 'plain' } },
          cloudServices: [{ name: 's', connection: {} }],
        },
        {
          name: 'two',
          credential: {
            type: 'STORAGE-ACCOUNT-KEY',
            secret: { storageAccountName: { env: 'LANDFORM_N' }, storageAccountKey: { file: 'k' } },
          },
          cloudServices: [{ name: 's', connection: {} }],
        },
      ],
    })
    const wanted = listConfigureReferences(organization)
    expect(new Set(wanted.map(({ pointer }) => pointer))).toEqual(
      new Set([
        '/spec/administrator/password',
        '/spec/administrator/securityQuestion/answer',
        '/spec/cloudStorage/1/credential/secret/storageAccountName',
        '/spec/cloudStorage/1/credential/secret/storageAccountKey',
        '/spec/license/file',
        '/spec/license/serverFile',
      ]),
    )
    expect(wanted.length).toBe(6)
    expect(listLicenseFiles(organization).map(({ path }) => path)).toEqual(['a.json', 'b.ecp'])
  })

  test('for update are the token, if the manifest has one', () => {
    expect(listUpdateReferences(undefined)).toEqual([])
    expect(listUpdateReferences({ env: 'LANDFORM_T' })).toEqual([env('LANDFORM_T')])
  })
})

function linkOut(target: string) {
  return async (folder: string) => {
    await writeFile(join(folder, '..', 'outside'), 'x')
    await symlink(target, join(folder, 'token'))
  }
}

async function folderLinkOut(folder: string) {
  await writeFile(join(folder, '..', 'outside'), 'x')
  await symlink('..', join(folder, 'linked'))
}

describe('a license to be sent', () => {
  const megabyte = 1024 * 1024

  async function resolved(content: string, length: number) {
    const folder = await temporaryFolder()
    await writeFile(join(folder, 'license.json'), content)
    await truncate(join(folder, 'license.json'), length)
    const reply = await resolveToSend([license('license.json')], secretSource({}, folder))
    if (reply.ok) wipeAll(reply.value.secrets)
    return reply
  }

  test('is read into memory up to four megabytes, and opened above that', async () => {
    const small = await resolved('{', 4 * megabyte)
    const large = await resolved('{', 4 * megabyte + 1)
    expect(small.ok && small.value.secrets.get(licenseAt)).toBeInstanceOf(Secret)
    expect(large.ok && large.value.secrets.get(licenseAt)).toBeInstanceOf(SecretFile)
  })

  test('is too large above 64 megabytes', async () => {
    const reply = await resolved('{', 64 * megabyte + 1)
    expect(reply.ok ? [] : reply.error.map(({ code }) => code)).toEqual(['file/unusable'])
  })

  test.each([
    [' {', '} \n', []],
    ['\ufeff{', '}', []],
    ['[', ']', ['license/not-json']],
    ['{', '', ['license/not-json']],
  ])('that begins with %j and ends with %j is checked for JSON', async (first, last, expected) => {
    const folder = await temporaryFolder()
    await writeFile(join(folder, 'license.json'), `${first}${' '.repeat(5 * megabyte)}${last}`)
    const reply = await resolveToSend([license('license.json')], secretSource({}, folder))
    expect(reply.ok && reply.value.warnings.map(({ code }) => code)).toEqual(expected)
    if (reply.ok) wipeAll(reply.value.secrets)
  })

  test('is complete from a source that opens no files', async () => {
    const bytes = Buffer.from('{}')
    const reply = await resolveToSend([license('a.json')], {
      ...secretSource({}, '/nowhere'),
      file: async () => ({ kind: 'read', bytes }),
    })
    expect(reply.ok && reply.value.secrets.get(licenseAt)).toBeInstanceOf(Secret)
  })
})

import fs, { mkdirSync, writeFileSync } from 'node:fs'
import { syncBuiltinESMExports } from 'node:module'
import { join } from 'node:path'
import { run } from '../../src/cli/run.js'
import { quickstartFolder } from '../support/example-copy.js'
import { fakeHost } from '../support/fake-host.js'
import { someSecrets } from '../support/some-secrets.js'

const calls = [
  'realpathSync',
  'statSync',
  'lstatSync',
  'readdirSync',
  'openSync',
  'readSync',
  'fstatSync',
] as const

/** Fails the file system call with this number on a file of the folder, as a sandbox does; returns the number of calls. */
async function whileRejecting(
  {
    name,
    at,
    code,
    folder,
  }: {
    readonly name: (typeof calls)[number]
    readonly at: number
    readonly code: string
    readonly folder: string
  },
  work: () => Promise<void>,
): Promise<number> {
  const real = fs[name]
  let count = 0
  const replaced = (...args: readonly unknown[]) => {
    const [path] = args
    if (typeof path !== 'string' || !path.startsWith(folder)) return Reflect.apply(real, fs, args)
    count += 1
    if (count !== at) return Reflect.apply(real, fs, args)
    throw Object.assign(new Error(`${code}: rejected`), { code, errno: -1, syscall: 'lstat', path })
  }
  Reflect.set(fs, name, Object.assign(replaced, real))
  syncBuiltinESMExports()
  try {
    await work()
  } finally {
    Reflect.set(fs, name, real)
    syncBuiltinESMExports()
  }
  return count
}

const policy = `apiVersion: landform.dev/v1
kind: SitePolicy
rules: [{ name: a, require: { metadata.name: { exists: true } } }]
`
const test1 = `apiVersion: landform.dev/v1
kind: SiteTest
manifest: site.yaml
tests: [{ name: a, expect: { exitCode: 0 } }]
`

test.each<[string, (folder: string) => readonly string[]]>([
  ['validate', folder => ['validate', join(folder, 'over/site.yaml')]],
  ['validate, for a folder', folder => ['validate', folder]],
  ['render', folder => ['render', join(folder, 'over/site.yaml')]],
  ['test', folder => ['test', join(folder, 'site.test.yaml')]],
  ['plan', folder => ['plan', '--emulate', join(folder, 'over/site.yaml')]],
  ['plan, for many sites', folder => ['plan', '--emulate', folder]],
])(
  'a system call that is denied is reported as a problem of the file, never as an internal error: %s',
  async (_, words) => {
    const folder = await quickstartFolder({
      'over/site.yaml': 'extends: ../site.yaml\n',
      'landform.policy.yaml': policy,
      'site.test.yaml': test1,
    })
    mkdirSync(join(folder, '.git'))
    writeFileSync(join(folder, 'empty.yaml'), 'extends: site.yaml\n')
    const said: string[] = []
    const exitCodes = new Set<number>()
    for (const name of calls)
      for (const code of ['EACCES', 'EPERM', 'ENOSYS'])
        for (let at = 1, count = 1; at <= count; at += 1) {
          const host = fakeHost({ environment: someSecrets })
          count = await whileRejecting({ name, at, code, folder }, async () => {
            exitCodes.add(await run(words(folder), host))
          })
          said.push(host.screen())
        }
    expect(exitCodes).not.toContain(70)
    expect(exitCodes).toContain(66)
    expect(said.filter(text => text.includes('internal error'))).toEqual([])
    const named = said.find(text => text.includes('(ENOSYS)')) ?? ''
    expect(named).toContain(`could not read ${folder}`)
    expect(named).toContain('let this user, or the sandbox that it runs in, read it')
  },
)

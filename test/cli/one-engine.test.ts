import { createHash } from 'node:crypto'
import { cpSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import type { Emulator } from '../../src/emulator/emulated-site.js'
import { anEmulator } from '../support/emulator.js'
import { landform } from '../support/landform.js'
import { root, withoutState } from '../support/manifests.js'
import { someSecrets } from '../support/some-secrets.js'
import { tap } from '../support/tapped.js'
import { temporaryFolder } from '../support/temporary-folder.js'

let emulator: Emulator | undefined
const secrets: Readonly<Record<string, string>> = {
  ...someSecrets,
  LANDFORM_S3_ACCESS_KEY: 'access-key-of-the-test',
  LANDFORM_HMAC_ACCESS_KEY: 'hmac-key-of-the-test',
  LANDFORM_HMAC_SECRET_KEY: 'hmac-secret-of-the-test',
  LANDFORM_STORAGE_ACCOUNT_KEY: 'account-key-of-the-test',
}
const fileSecret = 'secret-key-in-a-file'

const examples = readdirSync(join(root, 'examples'), { recursive: true, encoding: 'utf8' }).filter(name =>
  /^[\w.-]+\.yaml$|^environments\/.*site\.yaml$/.test(name),
)

/** Saves and performs a plan of an example; returns the actions in the plan and the requests that the site received. */
async function performed(example: string) {
  const folder = await temporaryFolder()
  cpSync('examples', folder, { recursive: true })
  mkdirSync(join(folder, '.git'))
  mkdirSync(join(folder, 'secrets'))
  writeFileSync(join(folder, 'secrets/s3-secret-key'), fileSecret)
  // The policy allows only the sites of its team.
  rmSync(join(folder, 'environments/landform.policy.yaml'), { force: true })
  const file = join(folder, example)
  const { inspect, requests } = tap()
  emulator = await anEmulator({ stageMs: 1, inspect })
  const base = join(folder, 'environments/base.yaml')
  writeFileSync(base, withoutState(readFileSync(base, 'utf8')))
  writeFileSync(
    file,
    withoutState(readFileSync(file, 'utf8')).replace(/https:\/\/gis[^ ]*\/admin/, emulator.url),
  )
  const plan = join(folder, 'plan.json')
  const run = async (...args: readonly string[]) => {
    const ended = await landform(args, { environment: secrets })
    expect({ args, ...ended, out: '' }).toMatchObject({ args, exitCode: 0 })
    return ended.out
  }
  await run('plan', file, '--out', plan)
  const document = JSON.parse(readFileSync(plan, 'utf8'))
  const wire = await run('render', file, '--wire')
  await run('apply', plan)
  // The license check changes nothing, and no plan lists it.
  const sent = requests.filter(({ method, path }) => method !== 'GET' && !path.endsWith('/validateLicense'))
  return { folder: dirname(file), actions: document.actions, wire, sent }
}

const text = (bytes: Uint8Array) => Buffer.from(bytes).toString()
const valuesOf = (parts: Awaited<ReturnType<typeof performed>>['sent'][number]['parts']) =>
  Object.fromEntries(parts.map(part => [part.name, part.kind === 'text' ? part.text : text(part.bytes)]))

/** Replaces references to secrets by their values. */
function resolved(value: unknown): unknown {
  if (typeof value !== 'object' || value === null) return value
  if (Array.isArray(value)) return value.map(resolved)
  const { env, file } = value as { readonly env?: string; readonly file?: string }
  if (env !== undefined) return secrets[env]
  if (file !== undefined) return fileSecret
  return Object.fromEntries(Object.entries(value).map(([key, member]) => [key, resolved(member)]))
}

/** Parses the values that are JSON, and leaves all others as they are. */
const meanings = (values: Readonly<Record<string, string>>) =>
  Object.fromEntries(
    Object.entries(values).map(([name, value]) => [name, /^[[{]/.test(value) ? JSON.parse(value) : value]),
  )

const plainKeys = (value: unknown): unknown =>
  JSON.parse(
    JSON.stringify(value).replace(
      /"(\w+)":/g,
      (_, key: string) => `"${key.replaceAll('_', '').toLowerCase()}":`,
    ),
  )

test.each(examples)(
  'the requests for %s are those in its saved plan and in the output of render --wire',
  async example => {
    const { folder, actions, wire, sent } = await performed(example)
    const doing = actions.filter(({ change }: { readonly change: string }) => change !== 'no-op')
    expect(sent.map(({ operation }) => operation)).toEqual(
      doing.map(({ operation }: { readonly operation: string }) => operation),
    )
    const [configure = {}, update] = sent.map(({ parts }) => valuesOf(parts))
    const [{ organization, licenses }, policy] = actions
    const { administrator, volumes, cloudStorage, profile, logLevel, systemProperties, dataStores } =
      organization
    expect(configure).toMatchObject({
      username: administrator.username,
      password: resolved(administrator.password),
      email: administrator.email,
      fullName: administrator.fullName,
      securityQuestionAns: resolved(administrator.securityQuestion.answer),
      userLicenseTypeId: administrator.userType,
    })
    const digest = (value = '') => `sha256:${createHash('sha256').update(value).digest('hex')}`
    const sentFiles = [configure['licenseFile'], configure['serverLicenseFile']].filter(
      file => file !== undefined,
    )
    expect(sentFiles.map(digest).sort()).toEqual(Object.values(licenses).sort())
    const told = (name: string) => (configure[name] === undefined ? undefined : JSON.parse(configure[name]))
    const entries = told('volumesConfig').volumesConfig as { readonly component: string }[]
    expect(Object.fromEntries(entries.map(({ component, ...volume }) => [component, volume]))).toMatchObject(
      volumes,
    )
    expect(plainKeys({ sent: told('cloudConfig') })).toMatchObject(
      plainKeys({ sent: resolved(cloudStorage) }) as Record<string, unknown>,
    )
    expect([told('systemArchitectureProfile')?.name, told('logSettings')?.logLevel]).toEqual([
      profile,
      logLevel,
    ])
    expect([told('systemProperties'), told('userManagedStores')]).toEqual([systemProperties, dataStores])
    if (update !== undefined) {
      expect(JSON.parse(update['upgradeConfig'] ?? '')).toEqual(policy.upgradeConfig)
      expect(update['token']).toBe(resolved(policy.token))
    }

    const shown = wire
      .replace(/\[secret from the file [^\]]*\]/g, fileSecret)
      .replace(/\[secret from (\w+)\]/g, (_, name: string) => secrets[name] ?? '')
      .split(/^POST .*\n/m)
      .slice(1)
      .map(request =>
        Object.fromEntries(
          request
            .split('\n')
            .slice(2)
            .filter(Boolean)
            .map(line => {
              const [name = '', ...rest] = line.split(': ')
              const value = rest.join(': ')
              const path = /^\[the file (.*)\]$/.exec(value)?.[1]
              return [name, path === undefined ? value : readLicense(folder, path)]
            }),
        ),
      )
    // The keys of JSON have another order in a saved plan, which does not matter.
    expect(shown.map(meanings)).toEqual(sent.map(({ parts }) => meanings(valuesOf(parts))))
  },
)

/** Reads a license; its path is relative to the file that names it, which may be a base. */
function readLicense(folder: string, path: string): string {
  for (const from of [folder, dirname(folder)])
    try {
      return readFileSync(join(from, path), 'utf8')
    } catch {}
  throw new Error(`no file ${path}`)
}

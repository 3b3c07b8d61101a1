import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { root } from '../../../support/manifests.js'
import { container } from './place.js'
import type { Scene } from './scene.js'

/** Runs every command that uses or names a secret, with every format. */
export async function commands(scene: Scene): Promise<void> {
  const { place, front, ledger, run } = scene
  const { folder, control, canaries } = place
  const out = join(folder, 'out')
  mkdirSync(out)
  const site = place.write('site.yaml', { url: front.url, token: scene.reference('token') })
  const expect = async (codes: readonly number[], ...words: readonly string[]) => {
    const code = await run(words)
    if (!codes.includes(code)) scene.report(`${words.join(' ')} ended with ${code}`)
  }
  const formats = (of: string, ...names: readonly string[]) => [
    '--format',
    'text',
    ...names.flatMap(name => ['--format', `${name}=${join(out, `${of} as ${name}`)}`]),
  ]
  const written = (name: string) => {
    const file = join(out, name)
    if (existsSync(file)) ledger.see(name, readFileSync(file))
    else scene.report(`nothing was written: ${name}`)
  }
  await expect([0], 'validate', '--check-secrets', site)
  // A secret instead of a reference is a mistake, and no report may quote it.
  const wrong = place.write(
    `wrong-${control.value}.yaml`,
    { url: front.url, token: canaries.token },
    misplaced(canaries),
  )
  const findings = ['json', 'sarif', 'github', 'gitlab']
  await expect([65], 'validate', wrong, ...formats('findings', ...findings))
  await expect([0], 'render', site)
  await expect([0], 'render', site, '--format', 'json')
  await expect([0], 'render', site, '--wire')
  await expect([0], 'render', site, '--origins')
  const plan = join(folder, 'plan.json')
  const signed = ['--out', plan, '--sign-key', place.option('signKey')]
  await expect([0], 'plan', site, '-v', ...signed, ...formats('plan', 'json', 'markdown', 'html', 'gitlab'))
  ledger.see('a saved plan', readFileSync(plan))
  await expect([0], 'show', plan, '-v', ...formats('shown plan', 'json', 'markdown', 'html', 'gitlab'))
  await expect(
    [0],
    'apply',
    plan,
    '--yes',
    '-v',
    '--events',
    join(out, 'events'),
    ...formats('receipt', 'json'),
  )
  await expect([0], 'apply', site, '--yes', '--progress', 'json')
  await expect([0], 'status', site, '-v', ...formats('status', 'json'))
  await expect([0, 2], 'drift', site, '-v', ...formats('drift', 'json', 'markdown'))
  await expect([0], 'render', site, '--origins', 'spec.administrator')
  await expect([0], 'state', 'show', site, '-v', ...formats('state', 'json'))
  await expect([0], 'state', 'unlock', site)
  const key = ['--account-key', place.option('accountKey')]
  const to = `/${control.value}`
  await expect(
    [0],
    'export-site',
    site,
    '--location',
    to,
    ...container,
    ...key,
    '--yes',
    ...formats('export', 'json'),
  )
  const { host } = new URL(front.url)
  const service = `${control.value}.FeatureServer`
  await expect([0], 'webhooks', 'delete-all', service, site, '--confirm', `${service}@${host}`)
  writeFileSync(join(folder, 'site.test.yaml'), testsOf(control.value))
  await expect(
    [2],
    'test',
    join(folder, 'site.test.yaml'),
    '-v',
    ...formats('tests', 'json', 'junit', 'github'),
  )
  writeFileSync(join(folder, 'old.properties'), properties(scene))
  writeFileSync(join(folder, 'old.tfvars.json'), variables(scene))
  await expect(
    [0],
    'init',
    'new.yaml',
    '--from-properties',
    'old.properties',
    '--from-properties',
    'old.tfvars.json',
    '--service-version',
    '11.2',
    '--force',
  )
  ledger.see('a manifest made by init', readFileSync(join(folder, 'new.yaml')))
  for (const name of ['plan', 'apply']) await expect([64], name, site, '--password', 'x')
  const reports = {
    findings,
    plan: ['json', 'markdown', 'html'],
    'shown plan': ['json', 'markdown', 'html'],
    tests: ['json', 'junit', 'github'],
    drift: ['json', 'markdown'],
    receipt: ['json'],
    status: ['json'],
    state: ['json'],
    export: ['json'],
  }
  for (const [of, names] of Object.entries(reports)) for (const name of names) written(`${of} as ${name}`)
  written('events')
  ledger.seeFiles('state in files, with its journal and locks', join(folder, '.landform'))
  ledger.seeFiles(
    'everything beside the manifest',
    folder,
    path => place.isSource(path) || /wrong|\.properties|\.tfvars/.test(path),
  )
  for (const head of front.heads) ledger.see('addresses and headers of requests', head)
}

/** Builds manifest fields with literal secrets, which are not allowed. */
function misplaced({
  password,
  answer,
  secretKey,
  accessKey,
}: Scene['place']['canaries']): Readonly<Record<string, unknown>> {
  return {
    administrator: {
      username: 'siteadmin',
      password,
      email: 'admin@example.org',
      fullName: 'Site Administrator',
      userType: 'creatorUT',
      securityQuestion: { question: 'What is your dream job?', answer },
    },
    cloudStorage: [
      {
        name: 'AWS',
        credential: { type: 'ACCESS-KEY', secret: { secretKey, accessKey } },
        cloudServices: [],
      },
    ],
  }
}

/** Writes tests of the manifest; one fails, since failures are printed in full. */
function testsOf(control: string): string {
  return `apiVersion: landform.dev/v1
kind: SiteTest
manifest: site.yaml
tests:
  - name: ${control}
    expect: { requests: [{ operation: configure, parameters: { description: someone else } }, { operation: update }] }
`
}

/** Writes the property file of the vendor's script, with the secrets in clear. */
function properties({ place: { canaries, control } }: Scene): string {
  const example = readFileSync(join(root, 'test/migrate/configure.properties'), 'utf8')
  const quoted = (text: string) => `'${text.replaceAll("'", '')}'`
  return example
    .replace(/^ADMIN_PASSWORD=.*$/m, () => `ADMIN_PASSWORD=${quoted(canaries.password)}`)
    .replace(/^SECURITY_QUESTION_ANSWER=.*$/m, () => `SECURITY_QUESTION_ANSWER=${quoted(canaries.answer)}`)
    .replace(/^ADMIN_FIRST_NAME=.*$/m, () => `ADMIN_FIRST_NAME="${control.value}"`)
}

function variables({ place: { canaries, control } }: Scene): string {
  const { password, answer } = canaries
  const values = { admin_password: password, security_question_answer: answer, upgrade_token: canaries.token }
  return JSON.stringify({ ...values, admin_first_name: control.value })
}

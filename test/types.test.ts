import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Outcome } from '../src/apply/outcome.js'
import type { Reply } from '../src/client/failure.js'
import type { SiteReader } from '../src/client/site-client.js'
import type { DiagnosticCode } from '../src/diagnostics/diagnostic.js'
import type { Manifest } from '../src/manifest/manifest.js'
import type { Plan } from '../src/plan/plan.js'
import { words } from '../src/report/phrase.js'
import type { Secret } from '../src/secrets/secret.js'
import { root } from './support/manifests.js'

interface Given {
  readonly site: SiteReader
  readonly secret: Secret
  readonly manifest: Manifest
  readonly plan: Plan
  readonly outcome: Outcome
  readonly reply: Reply<string>
}

/** Compiled by `npm run check`, and never run: what stands below `@ts-expect-error` must not compile. */
function refused({ site, secret, manifest, plan, outcome, reply }: Given): readonly unknown[] {
  // @ts-expect-error A reader configures nothing.
  const configure = site.configure
  // @ts-expect-error A reader updates nothing.
  const update = site.update
  // @ts-expect-error A secret is no text.
  const text: string = secret
  // @ts-expect-error The bytes of a secret stay its own.
  secret.bytes = Buffer.from([])
  // @ts-expect-error A manifest names a secret and holds none.
  const password: typeof manifest.organization.administrator.password = 'hunter2'
  // @ts-expect-error A manifest is not changed.
  manifest.name = 'x'
  // @ts-expect-error The address of a site is not changed.
  manifest.site.url = 'x'
  // @ts-expect-error No component is without a volume.
  const volumes: typeof manifest.organization.volumes = {}
  // @ts-expect-error The actions of a plan are not changed.
  plan.actions.push()
  // @ts-expect-error What may not be there is not taken for there.
  const { operation } = plan.actions[0]
  // @ts-expect-error No code lacks a description.
  const code: DiagnosticCode = 'no/such'
  // @ts-expect-error A reply is tested before its value is read.
  const { value } = reply
  // @ts-expect-error The words of a phrase are spelled out, and no name is one of them.
  const name = words(manifest.name)
  // @ts-expect-error Nor in a hole of a template.
  const hole = words(`site ${manifest.name}`)
  switch (outcome.kind) {
    case 'done':
      break
    default:
      // @ts-expect-error No outcome is forgotten.
      outcome satisfies never
  }
  return [configure, update, text, password, volumes, operation, code, value, name, hole]
}

/** Files with a double assertion, each with its reason; Biome rejects `any` and non-null assertions. */
const doubleAssertions: Readonly<Record<string, string>> = {
  'src/manifest/load-manifest.ts': 'the compiled validator took it',
  'src/policy/load-policy.ts': 'the compiled validator took it',
  'src/manifest-tests/load-tests.ts': 'the compiled validator took it',
  'src/cli/emulator/emulator-options.ts': 'the compiled validator took it',
  'src/client/site-operator.ts': 'the compiled validator took it',
  'src/plan/saved/saved-plan.ts': 'its form was checked before',
  'src/state/intent-notes.ts': 'each field is checked before it is used',
  'src/apply/journal.ts': 'its keys are those of the record that it is made of',
  'src/client/read-settings.ts': 'each setting is read by the decoder of its name',
  'src/plan/observation.ts': 'each setting is built under its name',
  'src/plan/adoption.ts': 'it is complete, which was checked before',
  'src/client/message.ts': 'undici takes more kinds of bodies than it declares',
}

test('the guarantees of the types are compiled', () => {
  expect(refused).toHaveLength(1)
})

test('no source silences the compiler, and every double assertion has a reason', () => {
  const sources = readdirSync(join(root, 'src'), { recursive: true, encoding: 'utf8' })
    .filter(name => name.endsWith('.ts') && !name.includes('generated'))
    .map(name => join('src', name))
  const having = (pattern: RegExp) =>
    sources.filter(name => pattern.test(readFileSync(join(root, name), 'utf8')))
  expect(having(/^\s*\/[/*]\s*@ts-(?:ignore|expect-error|nocheck)/m)).toEqual([])
  expect(having(/^(?!\s*\/\/).*\bas unknown as\b/m).sort()).toEqual(Object.keys(doubleAssertions).sort())
})

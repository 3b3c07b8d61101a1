/** A few lines that must not compile, and the same lines without the mistake, which must. */
export interface Refused {
  readonly name: string
  readonly imports: string
  readonly wrong: string
  readonly right: string
  /** The number of the error. */
  readonly code: number
}

const reader =
  "import type { SiteReader } from 'landform-lib/client/site-client.js'\ndeclare const site: SiteReader\n"
const secret = "import type { Secret } from 'landform-src/secrets/secret.js'\ndeclare const secret: Secret\n"
const manifest =
  "import type { Manifest } from 'landform-lib/manifest/manifest.js'\ndeclare const manifest: Manifest\n"
const plan = "import type { Plan } from 'landform-lib/plan/plan.js'\ndeclare const plan: Plan\n"

/** What the types promise, each by its opposite. */
export const refused: readonly Refused[] = [
  {
    name: 'a reader configures nothing',
    imports: reader,
    wrong: 'site.configure',
    right: 'site.observe',
    code: 2339,
  },
  {
    name: 'a reader updates nothing',
    imports: reader,
    wrong: 'site.update',
    right: 'site.observe',
    code: 2339,
  },
  {
    name: 'a secret is no text',
    imports: secret,
    wrong: 'export const text: string = secret',
    right: 'export const text: string = secret.toString()',
    code: 2322,
  },
  {
    name: 'the bytes of a secret stay its own',
    imports: secret,
    wrong: 'secret.bytes = Buffer.from([])',
    right: 'secret.bytes.fill(0)',
    code: 2540,
  },
  {
    name: 'a manifest names a secret and holds none',
    imports: manifest,
    wrong: "export const s: typeof manifest.organization.administrator.password = 'hunter2'",
    right: "export const s: typeof manifest.organization.administrator.password = { env: 'LANDFORM_X' }",
    code: 2322,
  },
  {
    name: 'a manifest is not changed',
    imports: manifest,
    wrong: "manifest.name = 'x'",
    right: 'manifest.name.length',
    code: 2540,
  },
  {
    name: 'the address of a site is not changed',
    imports: manifest,
    wrong: "manifest.site.url = 'x'",
    right: 'manifest.site.url.length',
    code: 2540,
  },
  {
    name: 'no component is without a volume',
    imports: manifest,
    wrong: 'export const volumes: typeof manifest.organization.volumes = {}',
    right: 'export const volumes = manifest.organization.volumes',
    code: 2740,
  },
  {
    name: 'the actions of a plan are not changed',
    imports: plan,
    wrong: 'plan.actions.push()',
    right: 'plan.actions.length',
    code: 2339,
  },
  {
    name: 'what may not be there is not taken for there',
    imports: plan,
    wrong: 'plan.actions[0].operation',
    right: 'plan.actions[0]?.operation',
    code: 2532,
  },
  {
    name: 'a change has its own reasons only',
    imports: "import type { Action } from 'landform-lib/plan/plan.js'\n",
    wrong:
      "export const a = { operation: 'configure', change: 'no-op', reason: 'first-configuration' } as const satisfies Partial<Action>",
    right: "export const a = { operation: 'configure' } as const satisfies Partial<Action>",
    code: 2322,
  },
  {
    name: 'no ending is forgotten',
    imports: "import type { Outcome } from 'landform-lib/apply/outcome.js'\ndeclare const outcome: Outcome\n",
    wrong: "switch (outcome.kind) { case 'done': break; default: outcome satisfies never }",
    right: "switch (outcome.kind) { case 'done': break; default: outcome.kind.length }",
    code: 1360,
  },
  {
    name: 'a code that nobody described is none',
    imports: "import type { DiagnosticCode } from 'landform-lib/diagnostics/diagnostic.js'\n",
    wrong: "export const code: DiagnosticCode = 'no/such'",
    right: "export const code: DiagnosticCode = 'site/url'",
    code: 2322,
  },
  {
    name: 'a reply is looked at before its value',
    imports:
      "import type { Reply } from 'landform-lib/client/failure.js'\ndeclare const reply: Reply<string>\n",
    wrong: 'reply.value',
    right: 'reply.ok && reply.value',
    code: 2339,
  },
]

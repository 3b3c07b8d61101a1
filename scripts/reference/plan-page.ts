import { documentSchemas } from '../../src/schema/document-schemas.js'
import { planExample } from './example-plan.js'
import { formatNotice, formatTable } from './markdown.js'
import { listMembers } from './schema-rows.js'

/** Builds `docs/reference/plan.md`: the machine form of a plan, member by member. */
export async function buildPlanPage(root: string): Promise<string> {
  return [
    formatNotice('src/schema/documents/plan.ts'),
    '',
    '# The plan as JSON',
    '',
    '`landform plan --format json` prints the plan as JSON, and `--out plan.json` saves it, for `landform show` and',
    '`landform apply` ([schema](../../schemas/plan.schema.json)). A saved plan is data, not a command: `apply plan.json`',
    'observes the site again, plans again, and continues only if the `id` is the same. It contains references, never',
    'secrets.',
    '',
    ...formatTable(['member', 'type', '', 'meaning'], listMembers(documentSchemas.plan)),
    '',
    '`a[].b` is the member `b` of each element of `a`. An optional member may be missing, but is never null.',
    '',
    '## Example',
    '',
    'The plan of `examples/quickstart.yaml` for a site that is already being configured; the placement policy is set',
    'afterwards:',
    '',
    '```json',
    JSON.stringify(await planExample(root), null, 2),
    '```',
    '',
  ].join('\n')
}

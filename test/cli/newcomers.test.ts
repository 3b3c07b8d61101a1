import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { parse } from 'yaml'
import { wrapLines } from '../../src/report/terminal.js'
import { landform } from '../support/landform.js'
import { root } from '../support/manifests.js'
import { temporaryFolder } from '../support/temporary-folder.js'

/*
 * What newcomers get wrong, what is said of it, and the one step that leads to a valid file: `--fix`, or the edit that
 * the help names. `UPDATE_GOLDEN=1` writes the transcript anew.
 */
const folder = join(root, 'test', 'transcripts', 'newcomers')
const valid = `${readFileSync(join(folder, 'indentation.fixed.yaml'), 'utf8')}  profile: standard-availability\n`
const [head = '', volumes = ''] = valid.split(/(?<= {2}volumes:\n)/)
const names = [...volumes.matchAll(/^ {4}([A-Z_]+):/gm)].map(([, name = '']) => name)
const disk = '{ size: 64Gi, storageClass: gp3, labels: { arcgis/tier: storage, arcgis/app: gis } }'
const anchored = `${head}${names.map((name, index) => `    ${name}: ${index === 0 ? `&disk ${disk}` : '*disk'}\n`).join('')}`

interface Mistake {
  readonly title: string
  readonly before: string | Buffer
  /** What leads to the step; nothing is said of what works as it is. */
  readonly help?: string
  readonly step: 'fix' | 'none' | { readonly after: string }
}

const change = (from: string, to: string, text = valid) => text.replace(from, () => to)
const edit = { after: valid } as const

const mistakes: readonly Mistake[] = [
  { title: 'Tabs', before: change('    url', '\turl'), help: 'replace each tab with spaces', step: edit },
  {
    title: 'Wrong indentation',
    before: change('    version', '   version'),
    help: 'the indentation does not match the surrounding lines',
    step: edit,
  },
  { title: 'Wrong types', before: change('"11.2"', '11.2'), help: 'quote it: "11.2"', step: 'fix' },
  {
    title: 'A value that is not allowed',
    before: change('standard-availability', 'standart-availability'),
    help: 'did you mean `standard-availability`?',
    step: 'fix',
  },
  { title: 'Units', before: change('30Gi', '100GB'), help: 'write 100G', step: 'fix' },
  {
    title: 'A missing volume',
    before: valid.replace(/^ {4}QUEUE.*\n/m, ''),
    help: 'add QUEUE: { size: …, storageClass: … }',
    step: edit,
  },
  {
    title: 'A secret in the manifest',
    before: change('{ env: LANDFORM_ADMIN_PASSWORD }', 'Passw0rd-1'),
    help: 'write { env: LANDFORM_ADMIN_PASSWORD }',
    step: edit,
  },
  {
    title: 'A variable of the shell',
    before: change('admin@example.org', `\${ADMIN_EMAIL}`),
    help: 'Landform replaces no variables: write the value',
    step: edit,
  },
  {
    title: 'UTF-16',
    before: Buffer.from(`\ufeff${valid}`, 'utf16le'),
    help: 'iconv -f UTF-16 -t UTF-8',
    step: edit,
  },
  { title: 'Line ends of Windows', before: valid.replaceAll('\n', '\r\n'), step: 'none' },
  {
    title: 'A second document',
    before: `${valid}---\n${valid}`,
    help: 'put each manifest into its own file',
    step: edit,
  },
  { title: 'JSON', before: JSON.stringify(parse(valid), undefined, 2), step: 'none' },
  {
    title: 'The values of a chart',
    before: readFileSync(join(folder, 'helm-values.yaml'), 'utf8'),
    help: 'create a manifest with `landform init site.yaml`',
    step: { after: readFileSync(join(folder, 'helm-values.fixed.yaml'), 'utf8') },
  },
  {
    title: 'A name of the service API',
    before: change('userType', 'userLicenseTypeId'),
    help: 'in a manifest use `spec.administrator.userType`',
    step: edit,
  },
  {
    title: 'A mistake behind an anchor',
    before: change('64Gi', '64GB', anchored),
    help: 'this value is used by `RELATIONAL_PRIMARY`, `RELATIONAL_SECONDARY`',
    step: 'fix',
  },
  {
    title: 'A key that is written twice',
    before: `${valid}  profile: development\n`,
    help: 'first written here',
    step: edit,
  },
  {
    title: 'An unknown alias',
    before: change('QUEUE: *disk', 'QUEUE: *dsk', anchored),
    help: 'did you mean `*disk`?',
    step: { after: anchored },
  },
  {
    title: 'An unclosed bracket',
    before: change('arcgis/app: ozone } }', 'arcgis/app: ozone }'),
    help: 'close it with `}`',
    step: edit,
  },
  {
    title: 'The address of a page',
    before: change('/arcgis/admin', '/arcgis/manager'),
    help: 'write https://gis.example.org/arcgis/admin',
    step: edit,
  },
]

/** Runs a command in a folder, and formats what it printed. */
async function said(at: string, ...options: readonly string[]): Promise<string> {
  const { exitCode, out, err } = await landform(['validate', join(at, 'site.yaml'), ...options], {
    folder: at,
  })
  return `$ landform validate site.yaml${options.map(one => ` ${one}`).join('')}\n${wrapLines(err + out)}[exit ${exitCode}]`
}

async function play({ title, before, help, step }: Mistake): Promise<string> {
  const at = await temporaryFolder()
  writeFileSync(join(at, 'site.yaml'), before)
  const sessions = [await said(at)]
  if (help !== undefined) expect(sessions[0]?.replaceAll(/\s+/g, ' ')).toContain(help)
  if (step === 'fix') sessions.push(await said(at, '--fix'))
  else if (step !== 'none') {
    writeFileSync(join(at, 'site.yaml'), step.after)
    sessions.push(await said(at))
  }
  expect(sessions.at(-1)).toContain('1 file, 0 errors, 0 warnings\n[exit 0]')
  const way = { fix: 'With `--fix`:', none: 'It is valid as it is:' }
  const [first = '', second] = sessions.map(session => `\`\`\`console\n${session}\n\`\`\``)
  const words = typeof step === 'string' ? way[step] : 'With the edit that the help names:'
  return [`## ${title}`, ...(second === undefined ? [words, first] : [first, words, second])].join('\n\n')
}

test('each mistake of a newcomer leads to a valid file in one step', async () => {
  const parts: string[] = []
  for (const mistake of mistakes) parts.push(await play(mistake))
  const transcript = `# Nineteen mistakes of newcomers\n\n${parts.join('\n\n')}\n`
  const golden = join(folder, 'mistakes.md')
  expect(mistakes).toHaveLength(19)
  if (process.env['UPDATE_GOLDEN'] === '1') writeFileSync(golden, transcript)
  else expect(transcript).toBe(readFileSync(golden, 'utf8'))
})

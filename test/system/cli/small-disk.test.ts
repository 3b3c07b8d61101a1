import { execFile } from 'node:child_process'
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { anEmulator } from '../../support/emulator.js'
import { landformProgram } from '../../support/landform-program.js'
import { root } from '../../support/manifests.js'
import { runsHere } from '../../support/program.js'
import { someSecrets } from '../../support/some-secrets.js'
import { temporaryFolder } from '../../support/temporary-folder.js'
import { testWhere } from '../../support/test-where.js'

const golden = join(root, 'test/transcripts/walks/small-disk.md')
const inNamespace = ['unshare', '--map-root-user', '--mount'] as const
const mounts = await runsHere([...inNamespace, 'mount', '-t', 'tmpfs', '-o', 'size=16k', 'none', '/mnt'])

const newManifest =
  'landform init --name production --url https://gis.example.org/arcgis/admin --email admin@example.org --storage-class gp3 --yes'

/** The commands of the page, below its titles. Lines that start with two blanks are preparation, and not shown. */
const walk = [
  '# A full disk: nothing is left half written',
  newManifest,
  'find . -type f',
  '# With more room, the same command writes everything',
  '  mount -o remount,size=1m .',
  '  : >schemas/deployment.schema.json',
  newManifest,
  '# Full again: no plan, no report, and the manifest stays as it was',
  '  echo "{}" >licenses/site.json; sed -i /QUEUE:/,/labels/s/16Gi/16GI/ site.yaml; cp site.yaml ../before',
  '  dd if=/dev/zero of=fill bs=1k 2>../dd',
  'landform validate --fix site.yaml',
  'cmp site.yaml ../before',
  '  rm fill; sed -i /QUEUE:/,/labels/s/16GI/16Gi/ site.yaml; dd if=/dev/zero of=fill bs=1k 2>../dd',
  'landform plan site.yaml --url URL --out plan.json --format html=plan.html',
  'ls',
  '# A folder that is read-only',
  '  rm fill; mount -o remount,ro .',
  'landform init new.yaml --name test --url https://gis.example.org/arcgis/admin --email admin@example.org --storage-class gp3 --yes',
  'landform init sites/new.yaml --name test --url https://gis.example.org/arcgis/admin --email admin@example.org --storage-class gp3 --yes',
  'landform plan site.yaml --url URL --out plan.json --quiet',
]

testWhere(mounts, 'unshare, where users may mount')(
  'a failed write is reported with its path and reason, and leaves nothing behind',
  async () => {
    const folder = await temporaryFolder()
    const { url } = await anEmulator()
    const steps = walk.map(line => {
      if (line.startsWith('#')) return `echo '#${line}'; echo`
      if (line.startsWith('  ')) return line
      const quoted = `'${line}'`
      return `echo '\`\`\`console'; echo '$ '${quoted}; { ${line.replace('URL', url)}; } 2>&1; echo "[exit $?]"; echo '\`\`\`'; echo`
    })
    const script = [
      `landform() { '${process.execPath}' '${landformProgram}' "$@"; }`,
      'mkdir disk && mount -t tmpfs -o size=16k none disk && cd disk',
      ...steps,
    ].join('\n')
    const env = { PATH: process.env['PATH'], ...someSecrets }
    const [program, ...words] = [...inNamespace, 'bash', '--norc', '-c', script] as const
    const { stdout, stderr } = await promisify(execFile)(program, words, { cwd: folder, env })
    expect(stderr).toBe('')
    const said = `# On a disk that is too small\n\n${stdout.replaceAll(url, 'URL').trimEnd()}\n`
    if (process.env['UPDATE_GOLDEN'] === '1') writeFileSync(golden, said)
    expect(said).toBe(readFileSync(golden, 'utf8'))
  },
)

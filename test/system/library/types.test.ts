import { execFile } from 'node:child_process'
import { mkdirSync, symlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { root } from '../../support/manifests.js'
import { temporaryFolder } from '../../support/temporary-folder.js'

const options = {
  target: 'ES2023',
  module: 'NodeNext',
  types: ['node'],
  strict: true,
  exactOptionalPropertyTypes: true,
  noUncheckedIndexedAccess: true,
  verbatimModuleSyntax: true,
  skipLibCheck: false,
  noEmit: true,
}

/** Compiles a program that uses the package. Returns the errors. */
async function complaints(text: string): Promise<string> {
  const folder = await temporaryFolder()
  mkdirSync(join(folder, 'node_modules'))
  symlinkSync(root, join(folder, 'node_modules/landform'))
  symlinkSync(join(root, 'node_modules/@types'), join(folder, 'node_modules/@types'))
  writeFileSync(join(folder, 'package.json'), '{ "type": "module" }')
  writeFileSync(join(folder, 'tsconfig.json'), JSON.stringify({ compilerOptions: options }))
  writeFileSync(join(folder, 'consumer.ts'), text)
  return new Promise(resolve => {
    const tsc = join(root, 'node_modules/typescript/bin/tsc')
    execFile(process.execPath, [tsc, '-p', folder], (_, stdout) => resolve(stdout))
  })
}

const consumer = `import {
  type ApplyEvent, applySite, describeOutcome, describeProblem, fileBackend, planSite, type Receipt, type SitePorts,
} from 'landform'

const ports: SitePorts = { random: () => 0.5 }
const planned = await planSite({
  file: 'site.yaml', environment: { LANDFORM_TOKEN: 'x' }, state: fileBackend('state'), ports, signal: AbortSignal.timeout(9),
})
if (!planned.ok) {
  if (planned.error.kind === 'manifest')
    for (const { code, place } of planned.error.diagnostics) console.error(code, place?.start.line)
  throw new Error(describeProblem(planned.error))
}
const stream: AsyncGenerator<ApplyEvent, Receipt> = applySite(planned.value, { pollMs: 1000 })
for await (const event of stream)
  if (event.type === 'stream-finished') console.log(describeOutcome(event.outcome))
`

test('a strict TypeScript program compiles against the shipped types', async () => {
  expect(await complaints(consumer)).toBe('')
})

test('a program that does not check for a plan fails to compile', async () => {
  const careless = consumer.replace(/if \(!planned\.ok\) \{[\s\S]*?\n\}\n/, '')
  expect(await complaints(careless)).toMatch(/consumer\.ts\(\d+,\d+\): error TS2339: Property 'value'/)
})

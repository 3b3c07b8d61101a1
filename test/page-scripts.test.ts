import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { html as fleetPage, script as fleetScript } from '../packages/fleet/src/ui/page/generated.js'
import { html as emulatorPage, script as emulatorScript } from '../src/emulator/page/generated.js'
import { type Import, importsOf } from './support/import-graph.js'
import { root } from './support/manifests.js'

const kit = 'packages/page/script'

/** Each page, with the modules outside its own scripts from which it imports values. */
const pages = [
  { folder: 'src/emulator/page/script', html: emulatorPage, script: emulatorScript, facts: [] },
  {
    folder: 'packages/fleet/src/ui/page/script',
    html: fleetPage,
    script: fleetScript,
    facts: [],
  },
] as const

describe.each(pages)('$folder', ({ folder, html, script, facts }) => {
  const files = [...filesIn(folder), ...filesIn(kit)]

  test('consists only of TypeScript, so that the type checker covers all of it', () => {
    expect(readdirSync(join(root, folder)).filter(name => !name.endsWith('.ts'))).toEqual([])
    expect(readdirSync(join(root, kit)).filter(name => !name.endsWith('.ts'))).toEqual([])
  })

  test('imports only its own scripts, the shared page modules, a few facts, and types of the server', () => {
    const isAllowed = ({ to, typeOnly }: Import) =>
      typeOnly || to.startsWith(`${folder}/`) || to.startsWith(`${kit}/`) || facts.some(fact => fact === to)
    const others = files.flatMap(file => importsOf(file, read(file))).filter(one => !isAllowed(one))
    expect(others.map(({ from, to }) => `${from} imports ${to}`)).toEqual([])
  })

  test('looks up only elements that its page has', () => {
    const asked = filesIn(folder).flatMap(file =>
      [...read(file).matchAll(/\b(?:byId|part|spacer)\('([\w-]+)'/g)].map(([, id]) => id),
    )
    expect(asked.length).toBeGreaterThan(8)
    expect(asked.filter(id => !html.includes(`id="${id}"`))).toEqual([])
  })

  test('is bundled without Node modules, and without functions that turn text into markup', () => {
    expect(script).not.toMatch(/node:|\bprocess\b|\brequire\b|\bBuffer\b|innerHTML|outerHTML|insertAdjacent/)
  })
})

function filesIn(folder: string): readonly string[] {
  return readdirSync(join(root, folder)).map(name => join(folder, name))
}

function read(file: string): string {
  return readFileSync(join(root, file), 'utf8')
}

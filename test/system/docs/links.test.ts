import { existsSync, readFileSync, statSync } from 'node:fs'
import { dirname, join, normalize } from 'node:path'
import { root } from '../../support/manifests.js'
import { pages } from './documentation.js'
import { proseOf } from './fences.js'

const read = (page: string) => readFileSync(join(root, page), 'utf8')

test.each(pages)('every link of %s leads to an existing target', page => {
  expect(linksOf(page).filter(link => !leads(link))).toEqual([])
})

test('every page can be reached from docs/README.md', () => {
  const reached = new Set(['docs/README.md'])
  for (const page of reached)
    for (const { file } of linksOf(page)) if (pages.includes(file)) reached.add(file)
  expect(pages.filter(page => !reached.has(page))).toEqual([])
})

interface Link {
  /** Path from the root of the project. */
  readonly file: string
  readonly anchor: string
}

function linksOf(page: string): readonly Link[] {
  const prose = proseOf(read(page)).replaceAll(/(`+)(?:(?!\1)[\s\S])+?\1(?!\()/g, code =>
    code.includes('](') ? '' : code,
  )
  return [...prose.matchAll(/\]\(([^)\s]+)\)/g)].flatMap(([, target = '']) => {
    if (/^[a-z]+:/.test(target)) return []
    const [path = '', anchor = ''] = target.split('#')
    return [{ file: path === '' ? page : normalize(join(dirname(page), path)), anchor }]
  })
}

function leads({ file, anchor }: Link): boolean {
  const path = join(root, file)
  if (!existsSync(path)) return false
  return anchor === '' || (statSync(path).isFile() && anchorsOf(file).has(anchor))
}

/** Returns the anchors of the headings, as GitHub forms them. */
function anchorsOf(file: string): ReadonlySet<string> {
  const headings = [...proseOf(read(file)).matchAll(/^#{1,6} (.+)$/gm)].map(([, heading = '']) => heading)
  const anchors = new Set<string>()
  for (const heading of headings) {
    const plain = heading
      .trim()
      .replaceAll(/\[([^\]]*)\]\([^)]*\)/g, '$1')
      .toLowerCase()
    const anchor = plain.replaceAll(/[^\p{L}\p{N} _-]/gu, '').replaceAll(' ', '-')
    let unused = anchor
    for (let count = 1; anchors.has(unused); count++) unused = `${anchor}-${count}`
    anchors.add(unused)
  }
  return anchors
}

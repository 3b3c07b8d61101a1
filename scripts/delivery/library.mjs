// The library as it ships: the bundle has its entry points, each a function, and a module of each hands out what it returns.
import { mkdirSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import * as cli from '../../dist/src/entry/cli.js'
import * as report from '../../dist/src/entry/report.js'
import * as sites from '../../dist/src/entry/sites.js'
import * as state from '../../dist/src/entry/state.js'
import * as index from '../../dist/src/index.js'
import { copyDeclarations } from './declarations.mjs'

/** The entry points of the library, by their paths. */
export const entries = {
  index,
  'entry/cli': cli,
  'entry/report': report,
  'entry/sites': sites,
  'entry/state': state,
}

/**
 * The source of the bundle that is the program and the library. Nothing of it runs before it is asked for: a program of a user
 * must not start the command line, nor the command line load what it may never need.
 */
export const libraryBundle = `exports.program = () => require('./cli/main.js').main(require('./cli/run.js').run)
${Object.keys(entries)
  .map(path => `exports['${path}'] = () => require('./${path}.js')`)
  .join('\n')}`

/** Writes the modules of the entry points, and the types that they reach. */
export function writeLibrary(root) {
  const folder = join(root, 'dist', 'lib')
  // Files that the library no longer names would be published with it.
  rmSync(folder, { recursive: true, force: true })
  mkdirSync(folder, { recursive: true })
  const declarations = Object.keys(entries).map(path => `${path}.d.ts`)
  copyDeclarations(declarations, { from: join(root, 'dist', 'src'), to: folder })
  for (const [path, exported] of Object.entries(entries)) {
    writeFileSync(
      join(folder, `${path}.js`),
      `import bundle from '${path.includes('/') ? '../..' : '..'}/bin/main.cjs'
export const { ${Object.keys(exported).join(', ')} } = bundle['${path}']()
`,
    )
  }
}

// The published library: the bundle has a function for each entry point, and a module for each exports what it returns.
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
 * The source of the bundle with the program and the library. Nothing in it runs until it is called: a user's program must not
 * start the command line, and the command line must not load modules that it may not need.
 */
export const libraryBundle = `exports.program = () => require('./cli/main.js').main(require('./cli/run.js').run)
${Object.keys(entries)
  .map(path => `exports['${path}'] = () => require('./${path}.js')`)
  .join('\n')}`

/** Writes the modules of the entry points, and the types that they reach. */
export function writeLibrary(root) {
  const folder = join(root, 'dist', 'lib')
  // Files of an earlier build would be published as well.
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

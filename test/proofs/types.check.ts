import { spawnSync } from 'node:child_process'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { root } from '../support/manifests.js'
import { type CheckRun, declareCheck } from './check.js'
import { allowedEscapes } from './types/allowed-escapes.js'
import { compiled } from './types/compiled.js'
import { escapesIn } from './types/escapes.js'
import { refused } from './types/refused.js'

const strictOptions = [
  'strict',
  'exactOptionalPropertyTypes',
  'noUncheckedIndexedAccess',
  'noPropertyAccessFromIndexSignature',
  'noImplicitReturns',
  'noImplicitOverride',
  'noFallthroughCasesInSwitch',
  'noUnusedLocals',
  'noUnusedParameters',
  'erasableSyntaxOnly',
  'verbatimModuleSyntax',
  'isolatedModules',
  'noUncheckedSideEffectImports',
]

/** Options that `strict` turns on, and that would loosen it where somebody turns them off. */
const partsOfStrict = [
  'noImplicitAny',
  'strictNullChecks',
  'strictFunctionTypes',
  'strictBindCallApply',
  'strictPropertyInitialization',
  'noImplicitThis',
  'useUnknownInCatchVariables',
  'alwaysStrict',
]

/**
 * Searches src/ and what is published for ways around the types, checks the options of the compiler, and has it refuse what
 * must not compile. Both forms are the same.
 */
export const check = declareCheck({
  name: 'types',
  shows: 'Every type escape has a reason, and code that must not compile does not.',
  counts: {
    options: [13, 13],
    'source files': [500, 500],
    'page scripts': [20, 20],
    'declaration files': [80, 80],
    'kinds of escapes found': [5, 5],
    'lines refused': [14, 14],
  },
  planted: 'kinds of escapes found',
  short: 'ci',
  gate: 'change',
  figures: {},
  async run(run) {
    checkOptions(run)
    checkSources(run)
    checkDeclarations(run)
    checkControl(run)
    checkRejected(run)
  },
})

function checkOptions(run: CheckRun): void {
  const compiler = join(root, 'node_modules', 'typescript', 'bin', 'tsc')
  const { stdout } = spawnSync(process.execPath, [compiler, '--showConfig'], { cwd: root, encoding: 'utf8' })
  const shown: { readonly compilerOptions: Readonly<Record<string, unknown>> } = JSON.parse(stdout)
  const { compilerOptions } = shown
  for (const name of strictOptions) {
    if (compilerOptions[name] !== true) run.violation(`the option ${name} is not on`)
    run.count('options')
  }
  for (const name of partsOfStrict)
    if (compilerOptions[name] === false) run.violation(`the option ${name} is off`)
}

function checkSources(run: CheckRun): void {
  const program = escapesIn(
    join(root, 'tsconfig.json'),
    file => file.startsWith(join(root, 'src/')) && !file.includes('/generated'),
  )
  const pages = escapesIn(join(root, 'tsconfig.pages.json'), file => file.includes('/page/script/'))
  run.count('source files', program.files)
  run.count('page scripts', pages.files)
  const escapes = [...program.escapes, ...pages.escapes]
  const left = allowedEscapes.map(one => ({ ...one }))
  for (const { kind, file, line } of escapes) {
    const name = file.slice(root.length + 1)
    const allowed = left.find(one => one.kind === kind && one.file === name && one.count > 0)
    if (allowed === undefined) run.violation(`${name}:${line}: ${kind}`)
    else allowed.count -= 1
  }
  for (const { kind, file, count } of left)
    if (count > 0)
      run.violation(`${file}: one less ${kind}; take it off the list in test/proofs/types/allowed-escapes.ts`)
  run.say(`${escapes.length} ways around the types, each with a reason`)
}

/** Checks the types that users of the library get. */
function checkDeclarations(run: CheckRun): void {
  inFolder("export * from '../lib/index.js'\n", folder => {
    const { files, escapes } = escapesIn(join(folder, 'tsconfig.json'), file =>
      file.startsWith(join(root, 'dist/lib/')),
    )
    run.count('declaration files', files)
    run.complain(
      'what is published',
      escapes.map(({ kind, file, line }) => `${file.slice(root.length + 1)}:${line}: ${kind}`),
    )
  })
}

const oneOfEachEscape = `\
declare const text: string
export const a: any = 1
export const b = JSON.parse(text)
export const c = text as unknown as number
export const d = [text][0]!
// @${'ts-ignore'}
export const e: number = text
`

/** Finds each kind of escape where it is. */
function checkControl(run: CheckRun): void {
  inFolder(oneOfEachEscape, folder => {
    const { escapes } = escapesIn(join(folder, 'tsconfig.json'), file => file.startsWith(folder))
    run.count('kinds of escapes found', new Set(escapes.map(({ kind }) => kind)).size)
  })
}

function checkRejected(run: CheckRun): void {
  const results = compiled(refused)
  for (const [at, { name, code }] of refused.entries()) {
    const { wrong, right } = results[at] ?? { wrong: [], right: [] }
    run.count('lines refused')
    if (!wrong.includes(code) || wrong.length > 1)
      run.violation(`${name}: the compiler says ${wrong.join(', ') || 'nothing'}, not ${code}`)
    if (right.length > 0) run.violation(`${name}: without the mistake the compiler says ${right.join(', ')}`)
  }
}

/** Makes a project of one module below this one, so that the types of Node are found, and removes it afterwards. */
function inFolder(source: string, use: (folder: string) => void): void {
  const folder = mkdtempSync(join(root, 'dist', 'types-'))
  try {
    writeFileSync(join(folder, 'use.ts'), source)
    const project = {
      extends: '../../tsconfig.json',
      compilerOptions: { rootDir: root, noEmit: true },
      include: ['*.ts'],
      exclude: [],
    }
    writeFileSync(join(folder, 'tsconfig.json'), JSON.stringify(project))
    use(folder)
  } finally {
    rmSync(folder, { recursive: true })
  }
}

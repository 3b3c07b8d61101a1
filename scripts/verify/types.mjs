// Looks for ways around the types in src/ and in what is published, at the options of the compiler, and lets it refuse what must
// not compile. `npm run verify:types`; both forms are the same.
import { spawnSync } from 'node:child_process'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { allowedEscapes } from '../../dist/test/proofs/types/allowed-escapes.js'
import { compiled } from '../../dist/test/proofs/types/compiled.js'
import { escapesIn } from '../../dist/test/proofs/types/escapes.js'
import { refused } from '../../dist/test/proofs/types/refused.js'
import { complain, conclude, count, figures, say, violation } from './check.mjs'

figures({})
const root = process.cwd()
const strict = [
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
const loosening = [
  'noImplicitAny',
  'strictNullChecks',
  'strictFunctionTypes',
  'strictBindCallApply',
  'strictPropertyInitialization',
  'noImplicitThis',
  'useUnknownInCatchVariables',
  'alwaysStrict',
]

checkOptions()
checkSources()
checkDeclarations()
checkControl()
checkRefused()
conclude()

function checkOptions() {
  const { stdout } = spawnSync(
    process.execPath,
    [join(root, 'node_modules/typescript/bin/tsc'), '--showConfig'],
    { encoding: 'utf8' },
  )
  const { compilerOptions } = JSON.parse(stdout)
  for (const name of strict) {
    if (compilerOptions[name] !== true) violation(`the option ${name} is not on`)
    count('options')
  }
  for (const name of loosening) if (compilerOptions[name] === false) violation(`the option ${name} is off`)
}

function checkSources() {
  const { files, escapes } = escapesIn(
    join(root, 'tsconfig.json'),
    file => file.startsWith(join(root, 'src/')) && !file.includes('/generated'),
  )
  count('source files', files)
  const left = allowedEscapes.map(one => ({ ...one }))
  for (const { kind, file, line } of escapes) {
    const name = file.slice(root.length + 1)
    const allowed = left.find(one => one.kind === kind && one.file === name && one.count > 0)
    if (allowed === undefined) violation(`${name}:${line}: ${kind}`)
    else allowed.count -= 1
  }
  for (const { kind, file, count: rest } of left)
    if (rest > 0)
      violation(`${file}: one less ${kind}; take it off the list in test/proofs/types/allowed-escapes.ts`)
  say(`${escapes.length} ways around the types, each with a reason`)
}

/** What users of the library see. */
function checkDeclarations() {
  inFolder({ 'use.ts': "export * from '../lib/index.js'\n" }, folder => {
    const { files, escapes } = escapesIn(join(folder, 'tsconfig.json'), file =>
      file.startsWith(join(root, 'dist/lib/')),
    )
    count('declaration files', files)
    complain(
      'what is published',
      escapes.map(({ kind, file, line }) => `${file.slice(root.length + 1)}:${line}: ${kind}`),
    )
  })
}

/** Each kind of escape is found where it is. */
function checkControl() {
  const text = `declare const text: string\nexport const a: any = 1\nexport const b = JSON.parse(text)\nexport const c = text as unknown as number\nexport const d = [text][0]!\n// @${'ts-ignore'}\nexport const e: number = text\n`
  inFolder({ 'use.ts': text }, folder => {
    const kinds = new Set(
      escapesIn(join(folder, 'tsconfig.json'), file => file.startsWith(folder)).escapes.map(
        ({ kind }) => kind,
      ),
    )
    count('kinds of escapes found', kinds.size)
  })
}

function checkRefused() {
  for (const [at, { wrong, right }] of compiled(refused).entries()) {
    const { name, code } = refused[at]
    count('lines refused')
    if (!wrong.includes(code) || wrong.length > 1)
      violation(`${name}: the compiler says ${wrong.join(', ') || 'nothing'}, not ${code}`)
    if (right.length > 0) violation(`${name}: without the mistake the compiler says ${right.join(', ')}`)
  }
}

function inFolder(files, look) {
  const folder = mkdtempSync(join(root, 'dist', 'types-'))
  try {
    for (const [name, content] of Object.entries(files)) writeFileSync(join(folder, name), content)
    writeFileSync(
      join(folder, 'tsconfig.json'),
      JSON.stringify({
        extends: '../../tsconfig.json',
        compilerOptions: { rootDir: root, noEmit: true },
        include: ['*.ts'],
        exclude: [],
      }),
    )
    look(folder)
  } finally {
    rmSync(folder, { recursive: true })
  }
}

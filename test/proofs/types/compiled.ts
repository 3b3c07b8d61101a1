import { spawnSync } from 'node:child_process'
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { root } from '../../support/manifests.js'
import type { Refused } from './refused.js'

/** The numbers of the errors that the compiler has for each, with its mistake and without: all in one run. */
export function compiled(
  some: readonly Refused[],
): readonly { readonly wrong: readonly number[]; readonly right: readonly number[] }[] {
  mkdirSync(join(root, 'dist'), { recursive: true })
  // Below the project, so that the types of Node are found.
  const folder = mkdtempSync(join(root, 'dist', 'types-'))
  try {
    for (const [at, { imports, wrong, right }] of some.entries())
      for (const [how, line] of Object.entries({ wrong, right }))
        writeFileSync(join(folder, `${at}-${how}.ts`), `${imports}${line}\nexport {}\n`)
    const paths = { 'landform-lib/*': ['../lib/*'], 'landform-src/*': ['../src/*'] }
    const compilerOptions = { noEmit: true, rootDir: root, paths, noUnusedLocals: false }
    writeFileSync(
      join(folder, 'tsconfig.json'),
      JSON.stringify({ extends: '../../tsconfig.json', compilerOptions, include: ['*.ts'], exclude: [] }),
    )
    const { stdout } = spawnSync(
      process.execPath,
      [join(root, 'node_modules/typescript/bin/tsc'), '--pretty', 'false', '-p', folder],
      { encoding: 'utf8' },
    )
    const errors = [...stdout.matchAll(/(\d+)-(wrong|right)\.ts\(\d+,\d+\): error TS(\d+)/g)]
    const numbersOf = (at: number, how: string) =>
      errors
        .filter(([, one, which]) => Number(one) === at && which === how)
        .map(([, , , code]) => Number(code))
    if (/^error/m.test(stdout)) throw new Error(stdout)
    return some.map((_, at) => ({ wrong: numbersOf(at, 'wrong'), right: numbersOf(at, 'right') }))
  } finally {
    rmSync(folder, { recursive: true })
  }
}

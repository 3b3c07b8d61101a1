import { dirname, join } from 'node:path'
import { emulatorProcess } from './emulator-process.js'
import { runProgram } from './program.js'
import { someSecrets } from './some-secrets.js'

/** A use of the installed package, with the expected result. */
interface Use {
  readonly name: string
  /** `landform` is the installed program, `node` the one under test. */
  readonly program: 'landform' | 'node'
  readonly words: readonly string[]
  readonly code?: number
  readonly says: RegExp
}

const schema =
  "import schema from 'landform/schemas/deployment.schema.json' with { type: 'json' }; console.log(schema.title)"

/** The uses of every package, as a program and as a library; `url` is that of an emulator. */
export const uses = (url: string): readonly Use[] => [
  { name: 'version', program: 'landform', words: ['--version'], says: /^\d+\.\d+\.\d+\n$/ },
  { name: 'validate', program: 'landform', words: ['validate', 'site.yaml'], says: /^1 file, 0 errors/ },
  {
    name: 'a mistake',
    program: 'landform',
    words: ['validate', 'wrong.yaml'],
    code: 65,
    says: /volume\/missing/,
  },
  {
    name: 'plan',
    program: 'landform',
    words: ['plan', '--emulate', 'site.yaml'],
    says: /1 to create, 1 to update/,
  },
  {
    name: 'apply',
    program: 'landform',
    words: ['apply', '--emulate', 'site.yaml'],
    says: /^Success: the site was verified ready/m,
  },
  {
    name: 'require',
    program: 'node',
    words: ['-e', "console.log(typeof require('landform').planSite)"],
    says: /^function$/m,
  },
  {
    name: 'entry points',
    program: 'node',
    words: [
      '-e',
      `const { UsageError, exitCodes } = require('landform/cli')
       console.log(new UsageError('x') instanceof Error, exitCodes.done, ...[['report', 'display'], ['sites', 'openSite'],
         ['state', 'isPending']].map(([entry, name]) => typeof require('landform/' + entry)[name]))`,
    ],
    says: /^true 0 function function function$/m,
  },
  { name: 'schema', program: 'node', words: ['--input-type=module', '-e', schema], says: /\w/ },
  {
    name: 'library',
    program: 'node',
    words: ['apply.mjs', 'site.yaml', url],
    says: /^success: the site was verified ready/m,
  },
]

/** Tries all uses of the package in a folder, with a Node program. Returns the failure of each use, or `undefined`. */
export async function usePackage(
  node: string,
  folder: string,
): Promise<ReadonlyMap<string, string | undefined>> {
  const path = [join(folder, 'node_modules/.bin'), dirname(node), process.env['PATH']].join(':')
  const env = { PATH: path, HOME: folder, ...someSecrets }
  const emulator = await emulatorProcess(['--stage-time', '20ms'], 1, {
    command: ['landform'],
    cwd: folder,
    env,
  })
  try {
    const [url = ''] = emulator.urls
    const tried = uses(url).map(async ({ name, program, words, code = 0, says }) => {
      const ended = await runProgram(program, words, { cwd: folder, env })
      const fits = ended.code === code && says.test(ended.stdout + (code === 0 ? '' : ended.stderr))
      return [name, fits ? undefined : `ended with ${ended.code}: ${ended.stdout}${ended.stderr}`] as const
    })
    return new Map(await Promise.all(tried))
  } finally {
    emulator.kill()
  }
}

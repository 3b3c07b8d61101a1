import { spawnSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { filesIn } from '../../support/files-in.js'
import { landformProgram } from '../../support/landform-program.js'
import { removeTemporaryFolders, temporaryFolder } from '../../support/temporary-folder.js'

const valid = readFileSync('examples/quickstart.yaml', 'utf8')
const siteText = (at: number) => valid.replace('gis.example.org', `site-${at}.example.org`)
const nameOf = (at: number) => `site-${String(at).padStart(4, '0')}.yaml`

let folder = ''
beforeAll(async () => {
  folder = await temporaryFolder()
  filesIn(folder, Object.fromEntries(Array.from({ length: 3100 }, (_, at) => [nameOf(at), siteText(at)])))
})
afterAll(removeTemporaryFolders)

/** Node tells on stderr of each thread that it starts. */
function validate(...words: readonly string[]) {
  const { status, stdout, stderr } = spawnSync(process.execPath, [landformProgram, 'validate', ...words], {
    encoding: 'utf8',
    env: { ...process.env, NODE_DEBUG: 'worker' },
  })
  return { status, stdout, threads: stderr.match(/created Worker with ID/gi)?.length ?? 0 }
}

test('thousands of clean files are checked by several threads, and a few by one', () => {
  const { status, stdout, threads } = validate(folder)
  expect([status, stdout]).toEqual([0, '3100 files, 0 errors, 0 warnings\n'])
  expect(threads).toBeGreaterThan(0)
  expect(validate(`${folder}/${nameOf(0)}`).threads).toBe(0)
})

test('a mistake in the first of them and one in the last are found, and two for one site that different threads may meet', () => {
  const misspelt = (at: number) => siteText(at).replace('profile: development', 'profile: developmnt')
  filesIn(folder, {
    [nameOf(0)]: misspelt(0),
    [nameOf(3098)]: siteText(1),
    [nameOf(3099)]: misspelt(3099),
  })
  const { status, stdout } = validate(folder)
  expect([status, stdout.match(/site\/shared/g)?.length]).toEqual([65, 1])
  for (const at of [0, 3099]) expect(stdout).toContain(`${nameOf(at)}:`)
  expect(stdout).toContain('3100 files, 3 errors, 0 warnings')
})

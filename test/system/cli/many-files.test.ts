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

function validate(...words: readonly string[]) {
  const { status, stdout } = spawnSync(process.execPath, [landformProgram, 'validate', ...words], {
    encoding: 'utf8',
  })
  return { status, stdout }
}

test('thousands of clean files get one line', () => {
  expect(validate(folder)).toEqual({ status: 0, stdout: '3100 files, 0 errors, 0 warnings\n' })
})

test('a mistake in the first of them and one in the last are found, and two for one site far from each other', () => {
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

import { copyFile, mkdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { landform } from '../support/landform.js'
import { someSecrets } from '../support/some-secrets.js'
import { removeTemporaryFolders, temporaryFolder } from '../support/temporary-folder.js'

afterEach(removeTemporaryFolders)

const aSiteWith = async (license: string) => {
  const folder = await temporaryFolder()
  await mkdir(join(folder, 'licenses'))
  await writeFile(join(folder, 'licenses', 'site.json'), license)
  await copyFile('examples/quickstart.yaml', join(folder, 'site.yaml'))
  return join(folder, 'site.yaml')
}
const advised = async (args: readonly string[], license: string, password: string) => {
  const environment = { ...someSecrets, LANDFORM_ADMIN_PASSWORD: password }
  const { exitCode, err, out } = await landform([...args, await aSiteWith(license)], { environment })
  expect(out + err).not.toContain(password)
  const codes = ['administrator/password-plain', 'license/not-json'].filter(code =>
    (out + err).includes(code),
  )
  return { exitCode, codes }
}
const both = ['administrator/password-plain', 'license/not-json']

test.each([[['validate', '--check-secrets']], [['apply', '--emulate']]])(
  '%j warns of a password and a license that the service may refuse',
  async args => {
    expect(await advised(args, 'INCREMENT', 'Correcthorse1')).toEqual({ exitCode: 0, codes: both })
    expect(await advised(args, '{}', 'Correct-horse1')).toEqual({ exitCode: 0, codes: [] })
  },
)

test('a rehearsal without any secret warns of none', async () => {
  const { exitCode, err } = await landform(['apply', '--emulate', 'examples/quickstart.yaml'])
  expect([exitCode, both.filter(code => err.includes(code))]).toEqual([0, []])
})

test('the warnings come before the request, and a plan reads no password for them', async () => {
  const environment = { ...someSecrets, LANDFORM_ADMIN_PASSWORD: 'Correcthorse1' }
  const file = await aSiteWith('INCREMENT')
  const { err } = await landform(['apply', '--emulate', '--progress', 'lines', file], { environment })
  expect(err).toMatch(/administrator\/password-plain[\s\S]*submission intent recorded/)
  const planned = await landform(['plan', '--emulate', file], { environment })
  expect([planned.exitCode, both.filter(code => planned.err.includes(code))]).toEqual([0, []])
})

import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { landform } from '../../support/landform.js'
import { temporaryFolder } from '../../support/temporary-folder.js'

const quickstart = 'examples/quickstart.yaml'
const plan = (args: readonly string[], environment: Readonly<Record<string, string>> = {}) =>
  landform(['plan', '--emulate', quickstart, ...args], { environment })

describe('the formats of a plan', () => {
  test.each(['-v', '--verbose'])('%s prints the id of the plan', async option => {
    const { out } = await plan([option])
    expect(out).toMatch(/^Plan sha256:[0-9a-f]{64}, from /m)
    expect((await plan([])).out).not.toMatch(/^Plan sha256:/m)
  })
})

describe('in a workflow of GitHub', () => {
  const files = async () => {
    const into = await temporaryFolder()
    return { GITHUB_STEP_SUMMARY: join(into, 'summary'), GITHUB_OUTPUT: join(into, 'output') }
  }

  test('a plan adds to the summary and to the outputs of its step', async () => {
    const environment = await files()
    writeFileSync(environment.GITHUB_STEP_SUMMARY, '# before\n')
    writeFileSync(environment.GITHUB_OUTPUT, 'before=1\n')
    const { exitCode, err } = await plan(['--detailed-exitcode'], environment)
    expect({ exitCode, err }).toEqual({ exitCode: 2, err: '' })
    expect(readFileSync(environment.GITHUB_STEP_SUMMARY, 'utf8')).toMatch(
      /^# before\n\n<!-- landform-plan: quickstart -->\n/,
    )
    const outputs = readFileSync(environment.GITHUB_OUTPUT, 'utf8')
    expect(outputs.replace(/[0-9a-f]{64}/, 'ID')).toBe(
      'before=1\nchanges=true\nblocked=false\ncreate=1\nupdate=1\nresume=0\nno-op=0\nplan-id=sha256:ID\nexitcode=2\n',
    )
  })

  test('its summary has the storage classes of the cluster', async () => {
    const environment = await files()
    await plan(['--storage-classes', 'examples/storage-classes.json'], environment)
    expect(readFileSync(environment.GITHUB_STEP_SUMMARY, 'utf8')).toContain(
      '\n#### Storage classes: 1 of 1 that the manifest names exist in the cluster.\n',
    )
  })

  test('its id is that of the JSON form', async () => {
    const environment = await files()
    const { out } = await plan(['--format', 'json'], environment)
    expect(readFileSync(environment.GITHUB_OUTPUT, 'utf8')).toContain(`plan-id=${JSON.parse(out).id}\n`)
  })

  test('empty variables do not count as file names', async () => {
    const { exitCode, err } = await plan([], { GITHUB_STEP_SUMMARY: '', GITHUB_OUTPUT: '' })
    expect({ exitCode, err }).toEqual({ exitCode: 0, err: '' })
  })

  test('a file that cannot be written is a warning', async () => {
    const into = join(await temporaryFolder(), 'is-a-folder')
    mkdirSync(into)
    const { exitCode, out, err } = await plan([], { GITHUB_STEP_SUMMARY: into, GITHUB_OUTPUT: into })
    expect(exitCode).toBe(0)
    expect(out).toContain('Plan: 1 to create')
    expect(err).toBe(
      'warning: the file in GITHUB_STEP_SUMMARY cannot be written (EISDIR)\nwarning: the file in GITHUB_OUTPUT cannot be written (EISDIR)\n',
    )
  })

  test('without a plan nothing is added', async () => {
    const environment = await files()
    await landform(['plan', 'nowhere.yaml'], { environment })
    expect(existsSync(environment.GITHUB_STEP_SUMMARY)).toBe(false)
    expect(existsSync(environment.GITHUB_OUTPUT)).toBe(false)
  })
})

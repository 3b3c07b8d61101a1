import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterEach, expect, test } from '@jest/globals'
import { run } from '../../src/cli/run.js'
import { fakeHost } from '../support/fake-host.js'
import { removeTemporaryFolders, temporaryFolder } from '../support/temporary-folder.js'

const quickstart = 'examples/quickstart.yaml'

afterEach(removeTemporaryFolders)

const landform = async (...args: readonly string[]) => {
  const host = fakeHost()
  return { exitCode: await run(args, host), err: host.err() }
}

test('what cannot be mended in its folder is said and left alone, and so is what lies in the way', async () => {
  const file = join(await temporaryFolder(), 'site.yaml')
  const text = readFileSync(quickstart, 'utf8').replace('profile: development', 'profile: Development')
  const beside = `${file}.landform-${process.pid}`
  writeFileSync(file, text)
  writeFileSync(beside, 'of another run')
  const { exitCode, err } = await landform('validate', file, '--fix')
  expect(exitCode).toBe(74)
  expect(err).toContain('site.yaml cannot be written (EEXIST)')
  expect([readFileSync(file, 'utf8'), readFileSync(beside, 'utf8')]).toEqual([text, 'of another run'])
})

test('two reports for one file are refused, and the file is not made', async () => {
  const report = join(await temporaryFolder(), 'report')
  const formats = ['--format', `sarif=${report}`, '--format', `json=${report}`]
  expect((await landform('validate', quickstart, ...formats)).exitCode).toBe(64)
  expect(existsSync(report)).toBe(false)
})

test('a report that has nothing to say, since a manifest is missing, is not left empty', async () => {
  const report = join(await temporaryFolder(), 'findings.sarif')
  const { exitCode } = await landform('validate', 'nowhere.yaml', '--format', `sarif=${report}`)
  expect([exitCode, existsSync(report)]).toEqual([66, false])
})

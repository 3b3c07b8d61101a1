import { dirname } from 'node:path'
import { quickstartFolder } from '../../support/example-copy.js'
import { landformProgram } from '../../support/landform-program.js'
import { runProgram } from '../../support/program.js'

const known = process.allowedNodeEnvironmentFlags
const flag = ['--permission', '--experimental-permission'].find(one => known.has(one)) ?? ''
const sandbox = flag === '' ? describe.skip : describe

sandbox('where Node may read nothing but the program and the folder of a manifest, and write nothing', () => {
  let folder: string
  beforeAll(async () => {
    folder = await quickstartFolder()
  })

  test.each([[['validate']], [['plan', '--offline']]])('%j works', async words => {
    const readable = [dirname(landformProgram), folder].map(path => `--allow-fs-read=${path}/`)
    const args = [flag, '--no-warnings', ...readable, landformProgram, ...words, 'site.yaml']
    const { code, stderr } = await runProgram(process.execPath, args, { cwd: folder, env: {} })
    expect({ code, stderr: code === 0 ? '' : stderr }).toEqual({ code: 0, stderr: '' })
  })
})

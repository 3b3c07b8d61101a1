import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { hasGit } from '../../support/git-repositories.js'
import { joinLines } from '../../support/join-lines.js'
import { root } from '../../support/manifests.js'
import { runsHere } from '../../support/program.js'
import { temporaryFolder } from '../../support/temporary-folder.js'
import { testWhere } from '../../support/test-where.js'
import { chapters } from './chapters.js'
import { page, played } from './story.js'
import { newWorld } from './world.js'

const tutorial = join(root, 'docs', 'tutorial-pipeline.md')
const isPlayable = hasGit && (await runsHere(['bash', '--version']))

testWhere(isPlayable, 'git and bash')(
  'the pipeline of the tutorial runs exactly as the page shows',
  async () => {
    const world = await newWorld(await temporaryFolder())
    const told = await played(chapters, world).finally(() => world.close())
    expect(told.filter(piece => piece.kind === 'check' && !piece.holds)).toEqual([])
    const written = existsSync(tutorial) ? readFileSync(tutorial, 'utf8') : ''
    if (process.env['UPDATE_GOLDEN'] === '1') writeFileSync(tutorial, page(told))
    else expect(joinLines(page(told))).toBe(joinLines(written))
  },
)

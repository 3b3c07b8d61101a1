import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { pipeline } from '../commands.js'
import type { Chapter } from '../story.js'
import { administrator, pipelineSecrets, type World } from '../world.js'

interface Drift {
  readonly fields: readonly { readonly verdict: string }[]
}

/** What somebody changed by hand is found at night, and put right by a plan. */
export const drift: Chapter<World> = {
  title: 'A manual change',
  async play(world, { prose, types, shows, holds }) {
    const token = { LANDFORM_TOKEN: await world.site.token(administrator) }
    prose(`\
A nightly job compares the site with the manifest. It exits with 2, so that it fails; the JSON is for programs, and the Markdown for
an issue:`)
    const night = world.runner('main', token)
    await types(night, `${pipeline.drift} \\\n  --format json=drift.json`, { exit: 2 })
    const read = (file: string) => readFileSync(join(night.folder, file), 'utf8')
    shows('markdown', `${read('drift.md').split('<details>')[0]?.trim()}\n…`)
    const { fields } = JSON.parse(read('drift.json')) as Drift
    holds(
      'the JSON says it of each field',
      fields.filter(({ verdict }) => verdict === 'different').length === 5,
    )
    prose(
      'The manifest is correct, so a new plan restores its values. It is reviewed and performed like the others:',
    )
    const planning = world.runner('main', token)
    await types(planning, pipeline.plan, { keep: [/^Plan/, /^ {2}[=~+] /, /^ {6}[-+~] /, /^saved/] })
    planning.keeps('plan.json')
    const performing = world.runner('main', { ...pipelineSecrets, ...token })
    performing.brings()
    await types(performing, pipeline.apply, { keep: [/^\[.*\] update/, /^Success/] })
    await types(world.runner('main', token), pipeline.drift)
    holds('there is still one configure', (await world.site.accepted('configure')) === 1)
  },
}

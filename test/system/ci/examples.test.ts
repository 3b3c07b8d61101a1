import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { exampleFacts } from '../../../src/ci/ci-facts.js'
import { ciFiles, ciSystems } from '../../../src/ci/ci-systems.js'
import { gitlabComponent } from '../../../src/ci/gitlab.js'
import { landform } from '../../support/landform.js'
import { root } from '../../support/manifests.js'
import { temporaryFolder } from '../../support/temporary-folder.js'

test.each(ciSystems)('the example for %s equals the output of init', async ci => {
  const folder = await temporaryFolder()
  const { name, origin } = exampleFacts
  const site = ['--name', name, '--url', `${origin}/arcgis/admin`, '--email', 'admin@example.org']
  await landform(['init', join(folder, 'site.yaml'), ...site, '--ci', ci])
  const example = readFileSync(join(root, `examples/ci/${ci}.yml`), 'utf8')
  expect(example).toBe(readFileSync(join(folder, ciFiles[ci].path), 'utf8'))
})

test('the component for GitLab equals the output of its function', () => {
  expect(readFileSync(join(root, 'templates/landform.yml'), 'utf8')).toBe(gitlabComponent())
})

import { version } from '../../src/version.js'

const tarball = `./landform-${version}.tgz`

/**
 * Boxes for pages about packages that are not published yet, with the commands that work now, and those that will. A page has a
 * box after the comment that names it. To publish, delete this file and those boxes.
 */
const boxes = {
  package: `**Landform is not on npm yet.** Today, in your repository, with a checkout of Landform in \`~/landform\`, run this:

\`\`\`sh
npm --prefix ~/landform run pack -- "$PWD" landform
npm install --save-dev ${tarball}
git add package.json package-lock.json ${tarball}
\`\`\`

The tarball stays in your repository, or goes to a registry of your own. Later this will be
\`npm install --save-dev landform\`.`,
  fleet: `**\`@landform/fleet\` is not on npm yet.** Today, with a checkout of Landform in \`~/landform\`, run this where the workers run:

\`\`\`sh
npm --prefix ~/landform run pack -- "$PWD"
npm install ${tarball} ./landform-fleet-${version}.tgz
\`\`\`

Later this will be \`npm install landform @landform/fleet\`, both in the same version.`,
  release: `**Landform has no release yet.** Today, in a checkout of Landform, make the commit of a release, which contains the built
program, and push it as a tag to a repository that your CI can read:

\`\`\`sh
npm run release
git push git@git.example.org:you/landform.git COMMIT:refs/tags/v${version}
\`\`\`

\`npm run release\` prints COMMIT, makes no tag, and lists what a public release still needs. Replace \`OWNER/landform\` with
your repository.`,
} as const

/** Rewrites the boxes of a page. */
export function fillBoxes(page: string): string {
  return page.replaceAll(/^(<!-- unpublished: (\w+) -->\n)\n(?:>.*\n)*\n?/gm, (all, mark, name) => {
    const box = Object.entries(boxes).find(([one]) => one === name)?.[1]
    const quoted = box?.split('\n').map(line => (line === '' ? '>\n' : `> ${line}\n`))
    return quoted === undefined ? all : `${mark}\n${quoted.join('')}\n`
  })
}

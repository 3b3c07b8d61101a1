import { renameSync, symlinkSync } from 'node:fs'
import { join } from 'node:path'

/** Puts a link out in the place of something inside and takes it away again, until it is ended: `node swapper.js INSIDE NAME TARGET`. */
const [inside = '', name = '', target = ''] = process.argv.slice(2)
const [place, away, link] = [name, `${name}-away`, `${name}-link`].map(one => join(inside, one)) as [
  string,
  string,
  string,
]

symlinkSync(target, link)
for (;;) {
  renameSync(place, away)
  renameSync(link, place)
  renameSync(place, link)
  renameSync(away, place)
}

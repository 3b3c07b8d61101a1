import { describeDefect } from '../../diagnostics/reference-defect.js'
import type { FileProblem, NamedFileDefect } from '../../library/read-named.js'
import { display } from '../display.js'

const nouns: Readonly<Record<FileProblem['what'], string>> = {
  manifest: 'manifest',
  scenario: 'scenario',
  policy: 'policy',
  'property-file': 'property file',
  test: 'test',
}

/** Describes a file that cannot be used, in one sentence. */
export function describeFileProblem({ what, file, defect }: FileProblem): string {
  return `the ${nouns[what]} ${display(file)} ${describeNamedFileDefect(defect, what)}`
}

/** Describes the reason, as the end of a sentence that begins with the file. */
export function describeNamedFileDefect(defect: NamedFileDefect, what: FileProblem['what']): string {
  switch (defect.kind) {
    case 'missing':
      return 'does not exist'
    case 'missing-folder':
      return 'is in a folder that does not exist'
    case 'folder':
      return `is a folder; name the ${nouns[what]} in it`
    case 'link-outside-repository':
      return 'is a link to a file outside its repository'
    case 'absolute-path':
      return 'is not relative to the folder of this file'
    default:
      return describeDefect(defect)
  }
}

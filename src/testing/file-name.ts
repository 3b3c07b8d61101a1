const ofTests = /(?:^|[/\\])([^/\\]+)\.test(\.ya?ml)$/i

/** True for a file that is named as test files are: `site.test.yaml`. */
export function isTestFile(file: string): boolean {
  return ofTests.test(file)
}

/** Derives the name of the manifest from the name of a test file; `undefined` for another name. */
export function manifestOf(file: string): string | undefined {
  const [, name, extension] = ofTests.exec(file) ?? []
  return name === undefined ? undefined : `${name}${extension}`
}

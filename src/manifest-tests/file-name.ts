const testFilePattern = /(?:^|[/\\])([^/\\]+)\.test(\.ya?ml)$/i

/** True for a file that is named as test files are: `site.test.yaml`. */
export function isTestFile(file: string): boolean {
  return testFilePattern.test(file)
}

/** Derives the name of the manifest from the name of a test file; `undefined` for another name. */
export function deriveManifestName(file: string): string | undefined {
  const [, name, extension] = testFilePattern.exec(file) ?? []
  return name === undefined ? undefined : `${name}${extension}`
}

const ofTests = /(?:^|[/\\])([^/\\]+)\.test(\.ya?ml)$/i

/** True for a file that is found among others because of its name: `site.test.yaml`. */
export function isTestFile(file: string): boolean {
  return ofTests.test(file)
}

/** The manifest beside a file of tests, by the name of that; `undefined` for one of another name. */
export function manifestOf(file: string): string | undefined {
  const [, name, extension] = ofTests.exec(file) ?? []
  return name === undefined ? undefined : `${name}${extension}`
}

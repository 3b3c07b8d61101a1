/** The site of the state that writers write. */
export const writtenSite = 'https://gis.example.org/arcgis/admin'

/** Builds the text of a version: its number at both ends, so a torn text is detected, with `bytes` bytes between. */
export function textOfVersion(serial: number, bytes: number): string {
  return `${serial} ${'x'.repeat(bytes)} ${serial}`
}

export function isWhole(text: string, bytes: number): boolean {
  const [serial = ''] = text.split(' ', 1)
  return serial !== '' && text === textOfVersion(Number(serial), bytes)
}

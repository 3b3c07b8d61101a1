/** The site whose state writers write. */
export const writtenSite = 'https://gis.example.org/arcgis/admin'

/** A text that whoever reads it can tell whole from torn, with so many bytes in its middle. */
export function textOfVersion(serial: number, bytes: number): string {
  return `${serial} ${'x'.repeat(bytes)} ${serial}`
}

/** True of a text that is as it was written. */
export function isWhole(text: string, bytes: number): boolean {
  const [serial = ''] = text.split(' ', 1)
  return serial !== '' && text === textOfVersion(Number(serial), bytes)
}

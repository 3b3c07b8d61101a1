/** The formats of `landform test`. */
export const testFormats = ['text', 'json', 'junit', 'github'] as const

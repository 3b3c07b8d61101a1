/** The formats of findings. */
export const findingFormats = ['text', 'json'] as const

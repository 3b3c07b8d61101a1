/** The beginning of a comment that silences warnings on the next line. */
export const ignoreMark = 'landform-ignore-next-line'

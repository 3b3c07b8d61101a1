/** What a comment begins with that silences warnings on the next line. */
export const ignoreMark = 'landform-ignore-next-line'

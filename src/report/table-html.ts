import { type Html, html } from './html.js'

/** Renders a table whose rows become cards on a narrow screen, each cell with the name of its column. */
export function renderTable(
  title: string,
  columns: readonly string[],
  rows: readonly (readonly Html[])[],
): Html {
  const heads = columns.map(column => html`<th scope="col">${column}</th>`)
  const body = rows.map(
    row =>
      html`<tr>${row.map((cell, at) =>
        at === 0
          ? html`<th scope="row">${cell}</th>`
          : html`<td><span class="label">${columns[at] ?? ''}</span><div>${cell}</div></td>`,
      )}</tr>`,
  )
  return html`<table><caption class="unseen">${title}</caption><thead><tr>${heads}</tr></thead>
<tbody>${body}</tbody></table>`
}

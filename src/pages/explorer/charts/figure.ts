/** A drawing with its title, its legend, notes on missing data, and the same numbers as a table. */
import { type Html, html } from '../../html.ts'
import { type Drawing, type Kind, type Series, short, unitWords } from './drawing.ts'
import { partsHeight, partsOf } from './parts.ts'
import { HEIGHT, plotOf, WIDTH } from './plot.ts'
import { STATES_HEIGHT, statesOf } from './states.ts'
import { ticksHeight, ticksOf } from './ticks.ts'

export interface FigureOptions {
  /** An id that distinguishes the drawings of a page. */
  id: string
  /** The page that has all rows; null on that page itself. */
  page: string | null
}

export function figureOf(drawing: Drawing, { id, page }: FigureOptions): Html {
  const { kind, title, unit, series, notes } = drawing
  const { height, draw } = shapeOf(drawing)
  const words = unitWords(unit)
  return html`<figure class="chart">
<figcaption>${page === null ? title : html`<a href="${page}">${title}</a>`}${words && html` <span class="unit">${words}</span>`}</figcaption>
${legendOf(kind, series)}
<svg viewBox="0 0 ${WIDTH} ${height}" role="img" aria-labelledby="${id}-title ${id}-says"><title id="${id}-title">${title}</title><desc id="${id}-says">${describe(drawing)}</desc>
${draw(drawing)}</svg>
${notes.map((note) => html`<p class="says">${note}</p>`)}
${numbersOf(drawing)}
</figure>
`
}

function shapeOf(drawing: Drawing): { height: number; draw: (drawing: Drawing) => Html } {
  switch (drawing.kind) {
    case 'parts':
      return { height: partsHeight(drawing), draw: partsOf }
    case 'states':
      return { height: STATES_HEIGHT, draw: statesOf }
    case 'ticks':
      return { height: ticksHeight(drawing), draw: ticksOf }
    default:
      return { height: HEIGHT, draw: plotOf }
  }
}

/**
 * One series needs no legend: the title names it. A drawing of marks (`ticks`) has the label of each series at its row.
 */
function legendOf(kind: Kind, series: readonly Series[]): Html | null {
  const swatch = (name: string, label: string) =>
    html`<li><svg viewBox="0 0 10 10" width="10" height="10" aria-hidden="true"><rect class="${name}" width="10" height="10" rx="2"/></svg>${label}</li>`
  if (kind === 'band') {
    const [lower, main, upper] = series
    return html`<ul class="legend">${swatch('s1', main!.label)}${swatch('band', `${lower!.label} to ${upper!.label.toLowerCase()}`)}</ul>`
  }
  return series.length < 2 || kind === 'ticks'
    ? null
    : html`<ul class="legend">${series.map(({ label }, n) => swatch(`s${n + 1}`, label))}</ul>`
}

/** Describes the drawing for screen readers: its range, and the highest and lowest value of each series. */
function describe({ kind, labels, series, unit }: Drawing): string {
  const reach = labels.length === 1 ? labels[0]! : `${labels.length} values, ${labels[0]} to ${labels.at(-1)}`
  const each = series.map(({ label, values, texts }) => {
    if (kind === 'ticks') return `${label}: ${texts.join(', ')}`
    const stated = values.filter((value) => value !== null)
    if (stated.length === 0) return `${label}: not stated`
    const [least, most] = [Math.min(...stated), Math.max(...stated)]
    const text = (value: number) => short(value, unit, stated)
    return `${label}: least ${text(least)}, most ${text(most)}, last ${text(stated.at(-1)!)}`
  })
  return `${[reach, ...each].join('. ')}. The numbers are in the table below.`
}

function numbersOf({ title, by, labels, series }: Drawing): Html {
  const line = (label: string, n: number) =>
    html`<tr><th scope="row">${label}</th>${series.map(({ texts }) => html`<td class="number">${texts[n]}</td>`)}</tr>\n`
  return html`<details class="numbers"><summary>Numbers</summary><div class="wide" tabindex="0" role="region" aria-label="${`Numbers: ${title}`}"><table class="rows"><caption class="unseen">${title}</caption>
<thead><tr><th scope="col">${by}</th>${series.map(({ label }) => html`<th scope="col" class="number">${label}</th>`)}</tr></thead>
<tbody>
${labels.map(line)}</tbody></table></div></details>`
}

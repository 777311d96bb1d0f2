/** The charts of a page: of its own answer, and of the linked answers that it requests. */
import { type Html, html } from '../html.ts'
import { drawingsOf } from './chart-of.ts'
import { figureOf } from './charts/figure.ts'
import { countsChart } from './counts-chart.ts'
import { CHARTS } from './declared-charts.ts'
import type { Linker } from './linker.ts'
import { isObject } from './shape.ts'

/** An answer from which charts are drawn. */
export interface Source {
  /** The name of the operation that gave the answer. */
  name: string
  answer: unknown
  /** Address in the API; null for the answer that the page itself shows. */
  url: string | null
}

export interface Charts {
  /** Null if nothing is to be drawn. */
  section: Html | null
  /** Members of the page's own answer whose rows are drawn. */
  drawn: ReadonlySet<string>
  titles: ReadonlySet<string>
}

/**
 * Draws all charts; if charts of two answers have the same title, only the first is drawn.
 *
 * @param before titles of charts that the page already has: they are not drawn again
 * @param idsFrom number that is added to the ids of the charts, so that they differ from ids that are already on the
 * page
 * @param later the placeholder for charts that come later; it follows these charts
 */
export function chartsOf(
  sources: readonly Source[],
  links: Linker,
  {
    before = new Set(),
    idsFrom = 0,
    later = null,
  }: { before?: ReadonlySet<string>; idsFrom?: number; later?: Html | null } = {},
): Charts {
  const titles = new Set(before)
  const drawn = new Set<string>()
  const figures = sources.flatMap(({ name, answer, url }) => {
    if (!isObject(answer)) return []
    const page = url === null ? null : links.pageOf(url)
    return [
      ...countsChart(answer, url === null ? 'Rows' : (links.titleAt(url) ?? 'Rows')),
      ...(CHARTS[name] ?? []),
    ].flatMap((chart) =>
      drawingsOf(chart, answer).flatMap((drawing) => {
        if (titles.has(drawing.title)) return []
        titles.add(drawing.title)
        if (url === null && typeof chart.rows === 'string' && drawing.kind !== 'parts') drawn.add(chart.rows)
        return [figureOf(drawing, { id: `chart-${idsFrom + titles.size}`, page })]
      }),
    )
  })
  const isEmpty = figures.length === 0 && later === null
  const section = isEmpty ? null : html`<section class="charts" aria-label="Charts">${figures}${later}</section>`
  return { section, drawn, titles }
}

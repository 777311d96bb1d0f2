/** Real brochures, in a zip as IARD packs them. A person read their content in another program. */
import assert from 'node:assert/strict'
import { readFile } from 'node:fs/promises'
import path from 'node:path'
import { test } from 'node:test'
import type { BrochureSearchPage } from '../../../src/datasets/brochures/answers.ts'
import { search } from '../../../src/datasets/brochures/routes.ts'
import { openLibrary } from '../../support/brochures-made.ts'
import { testContext } from '../../support/context.ts'
import { corpus } from '../../support/corpus.ts'

/** CRD numbers are invented, except the first, which its file states. Page counts come from other programs. */
const FILES = [
  ['108102', '1_1_20260101', '108102_fairview-capital_adv2a.pdf', 18],
  ['108102', '2_1_20260101', '108102_fairview-capital_crs.pdf', 2],
  ['999000002', '3_1_20260101', 'build-asset-management_adv2a.pdf', 17],
  ['999000002', '4_1_20260101', 'build-asset-management_crs.pdf', 3],
  ['999000003', '5_1_20260101', 'klein-wealth_adv2a.pdf', 7],
  ['999000003', '6_1_20260101', 'klein-wealth_adv2b.pdf', 5],
  ['999000004', '7_1_20260101', 'top-shelf-private-wealth_adv2a.pdf', 18],
  ['999000005', '8_1_20250321', 'ufpg_adv2a_2025-03-21.pdf', 21],
  ['999000005', '8_2_20260331', 'ufpg_adv2a_2026-03-31.pdf', 21],
] as const

test(
  'real brochures become versions with pages and items, and a search finds the firms that mention a word',
  corpus,
  async (t) => {
    const { zip, sql } = await openLibrary(t)
    const members = await Promise.all(
      FILES.map(async ([crd, number, file]) => {
        const bytes = await readFile(path.join(corpus.folder, 'adviserinfo/brochures', file))
        return [`${crd}_${number}.pdf`, bytes] as const
      }),
    )
    const [outcome] = await zip('ADV_Brochures_2026_March.zip', Object.fromEntries(members))
    assert.deepEqual([outcome!.error, outcome!.result!.added, outcome!.result!.refused], [null, FILES.length, 0])

    const versions = await sql<{ name: string; kind: string; pages: number; items: string[] }[]>`
    select source_filename as name, kind, page_count as pages,
      (select array_agg(distinct section order by section) from brochures.passage p where p.id = v.id and section is not null) as items
    from brochures.version v`
    for (const [crd, number, file, pages] of FILES) {
      const found = versions.find(({ name }) => name === `${crd}_${number}.pdf`)!
      assert.deepEqual({ file, kind: found.kind, pages: found.pages }, { file, kind: 'text', pages })
      if (!file.includes('adv2a')) continue
      const items = found.items.map(Number).sort((a, b) => a - b)
      const wanted = Array.from({ length: 18 }, (_, at) => at + 1).filter((item) => items.includes(item))
      assert.ok(wanted.length >= 16, `${file} has the items ${items}`)
    }

    const snippets = async (q: string) => {
      const input = search.input.parse({ q, size: '50' })
      const { rows } = (await search.run(input, testContext(sql))) as BrochureSearchPage
      return rows
    }
    const firms = async (q: string) => (await snippets(q)).map(({ crd }) => Number(crd) % 1000).sort((a, b) => a - b)
    // The brochure of Klein Wealth has these words in its supplement (Part 2B).
    assert.deepEqual(await firms('"bankruptcy petition"'), [3, 4])
    assert.deepEqual(await firms('"wrap fee"'), [4, 5])
    // Top Shelf writes "soft-dollar" with a hyphen.
    assert.deepEqual(await firms('"soft dollar"'), [2, 4, 5])
    assert.deepEqual(await firms('"class action"'), [5])
    assert.deepEqual(await firms('fidelity'), [2, 3])
    // The texts are about fees of athletes by the stage of their career, the adviser of a trust and of an ETF, and a
    // discount for foundations.
    assert.deepEqual(await firms('athlete "Rookie Foundations"'), [4])
    assert.deepEqual(await firms('"collective investment trust" "Build ETF"'), [2])
    assert.deepEqual(await firms('eleemosynary'), [102])
    const bankruptcy = (await snippets('"bankruptcy petition"')).find(({ crd }) => crd === '999000004')
    assert.deepEqual(
      bankruptcy!.excerpts.map(({ section_id }) => section_id),
      ['18'],
    )
    assert.match(bankruptcy!.excerpts[0]!.html, /<mark>bankruptcy petition<\/mark>/i)
  },
)

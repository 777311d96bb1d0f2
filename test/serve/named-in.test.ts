/**
 * Every identifier in a row opens at the page that x-entities gives for it, even if no index lists the identifier and
 * no manager holds the security.
 */
import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { profile } from '../../src/datasets/companies/routes.ts'
import { isFilings, relationsOf } from '../../src/declare/dataset.ts'
import { mentionsOf } from '../../src/declare/mentions.ts'
import type { Route } from '../../src/declare/route.ts'
import { columnType, type Entity, storedColumns } from '../../src/declare/table.ts'
import { detail as filing } from '../../src/products/filings/lookup.ts'
import { unheld } from '../../src/products/securities/queries/unheld.ts'
import { detail as security } from '../../src/products/securities/routes.ts'
import registry from '../../src/registry.ts'
import { indexDdl } from '../../src/store/ddl.ts'
import { testContext } from '../support/context.ts'
import { openSampledWorld } from '../support/sampled.ts'

const world = await openSampledWorld({ after })
const { sql } = world
const context = testContext(sql, { catalog: registry, submissions: world.submissions })

async function opened(route: Route, input: Record<string, string>) {
  const answer = (await route.run(route.input.parse(input), context)) as Record<string, unknown> | null
  if (answer) assert.deepEqual(route.output!.safeParse(answer).error?.issues ?? [], [], JSON.stringify(input))
  return answer
}

/** Returns the values of all stored columns of one kind, each once. */
async function valuesOf(entity: Entity): Promise<string[]> {
  const columns = registry.slices.flatMap((slice) =>
    relationsOf(slice).flatMap((relation) =>
      Object.entries(storedColumns(relation)).flatMap(([column, type]) => {
        const { entity: own, kind } = columnType(type)!
        return own === entity && kind === 'text' ? [{ relation: relation.id, column }] : []
      }),
    ),
  )
  const found = new Set<string>()
  for (const { relation, column } of columns) {
    const rows = await sql<{ value: string }[]>`
      select distinct ${sql(column)} as value from ${sql(relation)} where ${sql(column)} is not null`
    for (const { value } of rows) found.add(value)
  }
  return [...found]
}

test('an identifier is looked up in columns that are the first column of an index', () => {
  const missing = registry.slices.flatMap((slice) =>
    (['cik', 'cusip'] as const).flatMap((entity) =>
      mentionsOf([slice], entity).flatMap(({ relation, column }) => {
        const begins = new RegExp(`^create index on x\\.${relation.name} \\(${column}\\b`)
        const isLed = relation.primaryKey[0] === column || indexDdl(slice, 'x').some((index) => begins.test(index))
        return isLed ? [] : [`${relation.id}.${column}`]
      }),
    ),
  )
  assert.deepEqual(missing, [])
})

test('the page of every CIK in a row of the sample opens', async () => {
  const ciks = await valuesOf('cik')
  const sources = new Map<string, number>()
  const refused: string[] = []
  for (const cik of ciks) {
    const { source } = ((await opened(profile, { cik })) ?? {}) as { source?: string }
    if (source === undefined) refused.push(cik)
    else sources.set(source, (sources.get(source) ?? 0) + 1)
  }
  assert.deepEqual(refused, [])
  assert.ok(sources.get('rows')! > 20 && sources.get('submissions')! > 5, JSON.stringify([...sources]))
})

test('a CIK that occurs only in rows has the name and the role from these rows, and nothing else', async () => {
  const [row] = await sql<{ exchange_cik: string; exchange_name: string; accession: string; filed_date: string }[]>`
    select exchange_cik, exchange_name, accession, filed_date from form25.removal r
    where not exists (select from edgar.filer_search s where s.cik = r.exchange_cik) and exchange_name is not null
    order by filed_date desc, accession desc limit 1`
  const { exchange_cik: cik, exchange_name: name, accession, filed_date } = row!
  const answer = (await opened(profile, { cik }))!
  const { named_in, ...found } = answer as { named_in: Record<string, unknown>[] } & Record<string, unknown>
  assert.deepEqual(named_in[0], {
    ...{ dataset: 'form25', role: 'exchange', meaning: 'CIK of the exchange', name, accession, filed_date },
  })
  assert.deepEqual([found.name, found.source, found.as_of, found.filing_count], [name, 'rows', filed_date, 0])
  assert.deepEqual([found.sic, found.tickers, found.business_address], [null, [], null])
})

test('a CIK whose rows have no name has a null name, and a CIK in no row is not found', async () => {
  await sql`update form144.notice set seller_cik = '0009999901' where accession = (select min(accession) from form144.notice)`
  const { name, named_in } = (await opened(profile, { cik: '9999901' })) as { name: unknown; named_in: unknown[] }
  assert.deepEqual([name, named_in.length], [null, 1])
  await assert.rejects(opened(profile, { cik: '9999902' }).then((answer) => assert.ok(answer)))
})

test('the page of every CUSIP from ownership, votes or issuer identifiers opens, whether or not a manager holds the security', async () => {
  const named = await sql<{ cusip: string }[]>`
    select cusip from identifiers.best union select cusip from schedule13.security union
    select cusip from npx.vote where cusip is not null`
  const whole = named.filter(({ cusip }) => /^[A-Za-z0-9]{9}$/.test(cusip))
  const unheld: string[] = []
  for (const { cusip } of whole) {
    const answer = (await opened(security, { cusip })) as { sec_id: string; f13: { holders: unknown[] } } | null
    assert.ok(answer, cusip)
    const [held] = await sql`select from securities.security where sec_id = ${answer.sec_id}`
    if (held) continue
    unheld.push(cusip)
    assert.deepEqual([answer.sec_id, answer.f13.holders], [cusip.toUpperCase(), []])
  }
  assert.ok(unheld.length > 0 && unheld.length < whole.length, `${unheld.length} of ${whole.length}`)
})

test('a security without holders and without a name in its rows has its CUSIP as its name', async () => {
  const [row] = await sql<{ accession: string }[]>`select accession from schedule13.report limit 1`
  await sql`
    insert into schedule13.security (accession, cusip, position) values (${row!.accession}, '999999ZZ9', 99)`
  const answer = (await opened(security, { cusip: '999999zz9' }))!
  assert.deepEqual([answer.issuer_name, answer.cik, answer.company_url], ['999999ZZ9', null, null])
  const none = opened(security, { cusip: '999999ZZ8' })
  await assert.rejects(none.then((found) => assert.ok(found)))
})

test('a filing that occurs only in financial figures opens with its form, date and companies', async () => {
  const [listed] = await sql<{ accession: string }[]>`
    select f.accession from facts.filing f left join edgar.filing e using (accession) where e.accession is null limit 1`
  const { accession } = listed!
  const answer = (await opened(filing, { accession })) as {
    header: { cik: string; form_type: string; source_url: string; filers: { cik: string }[] }
    documents: unknown[]
    documents_note: string
  }
  const rows = await sql<
    { cik: string; form: string }[]
  >`select cik, form from facts.filing where accession = ${accession}`
  assert.deepEqual([answer.header.cik, answer.header.form_type], [rows[0]!.cik, rows[0]!.form])
  assert.match(answer.header.source_url, new RegExp(`/data/${Number(rows[0]!.cik)}/${accession}\\.txt$`))
  assert.deepEqual([answer.documents, answer.header.filers.length], [[], rows.length])
  assert.match(answer.documents_note, /no loaded index lists/)
})

test('CRD numbers of broker-dealers, portals and officers do not open as advisers', () => {
  const of = (entity: Entity) =>
    registry.slices
      .filter(isFilings)
      .flatMap((slice) =>
        relationsOf(slice).flatMap((relation) =>
          Object.entries(storedColumns(relation)).flatMap(([name, type]) =>
            columnType(type)?.entity === entity ? [`${relation.id}.${name}`] : [],
          ),
        ),
      )
  const firms = of('firm')
  for (const name of ['formd.recipient.crd', 'crowdfunding.submission.intermediary_crd', 'rega.offering.broker_crd']) {
    assert.ok(firms.includes(name), name)
  }
  assert.deepEqual(of('individual'), ['ncen.person.indvl_pk'])
})

test('a placeholder in place of a CUSIP is never taken for a security, in any source', async () => {
  const named = async () => [{ name: 'SOMEBODY INC' }]
  assert.equal(await unheld(sql, '000000000', named), null)
  assert.equal((await unheld(sql, '037833999', named))?.issuer_name, 'SOMEBODY INC')
})

/** Keeps the numbers of securities in line with what covers, funds and EDGAR's lists say: runs the files of make/ in order. */
import type { Refresh } from '../../declare/refresh.ts'
import { areAlike } from '../../names.ts'
import { copy } from '../../store/copy.ts'
import type { Transaction } from '../../store/db.ts'
import { runFile } from '../../store/file.ts'
import { type Listed, matcherOf } from './named.ts'

const file = (name: string) => new URL(`make/${name}.sql`, import.meta.url)
const [TOUCHED, EVERYBODY, SECURITY, SAID] = [file('touched'), file('everybody'), file('security'), file('said')]
const [PAIRS, FOUND, BEST] = [file('pairs'), file('found'), file('best')]

/** Issuers made at once; one has some ten securities. */
const ISSUERS_MAX = 5_000

/**
 * Issuers by the first six characters of a CUSIP: what one of its securities says counts for the others. What EDGAR's lists of
 * tickers and names say anew of a company is seen for the issuers that are known to be it; for others when they are made next.
 */
export const refresh: Refresh = {
  follows: {
    schedule13: async (tx, accessions) => {
      const rows = await tx<{ issuer: string }[]>`
        select distinct substr(cusip, 1, 6) as issuer from pub.schedule13_security
        where accession = any(${accessions as string[]})`
      return rows.map(({ issuer }) => issuer)
    },
  },

  async make(tx, keys) {
    await runFile(tx, TOUCHED)
    const issuers = keys ?? (await everybody(tx))
    const listed = matcherOf(await listedCompanies(tx))
    for (let at = 0; at < issuers.length; at += ISSUERS_MAX) {
      await makeSome(tx, issuers.slice(at, at + ISSUERS_MAX), listed)
    }
  },
}

async function everybody(tx: Transaction): Promise<string[]> {
  const rows = await runFile<{ issuer: string }>(tx, EVERYBODY)
  return rows.map(({ issuer }) => issuer)
}

async function makeSome(tx: Transaction, issuers: readonly string[], match: (name: string) => Listed | null) {
  await runFile(tx, TOUCHED)
  await tx`insert into touched select distinct unnest(${issuers as string[]}::text[])`
  await tx`analyze touched`
  await runFile(tx, SECURITY)
  await runFile(tx, SAID)
  const pairs = await runFile<{ cik: string; name: string; company: string | null }>(tx, PAIRS)
  const alike = pairs.map(({ cik, name, company }) => [cik, name, company, company && areAlike(name, company)])
  await copy(tx, 'alike', ['cik', 'name', 'company', 'is_alike'], [alike])
  const names = await tx<{ cusip: string; name: string }[]>`select cusip, name from security`
  await copy(tx, 'named', ['cusip', 'cik', 'company'], [namedOf(names, match)])
  await runFile(tx, FOUND)
  await runFile(tx, BEST)
}

/** Securities whose names are those of one company: where two of its names lead to two companies, it is neither's. */
function namedOf(names: readonly { cusip: string; name: string }[], match: (name: string) => Listed | null) {
  return [...Map.groupBy(names, ({ cusip }) => cusip)].flatMap(([cusip, of]) => {
    const found = of.flatMap(({ name }) => match(name) ?? [])
    const [one] = found
    return one && found.every(({ cik }) => cik === one.cik) ? [[cusip, one.cik, one.name]] : []
  })
}

const listedCompanies = (tx: Transaction) => tx<Listed[]>`
  select distinct t.cik, c.name from pub.companies_ticker t join pub.companies_company c using (cik)`

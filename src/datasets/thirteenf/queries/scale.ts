/**
 * Decides between dollars and thousands for filings whose own prices leave a doubt. Uses the prices in reports of other
 * managers about the same securities and quarter. Runs after loading and only on stored rows, so the scale of a filing
 * does not depend on the order of loading.
 *
 * Only two of the 297 tables of the corpus are ambiguous, and no other manager in the corpus reports their securities.
 * Platinum Equity needs this: in 2026 it added one position to each of several quarters since 2021, and the positions
 * of quarters before 2023 are in thousands (0001104659-26-001158).
 */
import { NO_QUARTER, storedQuarter } from '../../../declare/quarter.ts'
import type { Transaction } from '../../../store/db.ts'
import { type Compared, DOLLARS_SINCE, scaleByOthers, speakAgainstBoth } from '../report/scale.ts'
import { isInDoubt } from './composed.ts'

/** Number of a filing's largest securities that are compared. */
const SECURITIES = 20
/** Number of other managers' lines that are read for a price: the largest by value, in the order of the index. */
const LINES = 200
/** Minimum number of other managers whose lines make a price usable. */
const MANAGERS = 3

const isUnsure = (tx: Transaction) => tx`r.position_count > 0 and ${isInDoubt(tx, 'r')}`

/** Returns managers that have a doubtful filing about one of these quarters. */
export async function managersInDoubt(tx: Transaction, quarters: readonly string[]): Promise<string[]> {
  const rows = await tx<{ cik: string }[]>`
    select distinct r.cik from unnest(${quarters as string[]}::date[]) quarter
    join report r on r.period ${within(tx)} and ${isUnsure(tx)} where r.cik is not null`
  return rows.map(({ cik }) => cik)
}

const within = (tx: Transaction) => tx`between date_trunc('quarter', quarter)::date and quarter`

interface InDoubt {
  accession: string
  cik: string
  period: string
  filed_date: string
  /** The scale of the filing's stored values. */
  scale: number
  /** True if the filing's own prices determine a unit that the filing date contradicts. */
  is_implied: boolean
}

/** Decides all doubtful filings of these managers; null means all managers. A filing of one security needs 1 ms. */
export async function decideByOthers(tx: Transaction, ciks: readonly string[] | null): Promise<void> {
  const ofThese = ciks ? tx`cik = any(${ciks as string[]})` : tx`cik is not null`
  await tx`delete from rescaled where ${ofThese}`
  const filings = await tx<InDoubt[]>`
    select r.accession, r.cik, r.period, r.filed_date, r.scale, r.scale_reason = 'implied prices' as is_implied from report r
    where ${isUnsure(tx)} and r.period is not null and ${ofThese} order by r.period, r.accession`
  const byQuarter = Map.groupBy(filings, ({ period }) => storedQuarter(period))
  // Filings with an unknown quarter cannot be compared, because two of them may be about different quarters.
  byQuarter.delete(NO_QUARTER)
  for (const [quarter, own] of byQuarter) {
    const known = new Prices(tx, quarter)
    for (const filing of own) await decide(tx, quarter, filing, known)
  }
}

async function decide(tx: Transaction, quarter: string, filing: InDoubt, known: Prices): Promise<void> {
  const { accession, cik, scale: stored, is_implied: isImplied } = filing
  const lines = await tx<{ cusip: string; price: number }[]>`
    select ${plainCusip(tx)} as cusip, (sum(value) / sum(amount) / ${stored})::float8 as price from position
    where accession = ${accession} and quarter = ${quarter} and coalesce(cusip_flag, '') <> 'placeholder'
      and ${isPriced(tx)}
    group by 1 order by sum(value) desc, 1 limit ${SECURITIES}`
  const compared: Compared[] = []
  for (const { cusip, price } of lines) {
    const others = await known.besides(cik, cusip)
    if (others !== null) compared.push({ price, others })
  }
  const how = { stored, securities: lines.length }
  const byOthers = scaleByOthers(compared, how)
  const found = byOthers ?? (isImplied && speakAgainstBoth(compared, how) ? byDay(filing, compared.length) : null)
  if (found === null || (isImplied && found.factor === stored)) return
  const { factor, compared: securities, agreed } = found
  await tx`
    insert into rescaled ${tx({ accession, cik, scale: factor, stored, compared: securities, agreed })}`
}

/**
 * Falls back to the unit that the form asked for on the filing date. The result states that no price agrees with this
 * unit.
 */
const byDay = ({ filed_date: filed }: InDoubt, compared: number) =>
  ({ factor: filed < DOLLARS_SINCE ? 1000 : 1, compared, agreed: 0 }) as const

/**
 * SQL of a CUSIP as it is compared: in capitals, as in compose.ts, and with the zero that a spreadsheet dropped from a
 * CUSIP of eight digits.
 */
const plainCusip = (tx: Transaction) => tx`case when cusip ~ '^[0-9]{8}$' then '0' || cusip else upper(cusip) end`

/** Returns the spellings in which a CUSIP may be filed, since the index on positions has it as filed. */
const spellings = (cusip: string): string[] => [
  ...new Set([cusip, cusip.toLowerCase(), ...(/^0\d{8}$/.test(cusip) ? [cusip.slice(1)] : [])]),
]

/** Selects lines whose value divided by amount is the price of a share. */
const isPriced = (tx: Transaction) =>
  tx`cusip is not null and put_call is null and kind is distinct from 'PRN' and value > 0 and amount > 0`

/**
 * Looks up dollars per share at the end of a quarter, as implied by reports whose own prices leave no doubt about their
 * unit.
 */
class Prices {
  readonly #tx: Transaction
  readonly #quarter: string
  /** Prices by manager, for each requested CUSIP. */
  readonly #known = new Map<string, readonly { cik: string; price: number }[]>()

  constructor(tx: Transaction, quarter: string) {
    this.#tx = tx
    this.#quarter = quarter
  }

  /** Returns the median price of the other managers; null if they are fewer than three. */
  async besides(cik: string, cusip: string): Promise<number | null> {
    let all = this.#known.get(cusip)
    if (all === undefined) {
      all = await this.#of(cusip)
      this.#known.set(cusip, all)
    }
    const prices = all.filter((other) => other.cik !== cik).map(({ price }) => price)
    return prices.length < MANAGERS ? null : prices[prices.length >> 1]!
  }

  /** Returns the prices in ascending order. */
  #of(cusip: string) {
    return this.#tx<{ cik: string; price: number }[]>`
      select p.cik, (sum(p.value) / sum(p.amount))::float8 as price
      from (
        select own.* from unnest(${spellings(cusip)}::text[]) spelling
        cross join lateral (
          select accession, cik, value, amount, n from position
          where quarter = ${this.#quarter} and cusip = spelling and ${isPriced(this.#tx)}
          order by value desc, cik, accession, n limit ${LINES}
        ) own
        order by value desc, cik, accession, n limit ${LINES}
      ) p
      join report r using (accession)
      where p.cik is not null and r.scale_reason = 'implied prices'
      group by p.cik order by price, p.cik`
  }
}

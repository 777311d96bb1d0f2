/**
 * Invented people of the bundled sample and their employers, all of them specimens: no real firm gets invented moves.
 */
import type { Firm } from './firm.ts'
import type { Person } from './people.ts'
import { inventedOn } from './sample-invented.ts'

/**
 * Specimens by letter; `X` is a firm that is no longer in any feed, and `c` is the firm Planning under its former name.
 */
const FIRMS: Record<string, number> = { A: 1, S: 2, W: 3, P: 4, G: 6, L: 7, N: 8, C: 9, c: 9, X: 99 }
const NAMES: Record<string, string> = {
  X: 'OPENFILINGS SPECIMEN DEFUNCT ADVISERS LLC',
  c: 'OPENFILINGS SPECIMEN COUNSEL LLC',
}

/**
 * Each line has the number of a person, and then the person's stints: firm, first day, and last day, which is missing
 * for the current employer. A line that ends in a dash is a person who is only in the first of the sample's feeds.
 */
const STINTS = `0001 A2012-03-05
0002 A2014-06-02
0003 W2010-05-03/2015-01-30 A2015-02-02
0004 S2011-09-12/2016-04-29 A2016-05-02
0005 P2013-01-14/2018-08-31 A2018-09-04
0006 A2013-07-01/2019-02-28 W2019-03-04
0007 A2015-10-05/2020-06-30 S2020-07-06
0008 A2016-02-01/2021-11-30 P2021-12-01
0009 X2008-04-01/2017-03-31 A2017-04-03
0010 W2012-08-06/2017-12-29 A2018-01-02/2022-05-31 C2022-06-06
0011 A2019-01-07/2023-03-31 G2023-04-10
0012 C2016-09-06/2023-07-28 A2023-08-01
0013 S2018-03-05/2024-02-29 A2024-03-04
0014 A2020-09-08/2024-12-31 W2025-01-06
0015 A2021-05-03
0016 W2015-11-02/2025-05-30 A2025-06-02
0017 A2022-10-03/2025-09-30 N2026-07-01
0018 G2014-02-03/2026-02-27 A2026-03-02
0019 A2023-04-03/2026-05-29 S2026-06-01
0020 A2024-01-08/2025-03-14 W2025-03-17/2025-11-28 A2025-12-01
0021 W2009-01-12
0022 W2011-04-04
0023 S2009-06-01/2013-05-31 W2013-06-03
0024 P2010-10-04/2014-09-30 W2014-10-06
0025 W2014-03-03/2016-07-29 S2016-08-01
0026 W2016-05-02/2021-01-29 P2021-02-01
0027 X2006-02-06/2018-06-29 W2018-07-02
0028 C2019-03-04/2022-08-31 W2022-09-06
0029 W2020-02-03/2024-06-28 G2024-07-01
0030 W2021-07-06
0031 S2008-03-03
0032 S2015-01-05
0033 P2012-05-07/2019-10-31 S2019-11-04
0034 S2017-06-05/2023-10-31 C2023-11-06
0035 S2019-08-05/2025-08-29 N2026-06-29
0036 P2011-11-07
0037 P2016-03-07
0038 S2013-02-04/2020-01-31 P2020-02-03
0039 P2018-04-02/2026-01-30 W2026-02-02
0040 G2019-05-06/2024-04-30 P2024-05-06
0041 L2010-02-01/2019-06-14 W2019-06-14
0042 L2011-08-01/2019-06-14 W2019-06-14
0043 S2010-01-04/2013-12-31 L2014-01-06/2019-06-14 W2019-06-14
0044 L2015-09-08/2019-06-14 W2019-06-14
0045 L2018-03-05/2019-06-14 W2019-06-14
0046 G2012-06-04/2016-04-29 L2016-05-02/2019-06-14 W2019-06-14
0047 L2016-02-01/2019-06-14 W2019-06-14
0048 L2017-10-09/2019-06-14 W2019-06-14
0049 P2015-03-02/2024-08-30 A2024-09-03
0050 c2015-06-01/2018-10-01 C2018-10-01
0051 c2016-01-04/2018-10-01 C2018-10-01
0052 c2017-07-03/2018-10-01 C2018-10-01
0053 W2011-02-07/2016-10-31 c2016-11-07/2018-10-01 C2018-10-01
0054 c2017-08-07/2018-10-01 C2018-10-01
0055 c2018-04-04/2018-10-01 C2018-10-01
0056 A2019-04-01 S2022-01-10
0057 W2015-01-05/2021-03-31 A2020-11-02
0058 S2012-04-02/2023-12-29
0059 N2019-06-25
0060 G2018-09-04
0061 A2015-04-06 -
0062 S2012-01-09/2018-01-31 A2018-02-05 -`

const GONE = '2024-01-01'

/**
 * Returns the people in the feed of a day. A person whose first registration is later than this day is not in the feed
 * yet.
 */
export function peopleOn(day: string): Person[] {
  const firms = new Map(inventedOn(day).map((firm) => [firm.crd, firm]))
  return STINTS.split('\n').flatMap((stint) => {
    const [number, ...rest] = stint.split(' ') as [string, ...string[]]
    const stints = rest.filter((stint) => stint !== '-' && stint.slice(1, 11) <= day)
    const isGone = rest.at(-1) === '-' && day >= GONE
    return isGone || stints.length === 0 ? [] : [personOf(number, stints, day, firms)]
  })
}

const month = (day: string) => `${day.slice(5, 7)}/${day.slice(0, 4)}`

function personOf(number: string, stints: readonly string[], today: string, firms: ReadonlyMap<number, Firm>): Person {
  const person: Person = {
    pk: 990_000_000 + Number(number),
    first: 'SAMPLE',
    middle: Number(number) % 3 === 0 ? 'Q' : null,
    last: `PERSON ${number}`,
    suffix: null,
    agency: false,
    otherNames: Number(number) % 10 === 0 ? [{ first: 'SAMPLE', last: `ALIAS ${number}` }] : [],
    current: [],
    previous: [],
    history: [],
    exams: [{ code: 'S65', name: 'Uniform Investment Adviser Law Examination', day: stints[0]!.slice(1, 11) }],
    designations: [],
    business: null,
    disclosures: number === '0007' ? ['CustComp'] : [],
  }
  for (const stint of stints) {
    const crd = 999_000_000 + FIRMS[stint[0]!]!
    const firm = firms.get(crd)
    const name = NAMES[stint[0]!] ?? firm!.business
    const [begin, last] = stint.slice(1).split('/') as [string, string?]
    const end = last !== undefined && last <= today ? last : undefined
    const { city = null, state = null } = firm?.office ?? {}
    if (end !== undefined) person.previous.unshift({ crd, name, begin, end, city, state })
    else {
      const registrations = [{ regulator: state!, category: 'RA', status: 'APPROVED', day: begin }]
      person.current.push({ crd, name, office: firm!.office, registrations })
    }
    person.history.unshift({ from: month(begin), to: end === undefined ? null : month(end), name, city, state })
  }
  return person
}

/** Invented schedules: owners, offices, private funds, separate accounts, relations, disclosures. */
import type { Answers, Line, Schedules } from './firm.ts'
import { type FundScale, fundOf, number } from './funds.ts'
import type { Place } from './places.ts'
import { american, dayName, Random } from './random.ts'

export interface Scale extends FundScale {
  crd: number
  place: Place
  owners: number
  branches: number
  disclosures: number
  answers: Answers
  /** Identifier of an individual in the individual feed. */
  person: (random: Random) => number
  /** Name of the individual: `PERSON 000123`. */
  lastName: (pk: number) => string
}

const STREAM = 201

export function schedulesOf(scale: Scale): Schedules {
  const random = new Random(scale.seed, STREAM, scale.index)
  return {
    lines: { ...plainLines(random, scale), ...disclosures(random, scale) },
    funds: Array.from({ length: scale.funds }, (_, at) => fundOf(scale, at)),
  }
}

function plainLines(random: Random, scale: Scale): Record<string, Line[]> {
  const { place, answers, crd } = scale
  const lines: Record<string, Line[]> = {
    Schedule_A_B: Array.from({ length: scale.owners }, (_, at) => owner(random, scale, at)),
    Schedule_D_1F: Array.from({ length: scale.branches }, (_, at) => ({
      'Street 1': `${at + 1} BRANCH STREET`,
      City: place.city,
      State: place.state,
      Country: place.country,
      'Postal Code': place.postal,
      'Private Residence': 'N',
      'Telephone Number': '212-555-0100',
      'Branch Number': String(700_000 + (crd % 1000) * 100 + at),
      Employees: String(random.int(1, 20)),
      BD: 'N',
      Bank: 'N',
      Insurance: random.yes(0.1),
      Commodity: 'N',
      Municipal: 'N',
      Accounting: random.yes(0.05),
      Law: 'N',
    })),
  }
  if (answers['1I'] === 'Y') lines.Schedule_D_1I = [{ Website: `HTTPS://WWW.SAMPLE-${crd}.EXAMPLE` }]
  if (random.chance(0.15)) {
    const state = place.state ?? 'NY'
    lines.Schedule_D_1B = [{ 'Other Business Name': `${scale.name.split(' ')[0]} WEALTH`, [state]: 'Y' }]
  }
  if (random.chance(0.3)) {
    lines.Schedule_D_Books_and_Records = [
      {
        Name: 'SAMPLE ARCHIVE 01 INC.',
        'Street 1': '1 VAULT ROAD',
        City: 'RENO',
        State: 'NV',
        Country: 'United States',
        'Postal Code': '89501',
        'Private Residence': 'N',
        Type: 'Other',
        Description: 'ELECTRONIC RECORDS –\nKEPT "OFF" SITE, IN RENO',
      },
    ]
  }
  if (random.chance(0.05)) lines['1D3_CIK'] = [{ CIK: 8_000_000_000 + crd }]
  if (random.chance(0.5)) lines.ADV_1J_1K = [{ '1J1 Name': 'SAMPLE PERSON', '1K Name': '' }]
  if (answers['5K1'] === 'Y') {
    const [first, second] = [random.int(10, 90), random.int(1, 10)]
    const shares: Line = {
      '5K(1)(a)(i)MID': first,
      '5K(1)(a)(i)EOY': first,
      '5K(1)(a)(ii)MID': second,
      '5K(1)(a)vi)EOY': 100 - first,
    }
    lines.IA_Schedule_D_5K1 = [shares]
    if (answers['5K2'] === 'Y')
      lines.IA_Schedule_D_5K2 = [
        { '5K(2)(b)(1)10': first * 1_000_000, '5K(2)(b)(2)10': second * 1_000_000, '5K(2)(b)Desc': 'MARGIN LOANS' },
      ]
    if (answers['5K4'] === 'Y') {
      const custodian = number(random.int(1, 9))
      lines.IA_Schedule_D_5K3 = [
        {
          '5K(3)(a)': `SAMPLE CUSTODIAN ${custodian} N.A.`,
          '5K(3)(b)': `SAMPLE CUSTODIAN ${custodian}`,
          '5K(3)(c) City': 'BOSTON',
          '5K(3)(c) State': 'MA',
          '5K(3)(c) Country': 'United States',
          '5K(3)(d)': 'N',
          '5K(3)(e)': `8-9${custodian}`,
          '5K(3)(g)': Math.floor(Number(answers['5F2c'] ?? 0) / 2),
        },
      ]
    }
  }
  if (answers['7A1'] === 'Y') {
    lines.Schedule_D_7A = [
      {
        ReferenceID: 9_000 + scale.index,
        'Legal Name': `${scale.name} SECURITIES`,
        'Business Name': `${scale.name} SECURITIES`,
        'SEC Number or Other': `8-${90_000 + (scale.index % 9_999)}`,
        'CRD Number': 800_000 + scale.index,
        Type: '5a',
        '5a': 'Y',
        'Control/Controlled': 'Y',
        'Common Control': 'Y',
        Custodian: 'N',
        'Exam Exempt': 'N',
        'Street 1': '1 MAIN STREET',
        City: place.city,
        State: place.state,
        Country: place.country,
        'Postal Code': place.postal,
        'Private Residence': 'N',
        'Foreign Registered': 'N',
        'Share Persons': 'Y',
        'Share Location': 'Y',
      },
    ]
  }
  if (scale.funds > 3 && random.chance(0.1)) {
    lines.IA_Firm_Download_SCH_R = [
      {
        'Reference ID': 60_000 + scale.index,
        'Relying Advisor Business Name': `${scale.name} II`,
        'Relying Advisor Legal Name': `${scale.name} II`,
        'Relying Advisor CRD Number': 850_000 + scale.index,
      },
    ]
  }
  if (random.chance(0.03)) {
    lines.Schedule_D_7B2 = [
      {
        'Fund Name': 'SAMPLE SHARED FUND, L.P.',
        'Fund ID': '805-8000000001',
        'Adviser Name': 'SAMPLE REPORTING ADVISER LLC',
        'Adviser SEC Number': '801-900001',
        'Clients Solicited?': 'N',
      },
    ]
  }
  return lines
}

const TITLES = ['MANAGING MEMBER', 'CHIEF COMPLIANCE OFFICER', 'PRESIDENT', 'CHIEF FINANCIAL OFFICER', 'DIRECTOR']

function owner(random: Random, { name, person, lastName }: Scale, at: number): Line {
  const since = `${number(random.int(1, 12))}/${random.int(1990, 2025)}`
  if (at === 0 && random.chance(0.4)) {
    return {
      'SchA-3': 'N',
      Schedule: 'A',
      'Full Legal Name': `${name} HOLDINGS`,
      'DE/FE/I': 'DE',
      'Entity in Which': '',
      'Title or Status': 'MEMBER',
      'Status Acquired': since,
      'Ownership Code': 'E',
      'Control Person': 'Y',
      PR: 'N',
      OwnerID: '',
    }
  }
  const pk = person(random)
  const schedule = at > 2 && random.chance(0.3) ? 'B' : 'A'
  return {
    'SchA-3': 'N',
    Schedule: schedule,
    'Full Legal Name': `${lastName(pk)}, SAMPLE`,
    'DE/FE/I': 'I',
    'Entity in Which': schedule === 'B' ? `${name} HOLDINGS` : '',
    'Title or Status': random.pick(TITLES),
    'Status Acquired': since,
    'Ownership Code': random.pick([...'NABCDE']),
    'Control Person': random.yes(0.7),
    PR: 'N',
    OwnerID: String(pk),
  }
}

function disclosures(random: Random, { disclosures: count, index, name }: Scale): Record<string, Line[]> {
  const lines: Record<string, Line[]> = {
    DRP_Advisory_Affiliates: [],
    DRP_Regulatory: [],
    DRP_Criminal: [],
    DRP_Civil_Judicial: [],
  }
  for (let at = 0; at < count; at++) {
    const ReferenceID = 1_000_000 + index * 8 + at
    const day = american(dayName(random.int(12_000, 20_000)))
    const kind = random.pick([
      'Regulatory Action',
      'Regulatory Action',
      'Regulatory Action',
      'Civil Judicial',
      'Criminal',
    ])
    lines.DRP_Advisory_Affiliates!.push({
      ReferenceID,
      'Disclosure Type': kind,
      'CRD Number': 800_000 + index,
      'Affiliate Type': 'Firm',
      Registered: 'Y',
      'Affiliate Name': `${name} SECURITIES`,
    })
    if (kind === 'Regulatory Action')
      lines.DRP_Regulatory!.push({
        'Initial/Amended': 'INITIAL',
        '11.E(3)': 'Y',
        'Filed Against': 'Affiliates',
        ReferenceID,
        'Initiator Type': 'SRO',
        'Initiated By': 'FINRA',
        'Principal Sanction': 'Censure',
        'Date Initiated': day,
        'Case Number': `SAMPLE-${ReferenceID}`,
        Allegations: 'INVENTED FOR TESTS',
        Status: 'Final',
        Resolution: 'Consent',
        'Resolution Date': day,
        'Monetary Sanction': 'Y',
        'Monetary Amount': random.int(1, 500) * 1_000,
        Censure: 'Y',
      })
    else if (kind === 'Criminal')
      lines.DRP_Criminal!.push({
        '11.A(1)': 'Y',
        'Filed Against': 'Affiliates',
        ReferenceID,
        Court: 'SAMPLE COURT',
        'Date First Charged': day,
        'Event Detail': 'INVENTED FOR TESTS',
        Felony: 'Y',
        Status: 'Final',
      })
    else
      lines.DRP_Civil_Judicial!.push({
        '11.H(1)(a)': 'Y',
        'Filed Against': 'Affiliates',
        ReferenceID,
        'Initiated By': 'SEC',
        'Relief Sought': 'Injunction',
        'Filing Date': day,
        Court: 'SAMPLE COURT',
        Allegations: 'INVENTED FOR TESTS',
        Status: 'Final',
      })
  }
  return lines
}

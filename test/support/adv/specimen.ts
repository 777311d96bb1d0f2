/** Makes invented advisers of the bundled sample from their descriptions. */
import { YES_OR_NO } from './answers.ts'
import { type Answers, CLIENTS, type Firm, type Line, type Schedules } from './firm.ts'
import { facts, line } from './given.ts'

const nothing: Schedules = { lines: {}, funds: [] }

/**
 * Answers every question of a registered adviser, by default with N or 0; 5.L, on marketing, has been asked since 2021.
 */
export const answered = (text: string, more: Answers = {}): Answers => ({
  ...Object.fromEntries(YES_OR_NO.filter((name) => !name.startsWith('5L')).map((name) => [name, 'N'])),
  ...Object.fromEntries(CLIENTS.flatMap((letter) => [`5D1${letter}`, `5D3${letter}`]).map((name) => [name, 0])),
  ...facts(`1F5=0 1I=N 1M=N 1N=N 1O=N 2A1=Y 3B=DECEMBER 3C-State=DE 5B3=0 5B4=0 5B5=0 5B6=0 5C1=0 5C2=0 5E1=Y 5F1=Y
5F3=0 5H=0 5I1=N 9F=1`),
  ...line('3A=Limited Liability Company; 3C-Country=United States; Execution Type=Domestic'),
  ...line('Signatory=SPECIMEN PERSON 0001; Title=CHIEF COMPLIANCE OFFICER'),
  ...facts(text),
  ...more,
})

/** Answers every question of an exempt adviser, which has fewer questions. */
export const exempt = (text: string): Answers => ({
  ...Object.fromEntries(YES_OR_NO.filter((name) => /^(?:6|7A|11.)/.test(name)).map((name) => [name, 'N'])),
  ...facts('1I=N 1O=N 2B3=N 7B=Y 10A=N 11=N'),
  ...line('3A=Limited Liability Company; Execution Type=Domestic; Signatory=SPECIMEN PERSON 0001; Title=PARTNER'),
  ...facts(text),
})

type SpecimenFacts = Pick<Firm, 'crd' | 'legal' | 'filed'> &
  Partial<Omit<Firm, 'answers' | 'schedules'>> & {
    at: readonly [street: string, city: string, state: string | null, postal: string, country?: string]
    registered: string
    answers: Answers
    schedules?: Schedules
  }

export function specimen({ at, registered, answers, schedules = nothing, ...own }: SpecimenFacts): Firm {
  const [street1, city, state, postal, country = 'United States'] = at
  const kind = own.kind ?? 'SEC'
  const status = { SEC: ['APPROVED', 'FILED'], ERA: ['ACTIVE', ''], STATE: ['APPROVED', 'APPROVED'] }[kind]
  return {
    kind,
    secNumber: kind === 'STATE' ? null : `${kind === 'SEC' ? 801 : 802}-${999_000 + (own.crd % 1_000)}`,
    region: kind === 'STATE' ? null : 'DRO',
    business: own.legal,
    umbrella: false,
    office: { street1, city, state, country, postal },
    mailing: null,
    phone: '555-555-0100',
    fax: null,
    registration: { status: status[0]!, day: registered },
    states: kind === 'ERA' ? [] : [{ code: state!, status: status[1]!, day: registered }],
    webs: [],
    formVersion: '10/2017',
    withdrawn: null,
    ...own,
    answers: () => answers,
    schedules: () => schedules,
  }
}

/** Makes a person of the sample's feed an owner or officer (Schedule A). */
export const owner = (number: number, title: string, since: string, code: string): Line => ({
  ...line(
    `SchA-3=N; Schedule=A; DE/FE/I=I; Title or Status=${title}; Status Acquired=${since}; Ownership Code=${code}`,
  ),
  ...line(`Control Person=Y; PR=N; Full Legal Name=PERSON ${String(number).padStart(4, '0')}, SAMPLE`),
  OwnerID: String(990_000_000 + number),
})

/** Makes a firm an owner of the adviser itself (Schedule A), or of the owner that `within` names (Schedule B). */
export const holding = (name: string, code: string, within = ''): Line => ({
  ...line('SchA-3=N; DE/FE/I=DE; Title or Status=MEMBER; Status Acquired=01/2012; Control Person=Y; PR=N'),
  Schedule: within ? 'B' : 'A',
  'Full Legal Name': name,
  'Entity in Which': within,
  'Ownership Code': code,
})

export const branch = (number: number, place: string, employees: number): Line => ({
  ...line(
    `Street 1=${number} SPECIMEN LANE; Country=United States; Private Residence=N; Telephone Number=555-555-0101`,
  ),
  ...line(`BD=N; Bank=N; Insurance=N; Commodity=N; Municipal=N; Accounting=N; Law=N; ${place}`),
  'Branch Number': String(number),
  Employees: String(employees),
})

const NEW_YORK = 'City=NEW YORK; State=New York; Country=United States'

/** Providers of a fund, by the name of the file that lists them. */
export const PROVIDERS: Readonly<Record<string, Record<string, Line[]>>> = {
  usual: {
    Schedule_D_7B1A3a: [line('Name of Partner, etc.=OPENFILINGS SPECIMEN GP, LLC')],
    Schedule_D_7B1A23: [
      {
        ...line(`Name of Auditing Firm=SPECIMEN AUDIT LLP; ${NEW_YORK}`),
        ...line('Independent=Y; PCAOB Registered=Y; PCAOB Number=90001; PCAOB Inspected=Y'),
      },
    ],
    Schedule_D_7B1A25: [
      {
        ...line('Legal Name of Custodian=SPECIMEN CUSTODY BANK, N.A.; Primary Business Name=SPECIMEN CUSTODY BANK'),
        ...line(`Related Person=N; ${NEW_YORK}`),
      },
    ],
  },
  primeBroker: {
    Schedule_D_7B1A24: [
      {
        ...line('Name of Prime Broker=OPENFILINGS SPECIMEN SECURITIES LLC; SEC Number=8-99917; CRD Number=999000002'),
        ...line(`Custodian=Y; ${NEW_YORK}`),
      },
    ],
  },
  administrator: {
    Schedule_D_7B1A26: [
      line(`Name of Administrator=SPECIMEN ADMINISTRATION INC.; ${NEW_YORK}; Related Person=N; Statements=All`),
    ],
  },
  marketer: {
    Schedule_D_7B1A28: [
      {
        ...line('SubreferenceID=1; Related Person=Y; Name of Marketer=OPENFILINGS SPECIMEN SECURITIES LLC'),
        ...line(`SEC Number=8-99917; CRD Number=999000002; Websites=Y; ${NEW_YORK}`),
      },
    ],
    Schedule_D_7B1A28_websites: [line('SubreferenceID=1; Website Address=HTTPS://SPECIMEN.EXAMPLE/FUNDS')],
  },
}

/** Makes a fund and its providers. The name and the ID of the fund contain its number; its assets may be `N`. */
export function fund(
  number: number,
  type: string,
  gross: number | string,
  own: Line = {},
  ...of: readonly Record<string, Line[]>[]
): Schedules['funds'][number] {
  const id = String(number).padStart(2, '0')
  const served: Record<string, Line[]> = Object.assign({}, PROVIDERS.usual, ...of)
  return {
    fund: {
      ...line(`Fund Name=OPENFILINGS SPECIMEN FUND ${id}, L.P.; Fund ID=805-90000000${id}; State=Delaware`),
      ...line('Country=United States; 3(c)(1) Exclusion=N; 3(c)(7) Exclusion=Y; Master Fund=N; Feeder Fund=N'),
      ...line('Fund of Funds=N; Fund Invested in Securities=N; Minimum Investment=1000000; Subadviser=N'),
      ...line('%Owned You or Related=5; %Owned Funds=10; %Owned Non-US=15; Other IAs Advise=N; Clients Solicited=N'),
      ...line('Exempt from Registration=Y; Annual Audit=Y; GAAP=Y; FS Distributed=Y; Unqualified Opinion=Y'),
      'Fund Type': type,
      'Gross Asset Value': gross,
      Owners: 20 + number,
      'Prime Brokers': served.Schedule_D_7B1A24 ? 'Y' : 'N',
      Custodians: 'Y',
      Administrator: served.Schedule_D_7B1A26 ? 'Y' : 'N',
      '% Assets Valued': 100,
      Marketing: served.Schedule_D_7B1A28 ? 'Y' : 'N',
      ...own,
    },
    of: served,
  }
}

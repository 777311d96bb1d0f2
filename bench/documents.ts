/**
 * Generates documents in the schemas of EDGAR's forms. None of the values in these documents is that of a real filer.
 */
import { Random } from './random.ts'

const NAMES =
  `Alder Birch Cedar Dogwood Elm Fir Ginkgo Hazel Ironwood Juniper Katsura Larch Maple Nutmeg Oak Pine Quince Rowan
  Spruce Tupelo Umbrella Viburnum Willow Yew Zelkova`.split(/\s+/)
const KINDS = ['INC', 'CORP', 'CO', 'LTD', 'PLC', 'HLDGS INC', 'GROUP &amp; CO', 'TR']
const CLASSES = ['COM', 'CL A', 'SHS', 'COM CL B', 'NOTE 1.250% 5/0', 'SPONSORED ADS', 'ETF']

/** A 13F information table in pieces of about 64 KB; a row takes some 550 bytes. */
export function* informationTable(rows: number, seed: number): Generator<string> {
  const random = new Random(seed)
  let text =
    '<?xml version="1.0" encoding="UTF-8"?>\n' +
    '<ns1:informationTable xmlns:ns1="http://www.sec.gov/edgar/document/thirteenf/informationtable">\n'
  for (let row = 0; row < rows; row++) {
    const shares = random.below(5_000_000)
    const other = random.next() < 0.3 ? `\n\t\t<ns1:otherManager>${1 + random.below(9)}</ns1:otherManager>` : ''
    text += `\t<ns1:infoTable>
\t\t<ns1:nameOfIssuer>${random.pick(NAMES).toUpperCase()} ${random.pick(NAMES).toUpperCase()} ${random.pick(KINDS)}</ns1:nameOfIssuer>
\t\t<ns1:titleOfClass>${random.pick(CLASSES, 2)}</ns1:titleOfClass>
\t\t<ns1:cusip>${random.digits(9)}</ns1:cusip>
\t\t<ns1:value>${shares * (1 + random.below(400))}</ns1:value>
\t\t<ns1:shrsOrPrnAmt>
\t\t\t<ns1:sshPrnamt>${shares}</ns1:sshPrnamt>
\t\t\t<ns1:sshPrnamtType>SH</ns1:sshPrnamtType>
\t\t</ns1:shrsOrPrnAmt>
\t\t<ns1:investmentDiscretion>${random.pick(['SOLE', 'DFND', 'OTR'], 2)}</ns1:investmentDiscretion>${other}
\t\t<ns1:votingAuthority>
\t\t\t<ns1:Sole>${shares}</ns1:Sole>
\t\t\t<ns1:Shared>0</ns1:Shared>
\t\t\t<ns1:None>0</ns1:None>
\t\t</ns1:votingAuthority>
\t</ns1:infoTable>
`
    if (text.length < 65_536) continue
    yield text
    text = ''
  }
  yield `${text}</ns1:informationTable>\n`
}

const STATES = [
  ['CA', 'CALIFORNIA'],
  ['NY', 'NEW YORK'],
  ['TX', 'TEXAS'],
  ['FL', 'FLORIDA'],
  ['DE', 'DELAWARE'],
  ['IL', 'ILLINOIS'],
] as const
const INDUSTRIES = [
  'Pooled Investment Fund',
  'Other Technology',
  'Commercial',
  'Other Real Estate',
  'Biotechnology',
  'Oil and Gas',
  'Restaurants',
]

export interface Notice {
  /** Ten digits. */
  cik: string
  name: string
  /** Accession of the amended notice. */
  amends?: string | undefined
}

/** A Form D or D/A of some 5 KB: one to six related persons, and a recipient of commissions in every third document. */
export function formD(random: Random, { cik, name, amends }: Notice): string {
  const offered = 100_000 * (1 + random.below(2000))
  const sold = Math.floor(offered * random.next())
  const indefinite = random.next() < 0.2
  const industry = random.pick(INDUSTRIES, 2)
  const persons = Array.from({ length: 1 + random.below(6) }, () => person(random)).join('\n')
  return `<?xml version="1.0"?>
<edgarSubmission>
  <schemaVersion>X0708</schemaVersion>
  <submissionType>${amends ? 'D/A' : 'D'}</submissionType>
  <testOrLive>LIVE</testOrLive>
  <primaryIssuer>
    <cik>${cik}</cik>
    <entityName>${name}</entityName>
    <issuerAddress>
${address(random)}
    </issuerAddress>
    <issuerPhoneNumber>555-555-0100</issuerPhoneNumber>
    <jurisdictionOfInc>DELAWARE</jurisdictionOfInc>
    <issuerPreviousNameList><value>None</value></issuerPreviousNameList>
    <edgarPreviousNameList><value>None</value></edgarPreviousNameList>
    <entityType>${random.pick(['Limited Partnership', 'Corporation', 'Limited Liability Company'])}</entityType>
    <yearOfInc>
      <withinFiveYears>true</withinFiveYears>
      <value>${2018 + random.below(7)}</value>
    </yearOfInc>
  </primaryIssuer>
  <relatedPersonsList>
${persons}
  </relatedPersonsList>
  <offeringData>
    <industryGroup>
      <industryGroupType>${industry}</industryGroupType>${industry === INDUSTRIES[0] ? FUND : ''}
    </industryGroup>
    <issuerSize>
      <revenueRange>Decline to Disclose</revenueRange>
    </issuerSize>
    <federalExemptionsExclusions>
      <item>06b</item>${random.next() < 0.5 ? '\n      <item>3C</item>\n      <item>3C.1</item>' : ''}
    </federalExemptionsExclusions>
    <typeOfFiling>
      <newOrAmendment>
        <isAmendment>${amends ? 'true' : 'false'}</isAmendment>${amends ? `\n        <previousAccessionNumber>${amends}</previousAccessionNumber>` : ''}
      </newOrAmendment>
      <dateOfFirstSale>
        <value>2024-0${1 + random.below(9)}-1${random.below(10)}</value>
      </dateOfFirstSale>
    </typeOfFiling>
    <durationOfOffering>
      <moreThanOneYear>false</moreThanOneYear>
    </durationOfOffering>
    <typesOfSecuritiesOffered>
      <isEquityType>true</isEquityType>
    </typesOfSecuritiesOffered>
    <businessCombinationTransaction>
      <isBusinessCombinationTransaction>false</isBusinessCombinationTransaction>
      <clarificationOfResponse></clarificationOfResponse>
    </businessCombinationTransaction>
    <minimumInvestmentAccepted>${1000 * random.below(250)}</minimumInvestmentAccepted>
    <salesCompensationList>${random.next() < 0.33 ? recipient(random) : ''}</salesCompensationList>
    <offeringSalesAmounts>
      <totalOfferingAmount>${indefinite ? 'Indefinite' : offered}</totalOfferingAmount>
      <totalAmountSold>${sold}</totalAmountSold>
      <totalRemaining>${indefinite ? 'Indefinite' : offered - sold}</totalRemaining>
      <clarificationOfResponse></clarificationOfResponse>
    </offeringSalesAmounts>
    <investors>
      <hasNonAccreditedInvestors>false</hasNonAccreditedInvestors>
      <totalNumberAlreadyInvested>${random.below(300)}</totalNumberAlreadyInvested>
    </investors>
    <salesCommissionsFindersFees>
      <salesCommissions>
        <dollarAmount>${random.below(2) * Math.floor(sold / 20)}</dollarAmount>
        <isEstimate>true</isEstimate>
      </salesCommissions>
      <findersFees>
        <dollarAmount>0</dollarAmount>
      </findersFees>
      <clarificationOfResponse></clarificationOfResponse>
    </salesCommissionsFindersFees>
    <useOfProceeds>
      <grossProceedsUsed>
        <dollarAmount>0</dollarAmount>
      </grossProceedsUsed>
      <clarificationOfResponse>Generated to measure with &amp; nothing else.</clarificationOfResponse>
    </useOfProceeds>
    <signatureBlock>
      <authorizedRepresentative>false</authorizedRepresentative>
      <signature>
        <issuerName>${name}</issuerName>
        <signatureName>/s/ ${random.pick(NAMES)}</signatureName>
        <nameOfSigner>${random.pick(NAMES)} ${random.pick(NAMES)}</nameOfSigner>
        <signatureTitle>Manager</signatureTitle>
        <signatureDate>2024-0${1 + random.below(9)}-2${random.below(9)}</signatureDate>
      </signature>
    </signatureBlock>
  </offeringData>
</edgarSubmission>
`
}

const FUND = `
      <investmentFundInfo>
        <investmentFundType>Venture Capital Fund</investmentFundType>
        <is40Act>false</is40Act>
      </investmentFundInfo>`

function address(random: Random): string {
  const [state, description] = random.pick(STATES, 1.5)
  return `      <street1>${1 + random.below(9999)} ${random.pick(NAMES)} STREET</street1>
      <city>${random.pick(NAMES).toUpperCase()} CITY</city>
      <stateOrCountry>${state}</stateOrCountry>
      <stateOrCountryDescription>${description}</stateOrCountryDescription>
      <zipCode>${random.digits(5)}</zipCode>`
}

function person(random: Random): string {
  return `    <relatedPersonInfo>
      <relatedPersonName>
        <firstName>${random.pick(NAMES)}</firstName>
        <lastName>${random.pick(NAMES)}son</lastName>
      </relatedPersonName>
      <relatedPersonAddress>
${address(random)}
      </relatedPersonAddress>
      <relatedPersonRelationshipList>
        <relationship>Executive Officer</relationship>
        <relationship>Director</relationship>
      </relatedPersonRelationshipList>
      <relationshipClarification></relationshipClarification>
    </relatedPersonInfo>`
}

function recipient(random: Random): string {
  return `
      <recipient>
        <recipientName>${random.pick(NAMES)} Securities</recipientName>
        <recipientCRDNumber>${random.digits(6)}</recipientCRDNumber>
        <associatedBDName>None</associatedBDName>
        <associatedBDCRDNumber>None</associatedBDCRDNumber>
        <recipientAddress>
${address(random)}
        </recipientAddress>
        <statesOfSolicitationList>
          <state>CA</state>
          <description>CALIFORNIA</description>
          <state>NY</state>
          <description>NEW YORK</description>
        </statesOfSolicitationList>
        <foreignSolicitation>false</foreignSolicitation>
      </recipient>
    `
}

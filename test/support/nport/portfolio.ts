/** A portfolio of any size: shares, bonds, an option with its reference, and a holding on loan. */

const share = (n: number) =>
  `<invstOrSec><name>Specimen Company ${n % 9_000}</name><lei>N/A</lei><title>Common Stock</title><cusip>N/A</cusip><identifiers><isin value="N/A"/><other otherDesc="Internal identifier" value="ID${n}"/></identifiers><balance>${n}.000000000000</balance><units>NS</units><curCd>USD</curCd><valUSD>${n * 7}.250000000000</valUSD><pctVal>0.0000123</pctVal><payoffProfile>Long</payoffProfile><assetCat>EC</assetCat><issuerCat>CORP</issuerCat><invCountry>US</invCountry><isRestrictedSec>N</isRestrictedSec><fairValLevel>1</fairValLevel>`
const LENT =
  '<securityLending><isCashCollateral>N</isCashCollateral><isNonCashCollateral>N</isNonCashCollateral><isLoanByFund>N</isLoanByFund></securityLending></invstOrSec>\n'
const DEBT =
  '<debtSec><maturityDt>2032-04-15</maturityDt><couponKind>Fixed</couponKind><annualizedRt>7.500000000000</annualizedRt><isDefault>N</isDefault><areIntrstPmntsInArrs>N</areIntrstPmntsInArrs><isPaidKind>N</isPaidKind></debtSec>'
const OPTION =
  '<derivativeInfo><optionSwaptionWarrantDeriv derivCat="OPT"><counterparties><counterpartyName>Specimen Clearing</counterpartyName><counterpartyLei>N/A</counterpartyLei></counterparties><putOrCall>Put</putOrCall><writtenOrPur>Purchased</writtenOrPur><descRefInstrmnt><otherRefInst><issuerName>Specimen</issuerName><issueTitle>Common Stock</issueTitle><identifiers><cusip value="999999999"/></identifiers></otherRefInst></descRefInstrmnt><shareNo>100</shareNo><exercisePrice>570.000000000000</exercisePrice><exercisePriceCurCd>USD</exercisePriceCurCd><expDt>2026-09-18</expDt><delta>XXXX</delta><unrealizedAppr>178074.12</unrealizedAppr></optionSwaptionWarrantDeriv></derivativeInfo>'

const HEAD =
  '<?xml version="1.0" encoding="UTF-8"?>\n<edgarSubmission xmlns="http://www.sec.gov/edgar/nport"><headerData><submissionType>NPORT-P</submissionType></headerData><formData><genInfo><regName>Specimen Trust</regName><regCik>9000000001</regCik><seriesName>Specimen Fund</seriesName><repPdEnd>2024-12-31</repPdEnd><repPdDate>2024-03-31</repPdDate></genInfo><fundInfo><totAssets>0</totAssets><netAssets>0</netAssets></fundInfo><invstOrSecs>\n'
const TAIL = '</invstOrSecs><signature><dateSigned>2024-05-28</dateSigned></signature></formData></edgarSubmission>\n'

/** Yields the bytes of a document of at least this size. */
export function* portfolio(size: number): Generator<Buffer> {
  let [made, n] = [0, 0]
  const piece = (text: string) => {
    const bytes = Buffer.from(text)
    made += bytes.length
    return bytes
  }
  yield piece(HEAD)
  while (made < size) {
    const lines = Array.from({ length: 200 }, () => {
      n++
      return share(n) + (n % 3 === 0 ? DEBT : '') + (n % 5 === 0 ? OPTION : '') + LENT
    })
    yield piece(lines.join(''))
  }
  yield piece(TAIL)
}

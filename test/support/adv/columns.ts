/**
 * Headers of the monthly Form ADV data files. IA_ADV_Base_A, Schedule A/B, 1.F, 7.B.(1), 7.B.(2) with its questions and
 * DRP_Advisory_Affiliates are as published; the other headers have the published names, but their order is uncertain.
 */

const split = (text: string) => text.split(/[,\n]/)

/** Sorted as in Item 2.C, territories last. */
const STATES =
  split(`AL,AK,AZ,AR,CA,CO,CT,DE,DC,FL,GA,HI,ID,IL,IN,IA,KS,KY,LA,ME,MD,MA,MI,MN,MS,MO,MT,NE,NV,NH,NJ,NM,NY,NC
ND,OH,OK,OR,PA,PR,RI,SC,SD,TN,TX,UT,VT,VA,WA,WV,WI,WY,GU,VI`)

const BASE_A =
  split(`FilingID,FormVersion,DateSubmitted,1A,1B1,1B2,1C-Legal,1C-Business,1C-New Name,1D,1E1,1F1-Street 1,1F1-Street 2
1F1-City,1F1-State,1F1-Country,1F1-Postal,1F1-Private,1F2-M-F,1F2-Other,1F2-Hours,1F3,1F4,1F5,1G-Street 1,1G-Street 2
1G-City,1G-State,1G-Country,1G-Postal,1G-Private,1I,1L,1M,1N,1N-CIK,1O,1OAmount,1P,4A,4B,5A,5B1,5B2,5B3,5B4,5B5,5B6
5C1,5C2,5D1a,5D1b,5D1c,5D1d,5D1e,5D1f,5D1g,5D1h,5D1i,5D1j,5D1k,5D1l,5D1m,5D1n,5D1n Other,5D2a,5D2b,5D2c,5D2g,5D2h,5D2i
5D2j,5D2k,5D2l,5D2m,5D2n,5D3a,5D3b,5D3c,5D3d,5D3e,5D3f,5D3g,5D3h,5D3i,5D3j,5D3k,5D3l,5D3m,5D3n,5E1,5E2,5E3,5E4,5E5,5E6
5E7,5E7-Other,5F1,5F2a,5F2b,5F2c,5F2d,5F2e,5F2f,5F3,5G1,5G2,5G3,5G4,5G5,5G6,5G7,5G8,5G9,5G10,5G11,5G12,5G12-Other,5H
5H-Other,5I1,5I2a,5I2b,5I2c,5J1,5J2,5K1,5K2,5K3,5K4,5L1a,5L1b,5L1c,5L1d,5L1e,5L2,5L3,5L4,6A1,6A2,6A3,6A4,6A5,6A6,6A7
6A8,6A9,6A10,6A11,6A12,6A13,6A14,6A14-Other,6B1,6B2,6B3,7A1,7A2,7A3,7A4,7A5,7A6,7A7,7A8,7A9,7A10,7A11,7A12,7A13,7A14
7A15,7A16,7B,8A1,8A2,8A3,8B1,8B2,8B3,8C1,8C2,8C3,8C4,8D,8E,8F,8G1,8G2,8H1,8H2,8I,9A1a,9A1b,9A2a,9A2b,9B1a,9B1b,9B2a
9B2b,9C1,9C2,9C3,9C4,9D1,9D2,9E,9F,10A,11,11A1,11A2,11B1,11B2,11C1,11C2,11C3,11C4,11C5,11D1,11D2,11D3,11D4,11D5,11E1
11E2,11E3,11E4,11F,11G,11H1a,11H1b,11H1c,11H2,12A,12B1,12B2,12C1,12C2,Execution Type,Signatory,Execution Date,Title`)

const ROMAN = split('i,ii,iii,iv,v,vi,vii,viii,ix,x,xi,xii')

/** Item 2.A, the states of 2.C and Item 3. */
const BASE_B = [
  'FilingID',
  ...Array.from({ length: 13 }, (_, i) => `2A${i + 1}`),
  ...STATES.map((state) => `2-${state}`),
  ...split('3A,3A-Other,3B,3C-State,3C-Country'),
]

/**
 * Only the columns of Items 1, 2.B, 3, 6, 7, 10 and 11: exempt reporting advisers do not answer Items 4, 5, 8, 9 and
 * 12.
 */
const ERA_BASE = BASE_A.filter((name) => !/^(?:[4589]|12)[A-L]/.test(name)).flatMap((name) =>
  name === '6A1' ? [...split('2B1,2B2,2B3,2B-Assets,3A,3A-Other,3B,3C-State,3C-Country'), name] : [name],
)

/** 5.K.(1): shares of assets in separately managed accounts. Two names are misspelt, as in the published files. */
const K1 = [
  'FilingID',
  ...ROMAN.flatMap((n) => ['MID', 'EOY'].map((when) => (n === 'vi' ? `5K(1)(a)vi)${when}` : `5K(1)(a)(${n})${when}`))),
  '5K(1)(a)(xii) Description',
  ...ROMAN.map((n) => `5K(1)(b)(${n})`),
  '5K(1)(b)(xii) Description',
]

const EXPOSURES = ['(1)', '(2)', ...[...'abcdef'].map((letter) => `(3)(${letter})`)]
const SIZES = ['10', '10-149', '150']

/** 5.K.(2): borrowings and derivatives by gross notional exposure. */
const K2 = [
  'FilingID',
  ...['(i)', '(ii)'].flatMap((half) => [
    ...SIZES.flatMap((size) => EXPOSURES.map((what) => `5K(2)(a)${half}${what}${size}`)),
    `5K(2)(a)${half}Desc`,
  ]),
  ...SIZES.flatMap((size) => [`5K(2)(b)(1)${size}`, `5K(2)(b)(2)${size}`]),
  '5K(2)(b)Desc',
].map((name) => (name === '5K(2)(a)(ii)(3)(f)10-149' ? '5K(2)a)(ii)(3)(f)10-149' : name))

const ADDRESS = 'Street 1,Street 2,City,State,Country,Postal Code,Private Residence'
const FUND_KEY = 'FilingID,ReferenceID'
const RELATED = [...'abcdefghijklmnop'].map((letter) => `5${letter}`).join()

/** Columns by file name without `IA_` or `ERA_`; a name that keeps its prefix exists for only one kind of adviser. */
export const COLUMNS: Readonly<Record<string, readonly string[]>> = {
  ADV_Filing_Types: split(
    `FilingID,Initial SEC Registration Request,Annual Updating Amendment for Registered Adviser
Other-Than Anual Amendment For Registered Adviser,Initial SEC ERA Report,Annual Updating Amendment for ERA
Other-Than-Annual Amendment for ERA,Final SEC ERA Report,Annual Updating Amendment Fiscal Year`,
  ),
  IA_ADV_Base_A: BASE_A,
  IA_ADV_Base_B: BASE_B,
  ERA_ADV_Base: ERA_BASE,
  '1D3_CIK': split('FilingID,CIK'),
  IA_1E2_Additional_CRD: split('FilingID,CRDNumber'),
  ADV_1J_1K: split('FilingID,1J1 Name,1J2 Name,1K Name'),
  Schedule_A_B: split(
    `FilingID,SchA-3,Schedule,Full Legal Name,DE/FE/I,Entity in Which,Title or Status,Status Acquired,Ownership Code
Control Person,PR,OwnerID`,
  ),
  Schedule_D_1B: ['FilingID', 'Other Business Name', ...STATES],
  Schedule_D_1F: split(
    `FilingID,${ADDRESS},Telephone Number,Facsimile Number,Branch Number,Employees,BD,Bank,Insurance,Commodity,Municipal
Accounting,Law,Other`,
  ),
  Schedule_D_1I: split('FilingID,Website'),
  Schedule_D_Books_and_Records: split(`FilingID,Name,${ADDRESS},Phone,Fax,Type,Description`),
  IA_Schedule_D_5K1: K1,
  IA_Schedule_D_5K2: K2,
  IA_Schedule_D_5K3: split(
    `Filing ID,5K(3)(a),5K(3)(b),5K(3)(c) City,5K(3)(c) State,5K(3)(c) Country,5K(3)(d),5K(3)(e),5K(3)(f),5K(3)(g)`,
  ),
  Schedule_D_7A: split(
    `FilingID,ReferenceID,Legal Name,Business Name,SEC Number or Other,CRD Number,Type,${RELATED},Control/Controlled
Common Control,Custodian,Exam Exempt,${ADDRESS},IA Exempt,Exemption,Foreign Registered,Share Persons,Share Location`,
  ),
  Schedule_D_7A_CIK: split(`${FUND_KEY},CIK`),
  Schedule_D_7B1: split(
    `FilingID,Fund Name,Fund ID,ReferenceID,State,Country,3(c)(1) Exclusion,3(c)(7) Exclusion,Master Fund,Feeder Fund
Master Fund Name,Master Fund ID,Fund of Funds,Fund Invested Self or Related,Fund Invested in Securities,Fund Type
Fund Type Other,Gross Asset Value,Minimum Investment,Owners,%Owned You or Related,%Owned Funds,Sales Limited
%Owned Non-US,Subadviser,Other IAs Advise,Clients Solicited,Percentage Invested,Exempt from Registration,Annual Audit
GAAP,FS Distributed,Unqualified Opinion,Prime Brokers,Custodians,Administrator,% Assets Valued,Marketing`,
  ),
  Schedule_D_7B1A3a: [...split(FUND_KEY), 'Name of Partner, etc.'],
  Schedule_D_7B1A7: split(
    `${FUND_KEY},SubreferenceID,Private Fund Name,Fund ID,State,Country,3(c)(1) Exclusion,3(c)(7) Exclusion`,
  ),
  Schedule_D_7B1A22: split(`${FUND_KEY},Form D File Number`),
  Schedule_D_7B1A23: split(
    `${FUND_KEY},Name of Auditing Firm,City,State,Country,Independent,PCAOB Registered,PCAOB Number,PCAOB Inspected`,
  ),
  Schedule_D_7B1A24: split(`${FUND_KEY},Name of Prime Broker,SEC Number,CRD Number,City,State,Country,Custodian`),
  Schedule_D_7B1A25: split(
    `${FUND_KEY},Legal Name of Custodian,Primary Business Name,City,State,Country,Related Person,SEC Number
Legal Entity Identifier`,
  ),
  Schedule_D_7B1A26: split(
    `${FUND_KEY},Name of Administrator,City,State,Country,Related Person,Statements,Who Sends Statements`,
  ),
  Schedule_D_7B1A28: split(
    `${FUND_KEY},SubreferenceID,Related Person,Name of Marketer,SEC Number,CRD Number,City,State,Country,Websites`,
  ),
  Schedule_D_7B1A28_websites: split(`${FUND_KEY},SubreferenceID,Website Address`),
  Schedule_D_7B2: split('FilingID,Fund Name,Fund ID,Adviser Name,Adviser SEC Number,Clients Solicited?'),
  IA_Firm_Download_SCH_R: split(
    `Filing ID,Reference ID,Relying Advisor Business Name,Relying Advisor Legal Name,Relying Advisor CRD Number`,
  ),
  DRP_Advisory_Affiliates: split(
    'FilingID,ReferenceID,Disclosure Type,CRD Number,Affiliate Type,Registered,Affiliate Name',
  ),
  DRP_Regulatory: split(
    `FilingID,Initial/Amended,11.C(1),11.C(2),11.C(3),11.C(4),11.C(5),11.D(1),11.D(2),11.D(3),11.D(4),11.D(5),11.E(1)
11.E(2),11.E(3),11.E(4),11.F.,11.G.,Filed Against,ReferenceID,Initiator Type,Initiated By,Principal Sanction
Other Sanctions,Date Initiated,Case Number,Employing Firm,Principal Product,Allegations,Status,Resolution
Resolution Date,Monetary Sanction,Monetary Amount,Revocation/Expulsion/Denial,Censure,Bar,Disgorgement/Restitution
Cease and Desist/Injunction,Suspension,Other Sanctions Ordered,Sanction Detail,Summary`,
  ),
  DRP_Criminal: split(
    `FilingID,11.A(1),11.A(2),11.B(1),11.B(2),Filed Against,ReferenceID,Court,Date First Charged,Event Detail,Felony
Status,Disposition,Summary`,
  ),
  DRP_Civil_Judicial: split(
    `FilingID,11.H(1)(a),11.H(1)(b),11.H(1)(c),11.H(2),Filed Against,ReferenceID,Initiated By,Relief Sought,Filing Date
Principal Product,Court,Allegations,Status,Resolution Type,Resolution Date,Monetary Amount,Bar,Sanction Detail
Other Sanctions,Summary`,
  ),
}

/** Files that quote their column names; in the published archives some files quote them and others do not. */
export const QUOTED_HEADER = /Base_A|Schedule_A_B|7B1$|5K/

const WITHDRAWAL = 'Filing ID,CRD Number,Primary Business Name,Form Type,Filing Type,Form Version,Filing Date'
const PLACE = 'Street 1,Street 2,City,State,Country,Postal Code'

/** The four files of a month of withdrawals. */
export const WITHDRAWAL_COLUMNS: Readonly<Record<string, readonly string[]>> = {
  ADVW: split(
    `Filing ID,CRD Number,SEC File Number,Primary Business Name,Full Legal Name,Form Type,Filing Type,Form Version
Filing Date,Contact Name,Contact Title,${PLACE.replace(/(^|,)/g, '$1Contact ')},Contact Phone,Contact Email
${PLACE.replace(/(^|,)/g, '$1Office ')},Private Residence,Business Ceased,Date Ceased,Reasons for Withdrawal
Custody of Client Assets,Number of Clients,Cash Amount,Market Value of Securities,Market Value of Other Assets,Money Owed
Prepaid Fees,Borrowed Funds,Contacts Assigned,Client Consent,Unsatisfied Judgments/Liens,Signature Date,Signature Name
Signature Title`,
  ),
  ADVW_W1_5: split(`${WITHDRAWAL},Name,${PLACE},Private Residence,Phone Number`),
  ADVW_W1_8: split(
    `${WITHDRAWAL},${['Custodian Name', ...split(`${PLACE},Private Residence,Phone Number`).map((name) => `Custodian ${name}`)]}
${['Name', ...split(`${PLACE},Private Residence,Phone Number`)].map((name) => `Location ${name}`)},Description`,
  ),
  ADVW_W2: split(`${WITHDRAWAL},Total Shareholder Equity,Total Liabilities and Equity`),
}

/**
 * Families of forms without a parser, one entry each. When a dataset begins to read a family, the family's line moves
 * into that dataset, with slug and forms. Every form type of a recent quarter is claimed here or by a dataset. So are
 * the well-known form types since 1993, under every spelling that the indexes have (`10-KSB` and `10KSB`).
 */
import type { FamilyLine } from './declare/catalog.ts'

const FUNDRAISING = 'Fundraising'
const REPORTS = 'Company reports'
const OFFERINGS = 'Offerings'
const OWNERSHIP = 'Ownership'
const PROXIES = 'Proxies and takeovers'
const FUNDS = 'Funds'
const ABS = 'Asset-backed securities'
const MARKETS = 'Broker-dealers and markets'
const ORDERS = 'Correspondence and orders'

/** Form codes, separated by commas; `10-K+` means `10-K` and its amendment `10-K/A`, which are two forms in EDGAR. */
function codes(strings: TemplateStringsArray): string[] {
  return strings[0]!.split(',').flatMap((code) => {
    const form = code.trim()
    return form.endsWith('+') ? [form.slice(0, -1), `${form.slice(0, -1)}/A`] : [form]
  })
}

// biome-ignore format: a table, one entry a family
const families: readonly FamilyLine[] = [
  // Fundraising
  { slug: 'regaother', label: 'Other Regulation A reports (1-SA, 1-U, withdrawals)', group: FUNDRAISING, header: true,
    forms: codes`1-A-W+, 1-KT+, 1-SA+, 1-U+, 1-Z-W+, 2-A+, 2-AF+, 7-A+` },
  { slug: 'regacirculars', label: 'Regulation A offering circulars and qualification', group: FUNDRAISING,
    forms: codes`253G1, 253G2, 253G3, 253G4, QUALIF, DOSLTR` },
  { slug: 'exempt', label: 'Other exempt offerings (paper Form D, Regulation E)', group: FUNDRAISING,
    forms: codes`REGDEX+, 1-E+, 1-E AD+, 2-E+` },

  // Company reports
  { slug: 'tenx', label: 'Annual and quarterly reports (10-K, 10-Q)', group: REPORTS,
    forms: codes`10-K+, 10-K405+, 10-KT+, 10-KT405+, 10-KSB+, 10-KSB40+, 10-KSB405+, 10KSB+, 10KSB40+, 10KSB405+,
      10KT405+, 10-Q+, 10-QT+, 10-QSB+, 10QSB+` },
  { slug: 'foreign', label: 'Reports of foreign issuers (20-F, 40-F, 6-K)', group: REPORTS,
    forms: codes`20-F+, 20-FR+, 40-F+, 6-K+` },
  { slug: 'plans', label: 'Reports of employee plans (11-K)', group: REPORTS, forms: codes`11-K+, 11-KT+` },
  { slug: 'sd', label: 'Specialized disclosure (conflict minerals, resource extraction)', group: REPORTS,
    forms: codes`SD+` },
  { slug: 'ars', label: 'Annual reports to security holders', group: REPORTS, forms: codes`ARS+` },
  { slug: 'late', label: 'Notices of late filing', group: REPORTS,
    forms: codes`NT 10-K+, NT 10-Q+, NT 10-D+, NT 11-K+, NT 15D2+, NT 20-F+, NT N-CEN+, NT N-MFP+, NT N-MFP1+,
      NT N-MFP2+, NT N-MFP3+, NT NPORT-EX+, NT NPORT-N+, NT NPORT-P+, NT-NCEN+, NT-NCSR+, NT-NSAR+, NTFNCEN+,
      NTFNCSR+, NTFNSAR+, NTN 10-D+, NTN 10D+, NTN 10K+, NTN 10Q+, NTN 11K+, NTN 20F+, NTN15D2+` },
  { slug: 'notices', label: 'Special reports and notices (Iran notices, 15d-2, market listings)', group: REPORTS,
    forms: codes`IRANNOTICE, SP 15D2+, SPDSCL+, 10-C+` },
  { slug: 'governments', label: 'Foreign governments (18-K, Schedule B)', group: REPORTS,
    forms: codes`18-K+, 18-12B+, 18-12G+, S-B+, S-BMEF` },
  { slug: 'multilateral', label: 'Development banks', group: REPORTS,
    forms: codes`ANNLRPT+, QRTLYRPT+, DSTRBRPT+, ADB+, AFDB+, EBRD+, IADB+, IBRD+, IFC+, BW-2+, BW-3+` },
  { slug: 'utilities', label: 'Public utility holding companies (1935 Act)', group: REPORTS,
    forms: codes`U-1+, U-12-IA+, U-12-IB+, U-13-1+, U-13-60+, U-13E-1+, U-33-S+, U-3A-2+, U-3A3-1+, U-57+, U-6B-2+,
      U-7D+, U-9C-3+, U-R-1+, U5A+, U5B+, U5S+, POS AMC+, 35-2+, 35-3+, 35-7B+, 35-11+, 35-APP+, 35-CERT+, 45B-3+` },

  // Offerings
  { slug: 'shelves', label: 'Shelf registrations (S-3, F-3, F-9)', group: OFFERINGS,
    forms: codes`S-3+, S-3ASR, S-3D+, S-3DPOS, S-3MEF, F-3+, F-3ASR, F-3D+, F-3DPOS, F-3MEF, F-7+, F-7 POS, F-9+,
      F-9 POS, F-9EF, F-9MEF` },
  { slug: 'mergers', label: 'Business combinations (S-4, F-4, 425)', group: OFFERINGS,
    forms: codes`S-4+, S-4 POS, S-4EF+, S-4MEF, F-4+, F-4 POS, F-4EF+, F-4MEF, F-8+, F-8 POS, F-80+, F-80POS, 425+` },
  { slug: 'benefitplans', label: 'Employee benefit plan registrations (S-8)', group: OFFERINGS,
    forms: codes`S-8+, S-8 POS` },
  { slug: 'depositary', label: 'Depositary receipts (F-6)', group: OFFERINGS, forms: codes`F-6+, F-6 POS, F-6EF+` },
  { slug: 'posteffective', label: 'Post-effective amendments', group: OFFERINGS,
    forms: codes`POS AM+, POS EX+, POS462B+, POS462C+, POSASR+` },
  { slug: 'prospectuses', label: 'Prospectuses of shelves and others (424B2, 424B5)', group: OFFERINGS,
    forms: codes`424A, 424B2, 424B5, 424B7, 424B8, SUPPL` },
  { slug: 'freewriting', label: 'Free writing prospectuses', group: OFFERINGS, forms: codes`FWP` },
  { slug: 'effectiveness', label: 'Delays and withdrawals of amendments (AW, DEL AM)', group: OFFERINGS,
    forms: codes`AW, AW WD, DEL AM, UNDER+, WDL-REQ` },
  { slug: 'registrations', label: 'Other registrations of a class of securities (Form 10, 8-B)', group: OFFERINGS,
    forms: codes`8A12BT+, 8-B12B+, 8-B12G+, 10-12G+, 10SB12B+, 10SB12G+,
      20FR12B+, 20FR12G+, 40FR12B+, 40FR12G+, 12G-2, 12G3-2A, 12G3-2B, 12G32BR` },
  { slug: 'delistings', label: 'Delisting and deregistration (25, 15)', group: OFFERINGS,
    forms: codes`25+, 15-12B+, 15-12G+, 15-15D+, 15F-12B+, 15F-12G+, 15F-15D+` },
  { slug: 'listings', label: 'Certifications of listing by exchanges', group: OFFERINGS,
    forms: codes`CERT, CERTAMX, CERTARCA, CERTBATS, CERTBSE, CERTCBO, CERTCIN, CERTCSE, CERTISE, CERTNAS, CERTNYS,
      CERTPAC, CERTPBS` },
  { slug: 'indentures', label: 'Trust indentures (T-3, 305B2)', group: OFFERINGS,
    forms: codes`T-3+, 305B2+, 39-10B2, 39-304C, 39-304D, 39-310B` },
  { slug: 'consents', label: 'Appointments of an agent for service of process', group: OFFERINGS,
    forms: codes`F-X+, F-N+, REG-NR+, 8-M+, 9-M+, 10-M+` },

  // Ownership
  { slug: 'thirteenfpaper', label: 'Confidential and early holdings reports (13F-E, 13FCONP)', group: OWNERSHIP,
    forms: codes`13F-E+, 13FCONP+` },
  { slug: 'shortsales', label: 'Short sales of managers (SH)', group: OWNERSHIP, forms: codes`SH-ER+, SH-NT+` },

  // Proxies and takeovers
  { slug: 'solicitations', label: 'Exempt solicitations and shareholder nominations', group: PROXIES,
    forms: codes`PX14A6G+, PX14A6N+, SC 14N+, SC 14N-S+` },
  { slug: 'tenderoffers', label: 'Tender offers and recommendations', group: PROXIES,
    forms: codes`SC TO-C+, SC TO-I+, SC TO-T+, SC 13E1+, SC 13E4+, SC13E4F+, SC 14D1+, SC14D1F+, SC 14D9+, SC14D9,
      SC14D9C+, SC14D9F+, SC 14F1+, CB+` },
  { slug: 'goingprivate', label: 'Going-private transactions (13E-3)', group: PROXIES,
    forms: codes`SC 13E3+, PRE13E3+, DEF13E3+` },

  // Funds
  { slug: 'nsar', label: 'Semi-annual reports of funds until 2018 (N-SAR)', group: FUNDS,
    forms: codes`NSAR-A+, NSAR-AT+, NSAR-B+, NSAR-BT+, NSAR-U+` },
  { slug: 'ncsr', label: 'Shareholder reports of funds (N-CSR)', group: FUNDS, forms: codes`N-CSR+, N-CSRS+` },
  { slug: 'fundreports', label: 'Other reports of funds (N-Q, N-30D, N-30B-2)', group: FUNDS,
    forms: codes`N-Q+, N-30D+, N-30B-2+, 40-RPT+, N-CR+, N-RN+` },
  { slug: 'fundprospectuses', label: 'Fund prospectuses (497)', group: FUNDS,
    forms: codes`497, 497AD, 497H2, 497J` },
  { slug: 'variable', label: 'Variable insurance products', group: FUNDS,
    forms: codes`497VPI, 497VPSUB, 497VPU, N-VP+, N-VPFS+` },
  { slug: 'fundmergers', label: 'Fund reorganizations (N-14)', group: FUNDS,
    forms: codes`N-14+, N-14 8C+, N-14AE+, N-14MEF, N14AE24+, N14EL24+` },
  { slug: 'unittrusts', label: 'Unit investment trusts (S-6, 487)', group: FUNDS,
    forms: codes`S-6+, S-6EL24+, 487, N-8B-2+, N-8B-3+, N-8B-4+, N-27D-1+` },
  { slug: 'fundstatus', label: 'Registration and status of funds (N-8A, N-8F, N-54A)', group: FUNDS,
    forms: codes`N-8A+, N-8F+, N-54A+, N-54C+, N-6F+, N-6C9+, N-18F1+, 40-8F-A+, 40-8F-B+, 40-8F-L+, 40-8F-M+,
      40-8F-2+, 40-8FC+` },
  { slug: 'fundfees', label: 'Fees on fund shares sold (24F-2)', group: FUNDS,
    forms: codes`24F-2NT+, 24F-1+, 24F-2EL+, 24F-2TM+` },
  { slug: 'fundcustody', label: 'Fidelity bonds, custody and litigation of funds (40-17G, 40-17F)', group: FUNDS,
    forms: codes`40-17F1+, 40-17F2+, 40-17G+, 40-17GCS+, 40-24B2+, 40-33+` },
  { slug: 'fundrepurchases', label: 'Repurchases by funds (N-23C)', group: FUNDS,
    forms: codes`N-23C-1+, N-23C-2+, N-23C3A+, N-23C3B+, N-23C3C+` },

  // Asset-backed securities
  { slug: 'absreports', label: 'Distribution reports and asset data (10-D, ABS-EE, ABS-15G)', group: ABS,
    forms: codes`10-D+, ABS-EE+, ABS-15G+` },
  { slug: 'absoffers', label: 'Registrations and prospectuses (SF-1, SF-3, 424H)', group: ABS,
    forms: codes`SF-1+, SF-1MEF, SF-3+, SF-3MEF, 424H+, 424I` },

  // Broker-dealers and markets
  { slug: 'focus', label: 'Other broker-dealer reports', group: MARKETS,
    forms: codes`FOCUSN+, G-405+, G-405N+, G-FIN+, G-FINW+, BDCO` },
  { slug: 'exchanges', label: 'Exchanges and clearing agencies (Form 1, 19b-4)', group: MARKETS,
    forms: codes`1+, 1-N+, 19-B, 19B-4+, 19B-4E+, 26+, 27+, 28+, CA-1+` },
  { slug: 'ats', label: 'Alternative trading systems (ATS-N)', group: MARKETS,
    forms: codes`ATS-N, ATS-N-C, ATS-N-W, ATS-N/CA, ATS-N/MA, ATS-N/MA CP, ATS-N/OFA, ATS-N/UA, ATS-N ORDR INEFF,
      ATS-N ORDR LTD OPN, ATS-N ORDR REVK, ATS-N ORDR SUSP, ATS-N/A ORDR INEFF` },
  { slug: 'swaps', label: 'Security-based swap dealers, facilities and repositories', group: MARKETS,
    forms: codes`SBSE+, SBSE-A+, SBSE-BD+, SBSE-C+, SBSE-W, SBSEF+, SBSEF-V, SBSEF-W, SDR+, SDR-A, SDR-W` },
  { slug: 'transferagents', label: 'Transfer agents (TA-1, TA-2)', group: MARKETS,
    forms: codes`TA-1+, TA-2+, TA-W, TACO, TTW+` },
  { slug: 'municipal', label: 'Municipal advisors and securities dealers (MA, MSD)', group: MARKETS,
    forms: codes`MA+, MA-A+, MA-I+, MA-W, CANCELLATION-MA, MSD+, MSDCO, MSDW` },
  { slug: 'ratings', label: 'Rating organizations (NRSRO)', group: MARKETS,
    forms: codes`NRSRO+, NRSRO-CE+, NRSRO-FR+, NRSRO-UPD+, NRSRO-WCLS, NRSRO-WREG` },
  { slug: 'advpaper', label: 'Adviser filings on EDGAR (ADV-E, ADV-NR, ADV-H)', group: MARKETS,
    forms: codes`ADV, ADV-E+, ADV-H-C, ADV-H-T, ADV-NR, ADVCO, ADVW+` },

  // Correspondence and orders
  { slug: 'applications', label: 'Applications for exemption and orders on them', group: ORDERS,
    forms: codes`40-APP+, 40-OIP+, 40-6B+, 40-6C+, 40-8B25+, 40-202A+, 40-203A+, 40-205A+, 40-205E+, 40-206A+,
      34-12H+, 34-36CF+, 34-36MR+, APP NTC, APP ORDR, APP WD+, APP WDG, OIP NTC, OIP ORDR, 6B NTC, 6B ORDR,
      8F-2 NTC, 8F-2 ORDR, N-8F NTC, N-8F ORDR` },
  { slug: 'letters', label: 'Comment letters and responses', group: ORDERS, forms: codes`CORRESP, UPLOAD` },
  { slug: 'staffactions', label: 'Orders and letters of the SEC and its staff', group: ORDERS,
    forms: codes`CT ORDER, NO ACT, REVOKED, SEC ACTION, SEC STAFF ACTION, SEC STAFF LETTER, STOP ORDER` },
  { slug: 'paper', label: 'Paper exhibits, hardship exemptions and administrative filings', group: ORDERS,
    forms: codes`SE, TH, SL, OC, ADN-MTL, HISTORY, ID-NEWCIK, PWR-ATT` },
]

export default families

/**
 * Kinds of agreements by the words of their titles. The first kind whose pattern matches a title is the kind of the
 * agreement.
 */

export const AGREEMENT_KINDS = [
  ...(['merger', 'credit', 'underwriting', 'sales', 'indenture', 'registration_rights', 'voting', 'purchase'] as const),
  ...(['lease', 'license', 'separation', 'employment', 'settlement', 'supply', 'tax', 'services', 'guaranty'] as const),
  ...(['security', 'warrant', 'rights_plan', 'collaboration', 'partnership', 'contribution', 'exchange'] as const),
  ...(['indemnification', 'cooperation', 'letter_of_intent', 'other'] as const),
]
export type AgreementKind = (typeof AGREEMENT_KINDS)[number]

/** Each kind with its pattern, and a title that the pattern matches. */
const KINDS: readonly (readonly [AgreementKind, RegExp, string])[] = [
  ['letter_of_intent', /\bletter of intent\b|\bterm sheet\b|\bmemorandum of understanding\b/i, 'Letter of Intent'],
  [
    'merger',
    /\bmerger\b|\bbusiness combination\b|\bplan of reorganization\b|\barrangement agreement\b/i,
    'Agreement and Plan of Merger',
  ],
  ['registration_rights', /\bregistration rights\b/i, 'Registration Rights Agreement'],
  [
    'voting',
    /\bvoting\b|\b(?:share|stock)holders?(?:[’']s?)? agreement\b|\binvestor rights\b|\bstandstill\b|\bsupport agreement\b/i,
    'Voting Agreement',
  ],
  ['underwriting', /\bunderwriting\b|\bplacement agen(?:t|cy)\b/i, 'Underwriting Agreement'],
  [
    'sales',
    /\bequity distribution\b|\bat[- ]the[- ]market\b|\b(?:open market |equity |atm )?sales agreement\b/i,
    'Sales Agreement',
  ],
  ['indenture', /\bindenture\b/i, 'Supplemental Indenture'],
  [
    'credit',
    /\bcredit\b|\bloan\b|\bfacility\b|\bcommitment letter\b|\bpromissory\b|\bnote\b(?! purchase)|\bincrease joinder\b|\bfinancing\b|\brevolv\w+|\bforbearance\b|(?<!\btax )\breceivables?\b|(?<!\b(?:share|stock|unit|equity|securities) )\brepurchase agreement\b/i,
    'Term Loan Agreement',
  ],
  ['guaranty', /\bguarant(?:y|ee)\b/i, 'Guaranty'],
  ['security', /\b(?:security|pledge|mortgage|collateral)\b/i, 'Pledge and Security Agreement'],
  ['rights_plan', /\brights (?:agreement|plan)\b/i, 'Rights Agreement'],
  ['purchase', /\b(?:purchase|subscription|acquisition|sale)\b/i, 'Stock Purchase Agreement'],
  ['lease', /\b(?:sub)?lease\b/i, 'Lease Agreement'],
  ['license', /\blicen[sc](?:e|ing)\b/i, 'License Agreement'],
  ['separation', /\bseparation\b/i, 'Separation and Distribution Agreement'],
  [
    'employment',
    /\bemploy(?:ment|ee)\b(?!\smatters)|\bseverance\b|\bchange (?:of|in) control\b|\bretention\b|\bconsulting\b|\boffer letter\b|\bsalary\b|\bcompensation\b|\bawards?\b|\bincentive\b|\bbonus\b/i,
    'Employment Agreement',
  ],
  ['settlement', /\bsettlement\b|\brelease\b/i, 'Settlement Agreement'],
  ['supply', /\bsupply\b|\bmanufacturing\b|\bofftake\b/i, 'Supply Agreement'],
  ['tax', /\btax\b/i, 'Tax Matters Agreement'],
  ['services', /\b(?:services?|management|advisory|administration)\b/i, 'Transition Services Agreement'],
  ['warrant', /\bwarrants?\b/i, 'Warrant Agreement'],
  ['collaboration', /\bcollaborat\w+|\bdevelopment\b|\bco-?promotion\b/i, 'Collaboration Agreement'],
  [
    'partnership',
    /\bpartnership\b|\bjoint venture\b|\blimited liability company\b|\boperating agreement\b/i,
    'Joint Venture Agreement',
  ],
  ['contribution', /\bcontribution\b/i, 'Contribution Agreement'],
  ['exchange', /\bexchange\b|\bconversion\b/i, 'Exchange Agreement'],
  ['indemnification', /\bindemnif\w+|\bindemnity\b/i, 'Indemnification Agreement'],
  ['cooperation', /\bcooperation\b|\bnomination\b/i, 'Cooperation Agreement'],
]

/** Returns the kind of the agreement that has this title. */
export const kindOf = (title: string): AgreementKind => KINDS.find(([, pattern]) => pattern.test(title))?.[0] ?? 'other'

/** A test checks that each of these titles gets the kind of its own pattern. */
export const EXAMPLES: readonly (readonly [title: string, kind: AgreementKind])[] = KINDS.map(([kind, , title]) => [
  title,
  kind,
])

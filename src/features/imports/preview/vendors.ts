import type { ImportStatusRule, StatusMark } from '../definitions/feature-schemas.ts'
import { hasStatusWord } from '../definitions/statuses.ts'
import { normalizeHeading, type SampledColumn } from './column-guess.ts'
import type { VendorName } from './preview-schemas.ts'

type StatusWords = ImportStatusRule['map']

/** A column of an export that says something of its contact. Headings are compared by `normalizeHeading`. */
interface StatusColumn {
  headings: readonly string[]
  map: StatusWords
  /** The status is of the phone number. */
  isOfPhone?: true
}

interface VendorExport {
  name: VendorName
  /** Headings that tell its exports: all of one of these are there; with `exactly` no others. */
  signs: readonly { headings: readonly string[]; exactly?: true; all?: StatusMark }[]
  /** Words in the names of its files. */
  fileWords?: StatusWords
  /** Without such names; entries on the red list stand first, then complaints, which are stronger than bounces. */
  columns: readonly StatusColumn[]
}

/** A column of yes and no. */
function buildYesNoWords(mark: StatusMark): StatusWords {
  return { true: mark, yes: mark, 1: mark, false: null, no: null, 0: null, '': null }
}

/** A column that is empty, or no, unless it holds a date or a reason. */
function buildPresenceWords(mark: StatusMark): StatusWords {
  return { '': null, false: null, no: null, 0: null, '*': mark }
}

/** A column of statuses in words, as many programs write them. */
const statusWords: StatusWords = {
  '': null,
  subscribed: null,
  active: null,
  confirmed: null,
  unsubscribed: 'redList',
  'opted out': 'redList',
  blocklisted: 'redList',
  blacklisted: 'redList',
  excluded: 'redList',
  suppressed: 'redList',
  complained: 'reportAsSpam',
  spam: 'reportAsSpam',
  cleaned: 'hardUser',
  bounced: 'hardUser',
  'hard bounced': 'hardUser',
  invalid: 'hardUser',
}
const statusHeadings = ['status', 'emailstatus', 'subscriptionstatus', 'subscriptionstate', 'statut']

/** Exports by the headings that their services document. */
const vendors: readonly VendorExport[] = [
  {
    name: 'mailchimp',
    signs: [{ headings: ['emailaddress', 'memberrating'] }, { headings: ['emailaddress', 'leid', 'euid'] }],
    fileWords: { subscribed: null, unsubscribed: 'redList', nonsubscribed: 'redList', cleaned: 'hardUser' },
    columns: [
      { headings: ['unsubtime'], map: buildPresenceWords('redList') },
      { headings: ['cleantime'], map: buildPresenceWords('hardUser') },
    ],
  },
  {
    name: 'brevo',
    signs: [
      { headings: ['email', 'addedtime', 'modifiedtime'] },
      { headings: ['contactid', 'email', 'firstname', 'lastname', 'sms'] },
      { headings: ['email', 'emailblacklisted'] },
      { headings: ['email', 'emailblocklisted'] },
    ],
    columns: [
      {
        headings: ['emailblacklisted', 'emailblocklisted', 'blacklisted', 'blocklisted'],
        map: buildYesNoWords('redList'),
      },
      { headings: ['emailmarketing', 'emailmarketingstatus'], map: statusWords },
      { headings: ['smsblacklisted', 'smsblocklisted'], map: buildYesNoWords('redList'), isOfPhone: true },
      { headings: ['smsmarketing', 'smsmarketingstatus'], map: statusWords, isOfPhone: true },
    ],
  },
  {
    name: 'sendgrid',
    signs: [
      { headings: ['email', 'alternateemails'] },
      { headings: ['email', 'stateprovinceregion', 'postalcode'] },
      { headings: ['email', 'created', 'status', 'reason'], exactly: true, all: 'hardUser' },
      { headings: ['email', 'created', 'reason'], exactly: true, all: 'hardUser' },
      { headings: ['email', 'created', 'ip'], exactly: true, all: 'reportAsSpam' },
      { headings: ['email', 'created'], exactly: true, all: 'redList' },
    ],
    fileWords: {
      contacts: null,
      unsubscribes: 'redList',
      'spam reports': 'reportAsSpam',
      bounces: 'hardUser',
      'invalid emails': 'hardUser',
      blocks: null,
    },
    columns: [],
  },
  {
    name: 'mailjet',
    signs: [
      { headings: ['email', 'isexcludedfromcampaigns'] },
      { headings: ['email', 'isunsubscribed'] },
      { headings: ['email', 'isspamcomplaining'] },
    ],
    columns: [
      { headings: ['isunsubscribed', 'unsub'], map: buildYesNoWords('redList') },
      { headings: ['unsubscribedat'], map: buildPresenceWords('redList') },
      { headings: ['isexcludedfromcampaigns'], map: buildYesNoWords('redList') },
      { headings: ['isoptinpending'], map: buildYesNoWords('redList') },
      { headings: ['isspamcomplaining'], map: buildYesNoWords('reportAsSpam') },
    ],
  },
  {
    name: 'hubspot',
    signs: [
      { headings: ['email', 'portalunsubscribe', 'portalbounce'] },
      ...[
        'marketingcontactstatus',
        'unsubscribedfromallemail',
        'emailhardbouncereason',
        'lifecyclestage',
        'leadstatus',
      ].map((heading) => ({ headings: ['recordid', 'email', heading] })),
    ],
    columns: [
      { headings: ['unsubscribedfromallemail', 'optedoutofallemail'], map: buildYesNoWords('redList') },
      { headings: ['portalunsubscribe'], map: buildYesNoWords('redList') },
      { headings: ['portalspamreport'], map: buildYesNoWords('reportAsSpam') },
      { headings: ['emailhardbouncereason'], map: buildPresenceWords('hardUser') },
      { headings: ['invalidemailaddress'], map: buildYesNoWords('hardUser') },
      { headings: ['portalbounce'], map: buildPresenceWords('hardUser') },
      { headings: ['globalbounce'], map: buildPresenceWords('hardUser') },
    ],
  },
]

/** A text of a file by its headings, and the cells of its first lines. */
export interface SampledText {
  name: string
  columns: readonly SampledColumn[]
}

function listNormalizedHeadings({ columns }: SampledText): string[] {
  return columns.flatMap(({ heading }) => (heading === null || heading === '' ? [] : [normalizeHeading(heading)]))
}

function findVendorSign({ signs }: VendorExport, text: SampledText): VendorExport['signs'][number] | undefined {
  const textHeadings = listNormalizedHeadings(text)
  return signs.find(
    ({ headings, exactly }) =>
      headings.every((signHeading) => textHeadings.includes(signHeading)) &&
      (!exactly || textHeadings.length === headings.length),
  )
}

/** The heading of a column as the texts spell it. */
function findHeading(texts: readonly SampledText[], headings: readonly string[]): string | undefined {
  const allHeadings = texts.flatMap(({ columns }) => columns.flatMap(({ heading }) => heading ?? []))
  return allHeadings.find((heading) => headings.includes(normalizeHeading(heading)))
}

/** A column of statuses in words, all of which are known. */
function buildWordRules(texts: readonly SampledText[]): ImportStatusRule[] {
  const column = findHeading(texts, statusHeadings)
  if (column === undefined) return []
  const cells = texts.flatMap(({ columns }) => columns.find(({ heading }) => heading === column)?.cells ?? [])
  const cellWords = new Set(cells.map((cell) => cell.trim().toLowerCase()))
  const isKnown = [...cellWords].every((word) => word in statusWords) && [...cellWords].some((word) => word !== '')
  return isKnown ? [{ column, map: statusWords }] : []
}

function buildVendorRules(
  vendor: VendorExport,
  texts: readonly SampledText[],
  phone: number | undefined,
): ImportStatusRule[] {
  const { fileWords, columns } = vendor
  if (fileWords && texts.every(({ name }) => hasStatusWord(name, fileWords))) return [{ file: true, map: fileWords }]
  const rules = columns.flatMap(({ headings, map, isOfPhone }): ImportStatusRule[] => {
    const column = findHeading(texts, headings)
    if (column === undefined || (isOfPhone && phone === undefined)) return []
    return [{ column, map, ...(isOfPhone && phone !== undefined && { field: phone }) }]
  })
  const signMarks = new Set(texts.map((text) => findVendorSign(vendor, text)?.all))
  const [commonMark] = signMarks
  const emailColumn = findHeading(texts, ['email'])
  // Whoever stands in such a file is not to be written to.
  if (signMarks.size === 1 && commonMark && emailColumn !== undefined)
    return [{ column: emailColumn, map: { '*': commonMark } }]
  return rules
}

/** Recognizes the service whose export the texts of a file are, and finds their statuses; `phone`: a field that numbers are put in. */
export function recogniseVendor(
  texts: readonly SampledText[],
  phone: number | undefined,
): { vendor: VendorName | null; rules: ImportStatusRule[] } {
  const vendor = vendors.find((candidate) => texts.every((text) => findVendorSign(candidate, text) !== undefined))
  const vendorRules = vendor ? buildVendorRules(vendor, texts, phone) : []
  return { vendor: vendor?.name ?? null, rules: vendorRules.length > 0 ? vendorRules : buildWordRules(texts) }
}

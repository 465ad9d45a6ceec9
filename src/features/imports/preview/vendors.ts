import type { ImportStatusRule, StatusMark } from '../definitions/feature-schemas.ts'
import { hasStatusWord } from '../definitions/statuses.ts'
import { normalizeHeading, type SampledColumn } from './column-guess.ts'
import type { VendorName } from './preview-schemas.ts'

type Words = ImportStatusRule['map']

/** A column of an export that says something of its contact. Headings are compared by `normalizeHeading`. */
interface StatusColumn {
  headings: readonly string[]
  map: Words
  /** The status is of the phone number. */
  isOfPhone?: true
}

interface Vendor {
  name: VendorName
  /** Headings that tell its exports: all of one of these are there; with `exactly` no others. */
  signs: readonly { headings: readonly string[]; exactly?: true; all?: StatusMark }[]
  /** Words in the names of its files. */
  fileWords?: Words
  /** Without such names; entries on the red list stand first, then complaints, which are stronger than bounces. */
  columns: readonly StatusColumn[]
}

/** A column of yes and no. */
function yes(mark: StatusMark): Words {
  return { true: mark, yes: mark, 1: mark, false: null, no: null, 0: null, '': null }
}

/** A column that is empty, or no, unless it holds a date or a reason. */
function anything(mark: StatusMark): Words {
  return { '': null, false: null, no: null, 0: null, '*': mark }
}

/** A column of statuses in words, as many programs write them. */
const statusWords: Words = {
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
const vendors: readonly Vendor[] = [
  {
    name: 'mailchimp',
    signs: [{ headings: ['emailaddress', 'memberrating'] }, { headings: ['emailaddress', 'leid', 'euid'] }],
    fileWords: { subscribed: null, unsubscribed: 'redList', nonsubscribed: 'redList', cleaned: 'hardUser' },
    columns: [
      { headings: ['unsubtime'], map: anything('redList') },
      { headings: ['cleantime'], map: anything('hardUser') },
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
      { headings: ['emailblacklisted', 'emailblocklisted', 'blacklisted', 'blocklisted'], map: yes('redList') },
      { headings: ['emailmarketing', 'emailmarketingstatus'], map: statusWords },
      { headings: ['smsblacklisted', 'smsblocklisted'], map: yes('redList'), isOfPhone: true },
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
      { headings: ['isunsubscribed', 'unsub'], map: yes('redList') },
      { headings: ['unsubscribedat'], map: anything('redList') },
      { headings: ['isexcludedfromcampaigns'], map: yes('redList') },
      { headings: ['isoptinpending'], map: yes('redList') },
      { headings: ['isspamcomplaining'], map: yes('reportAsSpam') },
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
      { headings: ['unsubscribedfromallemail', 'optedoutofallemail'], map: yes('redList') },
      { headings: ['portalunsubscribe'], map: yes('redList') },
      { headings: ['portalspamreport'], map: yes('reportAsSpam') },
      { headings: ['emailhardbouncereason'], map: anything('hardUser') },
      { headings: ['invalidemailaddress'], map: yes('hardUser') },
      { headings: ['portalbounce'], map: anything('hardUser') },
      { headings: ['globalbounce'], map: anything('hardUser') },
    ],
  },
]

/** A text of a file by its headings, and the cells of its first lines. */
export interface SampledText {
  name: string
  columns: readonly SampledColumn[]
}

function headingsOf({ columns }: SampledText): string[] {
  return columns.flatMap(({ heading }) => (heading === null || heading === '' ? [] : [normalizeHeading(heading)]))
}

function signOf({ signs }: Vendor, text: SampledText): Vendor['signs'][number] | undefined {
  const there = headingsOf(text)
  return signs.find(
    ({ headings, exactly }) =>
      headings.every((one) => there.includes(one)) && (!exactly || there.length === headings.length),
  )
}

/** The heading of a column as the texts spell it. */
function spelled(texts: readonly SampledText[], headings: readonly string[]): string | undefined {
  const all = texts.flatMap(({ columns }) => columns.flatMap(({ heading }) => heading ?? []))
  return all.find((heading) => headings.includes(normalizeHeading(heading)))
}

/** A column of statuses in words, all of which are known. */
function wordRules(texts: readonly SampledText[]): ImportStatusRule[] {
  const column = spelled(texts, statusHeadings)
  if (column === undefined) return []
  const cells = texts.flatMap(({ columns }) => columns.find(({ heading }) => heading === column)?.cells ?? [])
  const words = new Set(cells.map((cell) => cell.trim().toLowerCase()))
  const isKnown = [...words].every((word) => word in statusWords) && [...words].some((word) => word !== '')
  return isKnown ? [{ column, map: statusWords }] : []
}

function rulesOf(vendor: Vendor, texts: readonly SampledText[], phone: number | undefined): ImportStatusRule[] {
  const { fileWords, columns } = vendor
  if (fileWords && texts.every(({ name }) => hasStatusWord(name, fileWords))) return [{ file: true, map: fileWords }]
  const rules = columns.flatMap(({ headings, map, isOfPhone }): ImportStatusRule[] => {
    const column = spelled(texts, headings)
    if (column === undefined || (isOfPhone && phone === undefined)) return []
    return [{ column, map, ...(isOfPhone && phone !== undefined && { field: phone }) }]
  })
  const marks = new Set(texts.map((text) => signOf(vendor, text)?.all))
  const [all] = marks
  const email = spelled(texts, ['email'])
  // Whoever stands in such a file is not to be written to.
  if (marks.size === 1 && all && email !== undefined) return [{ column: email, map: { '*': all } }]
  return rules
}

/** Whose export the texts of a file are, and where their statuses are; `phone`: a field that numbers are put in. */
export function recogniseVendor(
  texts: readonly SampledText[],
  phone: number | undefined,
): { vendor: VendorName | null; rules: ImportStatusRule[] } {
  const vendor = vendors.find((one) => texts.every((text) => signOf(one, text) !== undefined))
  const own = vendor ? rulesOf(vendor, texts, phone) : []
  return { vendor: vendor?.name ?? null, rules: own.length > 0 ? own : wordRules(texts) }
}

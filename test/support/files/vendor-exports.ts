import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { createCsvReader } from '../../../src/features/imports/files/csv.ts'
import { IMPORT_FILES } from './sample-files.ts'
import { zip } from './zip.ts'

const VENDORS = join(IMPORT_FILES, 'vendors')

/** A file as a service exports it, and what is to become of the people in it. */
export interface VendorExport {
  title: string
  vendor: string
  name: string
  /** By name: one text, or those of an archive. */
  texts: Record<string, string>
  /** First parts of addresses. */
  free: string[]
  redListed: string[]
  flagged: Record<string, number>
  domain: string
}

function textsOf(...path: string[]): Record<string, string> {
  const folder = join(VENDORS, ...path)
  return Object.fromEntries(readdirSync(folder).map((name) => [name, readFileSync(join(folder, name), 'utf8')]))
}

function textOf(name: string): Record<string, string> {
  return { [name]: readFileSync(join(VENDORS, name), 'utf8') }
}

const [HARD_USER, SPAM] = [52, 6]

/** One export of each service, of some two. */
export const vendorExports: readonly VendorExport[] = [
  {
    title: 'an audience of Mailchimp',
    vendor: 'mailchimp',
    name: 'audience_export_1f2e3d4c5b.zip',
    texts: textsOf('mailchimp'),
    free: ['ann', 'zoe'],
    redListed: ['ben', 'lea', 'nina'],
    flagged: { carl: HARD_USER },
    domain: 'mailchimp.example',
  },
  {
    title: 'contacts of Brevo',
    vendor: 'brevo',
    name: 'brevo.csv',
    texts: textOf('brevo.csv'),
    free: ['ann', 'zoe'],
    redListed: ['ben'],
    flagged: {},
    domain: 'brevo.example',
  },
  {
    title: 'contacts and suppressions of SendGrid',
    vendor: 'sendgrid',
    name: 'sendgrid.zip',
    texts: textsOf('sendgrid'),
    free: ['ann'],
    redListed: ['ben'],
    flagged: { carl: HARD_USER, dora: SPAM },
    domain: 'sendgrid.example',
  },
  {
    title: 'contacts of Mailjet',
    vendor: 'mailjet',
    name: 'mailjet.csv',
    texts: textOf('mailjet.csv'),
    free: ['ann'],
    redListed: ['ben', 'carl'],
    flagged: { dora: SPAM },
    domain: 'mailjet.example',
  },
  {
    title: 'contacts of HubSpot',
    vendor: 'hubspot',
    name: 'hubspot-contacts.csv',
    texts: textOf('hubspot-contacts.csv'),
    free: ['ann', 'dora'],
    redListed: ['ben'],
    flagged: { carl: HARD_USER },
    domain: 'hubspot.example',
  },
  {
    title: 'unsubscribes and bounces of HubSpot',
    vendor: 'hubspot',
    name: 'hubspot-unsubscribes-and-bounces.csv',
    texts: textOf('hubspot-unsubscribes-and-bounces.csv'),
    free: [],
    redListed: ['ben'],
    flagged: { carl: HARD_USER, dora: SPAM, eve: HARD_USER },
    domain: 'hubspot.example',
  },
]

/** The file itself: the text, or a zip archive of the texts. */
export function fileOf({ name, texts }: Pick<VendorExport, 'name' | 'texts'>): Buffer {
  const members = Object.entries(texts).map(([text, content]) => ({ name: text, data: Buffer.from(content) }))
  return name.endsWith('.zip') ? zip(members) : (members[0]?.data ?? Buffer.alloc(0))
}

/**
 * The texts with each line so many times, for as many people: `ann3@…` for the fourth. Cells behind the last column,
 * which imports ignore, make batches end early.
 */
export function grown({ texts, name }: VendorExport, times: number, padding: number): VendorExport['texts'] {
  const separator = name.startsWith('brevo') ? ';' : ','
  const quoted = (cells: readonly string[]) => cells.map((cell) => `"${cell.replaceAll('"', '""')}"`).join(separator)
  return Object.fromEntries(
    Object.entries(texts).map(([text, content]) => {
      const reader = createCsvReader({ separator })
      const [header, ...lines] = [...reader.read(content), ...reader.end()].map(({ cells }) => cells)
      const more = Array.from({ length: times }, (_, n) =>
        lines.map((cells) => quoted([...cells.map((cell) => cell.replace(/^(\w+)@/, `$1${n}@`)), 'x'.repeat(padding)])),
      )
      return [text, [quoted(header ?? []), ...more.flat()].join('\n')]
    }),
  )
}

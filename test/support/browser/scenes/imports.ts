import assert from 'node:assert/strict'
import iconv from 'iconv-lite'
import type { Page } from 'playwright-core'
import { runImport } from '../../../../src/features/imports/run/run-import.ts'
import { workbook } from '../../files/workbook.ts'
import type { Stage } from '../../stages/stage.ts'
import type { Scene } from '../scene.ts'

const XLSX = 'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet'

const NAMES = ['Zoë', 'Ann', 'Omar', 'Björn', 'Inès', 'Ravi', '<img src=x onerror=alert(1)>']

/** Contacts as Brevo exports them, a few of them unsubscribed, a few faulty. */
const BREVO = [
  'CONTACT ID,EMAIL,FIRSTNAME,POINTS,EMAIL_BLACKLISTED,SMS_BLACKLISTED,CREATED_AT',
  ...Array.from({ length: 60 }, (_, index) =>
    [
      index + 1,
      index % 13 === 12 ? `nobody${index}` : `import${index}@orchard.example`,
      NAMES[index % NAMES.length],
      (index * 7919) % 900,
      index % 7 === 3 ? 'Yes' : 'No',
      'No',
      '2026-03-01',
    ].join(','),
  ),
].join('\n')

async function choose(page: Page): Promise<void> {
  await page.getByRole('heading', { name: 'Drop a file here' }).waitFor()
  await page
    .locator('input[type=file]')
    .setInputFiles({ name: 'brevo-contacts.csv', mimeType: 'text/csv', buffer: Buffer.from(BREVO) })
  await page.getByText('Brevo', { exact: true }).waitFor()
}

/** Chooses another encoding than the detected one. */
async function chooseEncoding(page: Page): Promise<void> {
  await page.getByRole('heading', { name: 'Drop a file here' }).waitFor()
  const buffer = iconv.encode(
    'Email;First name\nlucja@orchard.example;Łucja\nzofia@orchard.example;Żółć\n',
    'windows-1250',
  )
  await page.locator('input[type=file]').setInputFiles({ name: 'lodz.csv', mimeType: 'text/csv', buffer })
  await page.getByRole('status').getByText('£ucja').waitFor()
  await page.getByRole('combobox', { name: 'Encoding' }).click()
  await page.getByRole('option', { name: 'Windows-1250, Central European' }).click()
  await page.getByRole('status').getByText('Łucja').waitFor()
  await page.getByRole('cell', { name: 'Żółć' }).waitFor()
}

/** A workbook of two sheets with contacts, and one that is hidden. */
const BOOK = workbook(
  [
    { name: 'Notes', rows: [['For the team only']], state: 'hidden' },
    {
      name: 'Shop customers',
      rows: [
        ['Email', 'First name', 'Mobile', 'Joined', 'Points'],
        ['ann@orchard.example', 'Ann', 33612345678, { xml: '<c s="1"><v>45322</v></c>' }, 12.5],
        ['zoe@orchard.example', 'Zoë', 33612345679, { xml: '<c s="1"><v>45323</v></c>' }, 7],
      ],
    },
    {
      name: 'Élèves 2026',
      rows: [
        ['E-mail', 'Prénom'],
        ['ines@orchard.example', 'Inès'],
        ['bjorn@orchard.example', 'Björn'],
      ],
    },
  ],
  { formats: ['dd/mm/yyyy'] },
)

/** Chooses another sheet of a workbook than the first one. */
async function chooseSheet(page: Page): Promise<void> {
  await page.getByRole('heading', { name: 'Drop a file here' }).waitFor()
  await page.locator('input[type=file]').setInputFiles({ name: 'contacts.xlsx', mimeType: XLSX, buffer: BOOK })
  await page.getByRole('cell', { name: '2024-01-31' }).waitFor()
  await page.getByRole('combobox', { name: 'Sheet' }).click()
  await page.getByRole('option', { name: 'Élèves 2026' }).click()
  await page.getByRole('cell', { name: 'Inès' }).waitFor()
}

/** Chooses how to read ambiguous numbers and dates. */
async function chooseReadings(page: Page): Promise<void> {
  await page.getByRole('heading', { name: 'Drop a file here' }).waitFor()
  const buffer = Buffer.from(
    'Email;Turnover;Joined\nann@orchard.example;1,234;45292\nbob@orchard.example;2,500;45293\n',
  )
  await page.locator('input[type=file]').setInputFiles({ name: 'shop.csv', mimeType: 'text/csv', buffer })
  await page.getByRole('combobox', { name: 'How Turnover is read' }).click()
  await page.getByRole('option', { name: 'Decimal comma: 1,234 is 1.234' }).click()
  await page.getByRole('combobox', { name: 'Field for Joined' }).click()
  await page.getByRole('option', { name: 'Joined', exact: true }).click()
  await page.getByRole('combobox', { name: 'How Joined is read' }).click()
  await page.getByRole('option', { name: 'Days: 45292 is 1 Jan 2024' }).click()
}

/** Adds fields for numbers and dates. Returns the path of the screen. */
async function withFields({ call }: Stage): Promise<string> {
  await call('POST', '/fields', { body: { type: 'numeric', name: 'Turnover' } })
  await call('POST', '/fields', { body: { type: 'date', name: 'Joined' } })
  return '/imports/new'
}

/** An import that was checked, or run, with its rejects; gives its path. */
async function ran({ call, context }: Stage, dryRun: boolean): Promise<string> {
  const { body: file } = await call('POST', '/imports/preview', {
    body: BREVO,
    headers: { 'content-type': 'text/csv', 'content-disposition': 'attachment; filename="brevo.csv"' },
  })
  const { body: made } = await call('POST', '/imports', {
    body: { name: dryRun ? 'Brevo, May' : 'Brevo, April', features: file.mapping.features },
  })
  await call('PUT', `/imports/${made.id}/source`, { body: BREVO, headers: { 'content-type': 'text/csv' } })
  const { body: run, text } = await call('POST', `/imports/${made.id}/executions?dryRun=${dryRun}`)
  assert.ok(run.id, text)
  await runImport(context, { execution: run.id })
  return `/imports/${made.id}`
}

/** An import that pulls files every Monday and Friday, and what a person may set of it. */
async function scheduled({ call, segment }: Stage): Promise<string> {
  await call('POST', '/fields', { body: { type: 'phone', name: 'Mobile' } })
  const segmentId = await segment([], { name: 'Shop customers' })
  const occurs = { type: 'weekly', days: ['Mon', 'Fri'] }
  const periodicity = { type: 'once', value: { hour: 6, minute: 30 } }
  const features = [
    { type: 'segmentation', segmentId, emptyExisitingSegment: true },
    { type: 'report', sendErrorReport: true },
  ]
  const source = { type: 'ftp', folder: 'shop', templateFilename: 'customers-*.csv' }
  const body = {
    name: 'Shop, nightly',
    source,
    features,
    scheduler: { type: 'periodic', frequency: { occurs, periodicity } },
  }
  const { body: made, text } = await call('POST', '/imports', { body })
  assert.ok(made.id, text)
  return `/imports/${made.id}/settings`
}

/** A format of files without headings. */
async function format({ call }: Stage): Promise<string> {
  const [email] = (await call('GET', '/fields')).body
  const binds = [
    { columnIndex: 0, fieldId: email.id },
    { columnIndex: 1, fieldId: -10 },
  ]
  const body = { name: 'Cash registers', separator: 59, startAt: 0, encoding: 'windows-1252', dateOrder: 'dmy', binds }
  const { body: made } = await call('POST', '/importFormats', { body })
  return `/imports/formats/${made.identifier.guid}`
}

export const scenes: Scene[] = [
  {
    name: 'imports-empty',
    path: '/imports',
    ready: (page) => page.getByRole('heading', { name: 'No imports yet' }).waitFor(),
  },
  {
    name: 'imports-drop',
    path: '/imports/new',
    ready: (page) => page.getByRole('button', { name: 'Choose a file' }).waitFor(),
  },
  { name: 'imports-mapping', path: '/imports/new', ready: choose },
  { name: 'imports-encoding', path: '/imports/new', ready: chooseEncoding },
  { name: 'imports-sheet', path: '/imports/new', ready: chooseSheet },
  { name: 'imports-readings', path: '/imports/new', prepare: withFields, ready: chooseReadings },
  {
    name: 'imports-check',
    path: '/imports',
    prepare: (stage) => ran(stage, true),
    ready: (page) => page.getByText('Rejected lines').waitFor(),
  },
  {
    name: 'imports-ran',
    path: '/imports',
    prepare: (stage) => ran(stage, false),
    ready: (page) => page.getByText('Rejected lines').waitFor(),
  },
  {
    name: 'imports-settings',
    path: '/imports',
    prepare: async (stage) => `${await ran(stage, false)}/settings`,
    ready: async (page) => {
      await page.getByText('import0@orchard.example').waitFor()
      await page.getByRole('switch', { name: 'Run automatically' }).waitFor()
    },
  },
  {
    name: 'imports-scheduled',
    path: '/imports',
    prepare: scheduled,
    ready: (page) => page.getByText('Every Monday and Friday at 06:30').waitFor(),
  },
  {
    name: 'imports-formats-empty',
    path: '/imports/formats',
    ready: (page) => page.getByRole('heading', { name: 'No file formats yet' }).waitFor(),
  },
  {
    name: 'imports-format',
    path: '/imports/formats',
    prepare: format,
    ready: (page) => page.getByRole('combobox', { name: 'Field for 1' }).waitFor(),
  },
  {
    name: 'imports-formats',
    path: '/imports/formats',
    ready: (page) => page.getByRole('link', { name: 'Cash registers' }).waitFor(),
  },
  {
    name: 'imports-list',
    path: '/imports',
    ready: (page) => page.getByText('completed').first().waitFor(),
  },
  {
    name: 'imports-broken',
    path: '/imports',
    refused: '/imports',
    ready: (page) => page.getByRole('alert').getByText('This is broken for the picture').waitFor(),
  },
]

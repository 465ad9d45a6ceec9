import assert from 'node:assert/strict'
import type { Page } from 'playwright-core'
import { runImport } from '../../../src/features/imports/run.ts'
import type { Stage } from '../../stage.ts'
import type { Scene } from '../scene.ts'

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

export const scenes: Scene[] = [
  {
    name: 'imports-empty',
    path: '/imports',
    ready: (page) => page.getByRole('heading', { name: 'Bring your contacts in' }).waitFor(),
  },
  {
    name: 'imports-drop',
    path: '/imports/new',
    ready: (page) => page.getByRole('button', { name: 'Choose a file' }).waitFor(),
  },
  { name: 'imports-mapping', path: '/imports/new', ready: choose },
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

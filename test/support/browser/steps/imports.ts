import { sql } from 'kysely'
import { runImport } from '../../../../src/features/imports/run/run-import.ts'
import type { Stage } from '../../stages/stage.ts'
import type { FileInHand, Hands } from './hands.ts'

/** A file of people, some of its lines faulty: what becomes of it is known. */
export interface PeopleFile extends FileInHand {
  created: number
  rejected: number
  duplicates: number
}

const EDITORS_EVERY = 50

/** So many lines of people: one in fifty is an editor by its address, one in a thousand has no address, one in a thousand is there twice. */
export function peopleFile(lines: number): PeopleFile {
  const faults = Math.floor(lines / 1000)
  const people = Array.from(
    { length: lines - 2 * faults },
    (_, index) => `person${index}${index % EDITORS_EVERY === 0 ? '-editor' : ''}@orchard.example,Lyon ${index % 7}`,
  )
  const all = ['Email,Town', ...people, ...people.slice(0, faults), ...Array(faults).fill('nobody,Lyon')]
  return {
    name: 'people.csv',
    type: 'text/csv',
    content: Buffer.from(all.join('\n')),
    created: people.length,
    rejected: faults,
    duplicates: faults,
  }
}

/** Runs what was started, where the service of a test has no workers of its own. */
export async function workImports({ context }: Stage): Promise<void> {
  const { rows } = await sql<{ id: number }>`select id from import_executions where state = 0 order by id`.execute(
    context.db,
  )
  for (const { id } of rows) await runImport(context, { execution: id })
}

/** A figure of a run, as the page shows it. */
async function figure({ page }: Hands, label: string): Promise<number> {
  const stat = page.getByRole('note', { name: new RegExp(`^${label}\\.`) }).locator('xpath=..')
  await stat.waitFor()
  // biome-ignore lint/performance/useDomNodeTextContent: what people see, line by line.
  return Number((await stat.innerText()).split('\n').at(-1)?.replaceAll(/\D/g, ''))
}

/** Opens the page where a file begins. */
export async function openNewImport({ page, press }: Hands): Promise<void> {
  await press(page.getByRole('link', { name: 'Audience', exact: true }).first())
  await press(page.getByRole('link', { name: 'Imports', exact: true }).first())
  await page.getByRole('heading', { level: 1, name: 'Imports' }).waitFor()
  await press(page.getByRole('link', { name: 'New import' }).first())
}

/** Gives a file to the page, and waits for the mapping that is offered. */
export async function giveFile({ page, give }: Hands, file: FileInHand): Promise<void> {
  const button = page.getByRole('button', { name: 'Choose a file' })
  await give(page.locator('section', { has: page.getByRole('heading', { name: 'Drop a file here' }) }), button, file)
  await page.getByRole('heading', { name: 'Detected format' }).waitFor()
}

/** Checks what the file would do; gives the figures of the check. */
export async function checkFile(hands: Hands, work?: () => Promise<void>): Promise<Record<string, number>> {
  const { page, press } = hands
  await press(page.getByRole('button', { name: 'Check first' }))
  await page.waitForURL(/\/imports\/\d+\?run=/)
  await work?.()
  await page.getByText('completed', { exact: true }).first().waitFor()
  const [created, blocked, rejected] = [
    await figure(hands, 'Would be created'),
    await figure(hands, 'Would be unsubscribed'),
    await figure(hands, 'Would be rejected'),
  ]
  return { created, blocked, rejected, duplicates: await figure(hands, 'Duplicates') }
}

/** Imports the file that was checked; `name` is typed where more than a thousand people are reached. Gives the figures of the run. */
export async function applyFile(
  hands: Hands,
  { name, work }: { name?: string; work?: (() => Promise<void>) | undefined },
): Promise<Record<string, number>> {
  const { page, press, write } = hands
  await press(page.getByRole('button', { name: 'Import', exact: true }))
  const dialog = page.getByRole('dialog')
  if (name !== undefined) await write(dialog.getByLabel(`Type ${name} to confirm`), name)
  await press(dialog.getByRole('button', { name: 'Import', exact: true }))
  await dialog.waitFor({ state: 'detached' })
  // It is under way: the page says so, and how far it is, without being asked.
  if (work) {
    await page.getByRole('button', { name: 'Stop' }).waitFor()
    await page.getByRole('progressbar', { name: 'running', exact: true }).waitFor({ state: 'attached' })
    await work()
  }
  return readOutcome(hands)
}

/** The figures of a finished run. */
async function readOutcome(hands: Hands): Promise<Record<string, number>> {
  const { page } = hands
  await page
    .getByRole('link', { name: 'See contacts' })
    .or(page.getByText('The file changed nothing'))
    .first()
    .waitFor()
  await page.getByRole('button', { name: 'Stop' }).waitFor({ state: 'detached' })
  const [created, blocked, rejected] = [
    await figure(hands, 'Created'),
    await figure(hands, 'Unsubscribed'),
    await figure(hands, 'Rejected'),
  ]
  return { created, blocked, rejected, duplicates: await figure(hands, 'Duplicates') }
}

/** Creates the proposed fields and imports a file that was given, in one press. Gives the figures of the run. */
export async function createAndImport(
  hands: Hands,
  { fields, work }: { fields: number; work?: (() => Promise<void>) | undefined },
): Promise<Record<string, number>> {
  const { page, press } = hands
  const label = fields === 0 ? 'Import' : `Create ${fields} field${fields === 1 ? '' : 's'} and import`
  await press(page.getByRole('button', { name: label, exact: true }))
  await page.waitForURL(/\/imports\/\d+\?run=/)
  await work?.()
  return readOutcome(hands)
}

/** Brings a file of people in, from the left bar on: a field is made of its second column. `work`: where the service has no workers. */
export async function importPeople(
  hands: Hands,
  file: PeopleFile,
  work?: () => Promise<void>,
): Promise<Record<string, number>> {
  await openNewImport(hands)
  await giveFile(hands, file)
  return createAndImport(hands, { fields: 1, work })
}

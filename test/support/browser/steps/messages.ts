import { eventually } from '../../wait.ts'
import type { Hands } from './hands.ts'
import { save } from './save.ts'

/** A sending with its pace takes no longer. */
const SENDING_MS = 120_000

/** Makes a campaign of emails from the list, begun with a template. */
export async function newEmail({ page, press, write, pick }: Hands, name: string, template: string): Promise<void> {
  await press(page.getByRole('link', { name: 'Campaigns', exact: true }).first())
  await press(page.getByRole('button', { name: 'New campaign' }).first())
  const dialog = page.getByRole('dialog')
  await write(dialog.getByLabel('Name'), name)
  await pick(dialog.getByRole('radio', { name: new RegExp(`^${template}`) }))
  await press(dialog.getByRole('button', { name: 'Create' }))
  await page.getByRole('heading', { level: 1, name }).waitFor()
}

const openStep = async ({ page, press }: Hands, step: string): Promise<void> =>
  press(page.getByRole('main').getByRole('link', { name: step, exact: true }))

/** Writes the subject of an email whose blocks are drawn beside it. */
export async function writeSubject(by: Hands, subject: string): Promise<void> {
  await by.page.locator('[data-design-canvas]').waitFor()
  await by.write(by.page.getByRole('textbox', { name: 'Subject' }), subject)
  await by.page.getByText(/ of 102/).waitFor()
  await save(by)
}

/** Says who gets it, and how fast where there is a pace; `count` is seen before it is saved. */
export async function addressTo(
  by: Hands,
  { segment, count, pace }: { segment: string; count: string; pace?: string },
): Promise<void> {
  const { page, choose, write, pick } = by
  const main = page.getByRole('main')
  await openStep(by, 'Audience')
  await choose(main.getByLabel('Segments', { exact: true }).first(), segment)
  await page
    .getByRole('note', { name: /^Will receive it\./ })
    .locator('xpath=..')
    .getByText(count, { exact: true })
    .waitFor()
  await save(by)
  if (pace === undefined) return
  await openStep(by, 'When')
  await pick(page.getByRole('radio', { name: 'As soon as it is validated' }))
  await write(page.getByLabel('Sending speed'), pace)
  await save(by)
}

/** Sends a proof to the person itself, and waits until the test has passed. `work`: where the service of a test has no workers of its own. */
export async function testMessage(by: Hands, work?: () => Promise<void>): Promise<void> {
  const { page, press } = by
  await openStep(by, 'Test and send')
  // Links of templates lead nowhere: they are not looked at.
  await press(page.getByRole('checkbox', { name: /^Also check size/ }))
  await press(page.getByRole('button', { name: 'Send test' }))
  if (work) {
    await page.getByText('The test is under way.').waitFor()
    await work()
  }
  await page.getByText('The test has passed', { exact: false }).waitFor()
}

/** Validates a campaign once the question says these words. */
export async function validateMessage({ page, press }: Hands, words: string): Promise<void> {
  await press(page.getByRole('button', { name: 'Validate and send' }))
  const dialog = page.getByRole('dialog')
  await dialog.getByText(words).waitFor()
  await press(dialog.getByRole('button', { name: 'Validate and send' }))
  await dialog.waitFor({ state: 'detached' })
}

/** Waits until the progress says that at least so many are done. */
export async function untilDone({ page }: Hands, least: number): Promise<void> {
  await eventually(async () => {
    const words = await page.getByRole('status').allTextContents()
    return words.some((one) => Number(/^(\d+) of \d+ done$/.exec(one)?.[1] ?? -1) >= least)
  }, SENDING_MS)
}

/** Opens the report from the progress, and reads its balance once nothing waits: the words of each line with its number. */
export async function readBalance({ page, press }: Hands): Promise<Record<string, number>> {
  await press(page.getByRole('link', { name: 'Open report' }))
  const balance = page.getByRole('table', { name: 'Delivery' })
  await press(page.getByRole('button', { name: /^Show \d outcomes? without messages$/ }))
  await balance.getByRole('row', { name: /^Waiting 0/ }).waitFor()
  const rows = await balance.getByRole('row').all()
  const lines = await Promise.all(
    rows.map(async (row): Promise<[string, number]> => {
      // biome-ignore lint/performance/useDomNodeTextContent: what people see, cell by cell.
      const [words = '', count = ''] = (await row.innerText()).split(/[\t\n]+/).map((one) => one.trim())
      return [words, Number(count.replaceAll(/\D/g, ''))]
    }),
  )
  return Object.fromEntries(lines)
}

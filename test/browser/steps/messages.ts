import type { Hands } from './hands.ts'

/** Makes a campaign of emails from the list, and names it. */
export async function newEmail({ page, press, write }: Hands, name: string): Promise<void> {
  await press(page.getByRole('link', { name: 'Messages', exact: true }).first())
  await press(page.getByRole('button', { name: 'New email' }).first())
  const dialog = page.getByRole('dialog')
  await write(dialog.getByLabel('Name'), name)
  await press(dialog.getByRole('button', { name: 'Create' }))
  await page.getByRole('heading', { level: 1, name }).waitFor()
}

async function save(by: Hands): Promise<void> {
  await by.press(by.page.getByRole('button', { name: 'Save', exact: true }))
  await by.page.getByRole('button', { name: 'Save', exact: true }).waitFor({ state: 'detached' })
}

/** Writes the subject, begins with a template, and saves. */
export async function designEmail(
  by: Hands,
  { subject, template }: { subject: string; template: string },
): Promise<void> {
  const { page, write, choose } = by
  await write(page.getByLabel('Subject'), subject)
  await choose(page.getByRole('combobox', { name: 'Begin with a template' }), template)
  await page.getByText(/ of 102/).waitFor()
  await save(by)
}
